-- lock_circuits(consumer_ids, until): locks the circuits of consumers. The caller holds locks of several roles, so it stops at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: circuit (lock).
-- postrider: after retry_lock
create or replace function postrider.lock_circuits(p_consumer_ids int[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    while exists (
        with held as materialized (
            select k.consumer_id, k.handler from postrider.circuit k
            where k.consumer_id = any (p_consumer_ids) order by 1, 2 for no key update skip locked
        )
        select from postrider.circuit k
        where k.consumer_id = any (p_consumer_ids) and (k.consumer_id, k.handler) not in (select h.consumer_id, h.handler from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'circuits');
    end loop;
end
$$;
