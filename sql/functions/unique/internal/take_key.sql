-- take_key(job, wait): takes a unique key for a job, unless another job holds it. p_wait is a text as for lock_timeout.
-- While another transaction that has taken the key is open, it waits for its end, in all p_wait at most or the session's lock_timeout
-- if that is shorter. The key is inserted in a subtransaction, so that the error can have a hint.
-- Returns: the row of the job that holds the key; null: the key was taken.
-- Raises: 55P03 when the wait was too long, 40P01 when two transactions wait for each other's keys, 40001 outside READ COMMITTED when
--   the key was taken after the transaction's snapshot. Never a unique violation.
-- The callers' search_path is pinned. Assignments instead of PERFORM, which runs a query each time.
-- Touches: unique_job.
create or replace function postrider.take_key(p_job postrider.unique_job, p_wait text) returns postrider.unique_job
    language plpgsql volatile
    as $$
declare
    v_before text := pg_catalog.current_setting('lock_timeout');
    v_until timestamptz := pg_catalog.clock_timestamp() + p_wait::interval;
    v_set text;
    h postrider.unique_job;
begin
    loop
        if v_before = '0' and h.seq is null then
            v_set := pg_catalog.set_config('lock_timeout', p_wait, true);
        else
            v_set := pg_catalog.set_config('lock_timeout', pg_catalog.date_part('epoch', least(
                greatest(v_until - pg_catalog.clock_timestamp(), interval '1 ms'), nullif(v_before, '0')::interval)) * 1000 || 'ms', true);
        end if;
        begin
            if h.expires_at is not null then
                delete from postrider.unique_job u
                where u.consumer_id = h.consumer_id and u.handler = h.handler and u.key = h.key and u.place = h.place
                  and u.expires_at <= clock_timestamp();
            end if;
            insert into postrider.unique_job (consumer_id, handler, key, place, scope, message_id, seq, expires_at)
            values (p_job.consumer_id, p_job.handler, p_job.key, p_job.place, p_job.scope, p_job.message_id, p_job.seq,
                    p_job.expires_at)
            on conflict on constraint unique_job_key do nothing;
        exception when lock_not_available then
            raise exception using errcode = 'lock_not_available',
                message = format('unique key %L of %s is held by another transaction that has not ended', p_job.key, p_job.handler),
                detail = format('Waited for %s.', p_wait),
                hint = 'Roll back and publish again, and commit soon after publishing a unique job. The setting unique_wait says '
                       'how long to wait.';
        end;
        v_set := pg_catalog.set_config('lock_timeout', v_before, true);
        if found then
            return null;
        end if;
        select * into h from postrider.unique_job u
        where u.consumer_id = p_job.consumer_id and u.handler = p_job.handler and u.key = p_job.key and u.place = p_job.place;
        if h.expires_at is null and h.seq is not null or h.expires_at > clock_timestamp() then
            return h;
        end if;
    end loop;
end
$$;
