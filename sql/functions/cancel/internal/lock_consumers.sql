-- lock_consumers(consumer_ids, until): locks the rows of consumers. The caller holds the claim locks of these consumers, so all waits together end at
-- p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: consumer (lock).
-- postrider: after wait_until
create or replace function postrider.lock_consumers(p_consumer_ids int[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    as $$
begin
    perform postrider.wait_until(p_until)
    from postrider.consumer c where c.id = any (p_consumer_ids) order by c.id for no key update;
end
$$;
