-- lock_consumers(consumer_ids, until): locks the rows of consumers. The caller holds the claim locks of these consumers, so it stops at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: consumer (lock).
-- postrider: after retry_lock
create or replace function postrider.lock_consumers(p_consumer_ids int[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    while exists (
        with held as materialized (
            select c.id from postrider.consumer c where c.id = any (p_consumer_ids) order by c.id for no key update skip locked
        )
        select from postrider.consumer c where c.id = any (p_consumer_ids) and c.id not in (select h.id from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'consumers');
    end loop;
end
$$;
