-- lock_progress(ids, until): locks the progress of the jobs of these messages, which a worker may be recording. The caller holds claim locks, so it
-- stops at p_until.
-- Raises: 55P03 when it cannot lock all of it until then.
-- Touches: job_progress (lock).
-- postrider: after retry_lock
create or replace function postrider.lock_progress(p_ids uuid[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    while exists (
        with held as materialized (
            select p.message_id, p.consumer_id, p.handler from postrider.job_progress p
            where p.message_id = any (p_ids) order by 1, 2, 3 for update skip locked
        )
        select from postrider.job_progress p
        where p.message_id = any (p_ids)
          and (p.message_id, p.consumer_id, p.handler) not in (select h.message_id, h.consumer_id, h.handler from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'the progress of these jobs');
    end loop;
end
$$;
