-- lock_circuits(consumer_ids, until): locks the circuits of consumers. The caller
-- holds locks of several roles, so all waits together end at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: circuit (lock).
-- postrider: after wait_until
create or replace function postrider.lock_circuits(p_consumer_ids int[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    as $$
begin
    perform postrider.wait_until(p_until)
    from postrider.circuit k where k.consumer_id = any (p_consumer_ids) order by k.consumer_id, k.handler for no key update;
end
$$;
