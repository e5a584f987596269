-- lock_workers(until): locks the rows of all workers. The caller holds the claim locks of all consumers, so it stops at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: worker (lock).
-- postrider: after retry_lock
create or replace function postrider.lock_workers(p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    while exists (
        with held as materialized (select w.id from postrider.worker w order by w.id for update skip locked)
        select from postrider.worker w where w.id not in (select h.id from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'workers');
    end loop;
end
$$;
