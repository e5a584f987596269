-- lock_deliveries(deliveries, until): locks deliveries. The caller may hold claim locks, and workers of other roles may hold some of these rows, so
-- it stops at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: delivery (lock).
-- postrider: after retry_lock
create or replace function postrider.lock_deliveries(p_deliveries bigint[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan
    as $$
begin
    while exists (
        with held as materialized (
            select d.id from postrider.delivery d where d.id = any (p_deliveries) order by d.id for no key update skip locked
        )
        select from postrider.delivery d where d.id = any (p_deliveries) and d.id not in (select h.id from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'deliveries');
    end loop;
end
$$;
