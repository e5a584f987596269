-- lock_contents(ids, until): locks the unique keys that these messages hold and the progress of their jobs. A producer may be replacing a key whose
-- period is over, and a worker may be recording progress. The caller holds claim locks, so all waits together end at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: unique_job, job_progress (lock).
-- postrider: after wait_until
create or replace function postrider.lock_contents(p_ids uuid[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    as $$
begin
    perform postrider.wait_until(p_until)
    from postrider.unique_job u where u.message_id = any (p_ids) order by u.consumer_id, u.handler, u.key, u.place for update;
    perform postrider.wait_until(p_until)
    from postrider.job_progress p where p.message_id = any (p_ids) order by p.message_id, p.consumer_id, p.handler for update;
end
$$;
