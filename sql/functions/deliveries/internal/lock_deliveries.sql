-- lock_deliveries(deliveries): locks deliveries, by id, and waits for two seconds at most for all of them: the caller may hold claim locks, and
-- workers of other roles may hold some of them.
-- Raises: 55P03 when it cannot lock all of them in this time.
-- Touches: delivery (lock).
-- postrider: after wait_until
create or replace function postrider.lock_deliveries(p_deliveries bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    as $$
declare
    v_until constant timestamptz := clock_timestamp() + interval '2 seconds';
begin
    perform postrider.wait_until(v_until) from postrider.delivery d where d.id = any (p_deliveries) order by d.id for no key update;
end
$$;
