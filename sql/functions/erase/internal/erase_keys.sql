-- erase_keys(ids): removes the unique keys that these messages hold. A producer may be replacing one whose period is over: it waits for two
-- seconds at most for all of them, because the caller holds claim locks.
-- Raises: 55P03 when a producer does not end its transaction in this time.
-- Touches: unique_job.
-- postrider: after wait_until
create or replace function postrider.erase_keys(p_ids uuid[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    as $$
declare
    v_until constant timestamptz := clock_timestamp() + interval '2 seconds';
    u postrider.unique_job;
begin
    delete from postrider.unique_job k
    where k.seq in (select o.seq from postrider.unique_job o where o.message_id = any (p_ids) for update skip locked);
    for u in select o.* from postrider.unique_job o where o.message_id = any (p_ids) loop
        perform postrider.wait_until(v_until);
        delete from postrider.unique_job k where k.seq = u.seq and k.message_id = u.message_id;
    end loop;
end
$$;
