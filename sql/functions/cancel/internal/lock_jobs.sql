-- lock_jobs(jobs): locks the leases and deliveries of jobs that are to be cancelled, in the lock order of sql/README.md, and notes the
-- cancelled messages in the rows of their workers. The caller holds the claim locks of their consumers, so it waits for two seconds at most,
-- however many transactions hold one of them.
-- Raises: 55P03 when it cannot lock all of them in this time.
-- Touches: worker (update), lease, delivery (lock).
-- postrider: after jobs_leases, try_lock_jobs, wait_until
create or replace function postrider.lock_jobs(p_jobs postrider.cancel_job[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    as $$
declare
    v_kept constant int := 1000;  -- of the newest cancelled messages of a worker
    v_until constant timestamptz := clock_timestamp() + interval '2 seconds';
    r record;
begin
    if not postrider.try_lock_jobs(p_jobs) then
        -- One by one: a statement would wait for as long for each row.
        for r in select distinct j.worker_id as id from unnest(p_jobs) j order by 1 loop
            perform postrider.wait_until(v_until) from postrider.worker w where w.id = r.id;
            perform from postrider.worker w where w.id = r.id for no key update;
        end loop;
        for r in select l.* from postrider.jobs_leases(p_jobs) l order by l.consumer_id, l.id loop
            perform postrider.wait_until(v_until);
            perform from postrider.lease l where l.consumer_id = r.consumer_id and l.id = r.id for update;
        end loop;
        for r in select distinct j.delivery_id as id from unnest(p_jobs) j where j.delivery_id is not null order by 1 loop
            perform postrider.wait_until(v_until);
            perform from postrider.delivery d where d.id = r.id for update;
        end loop;
    end if;
    update postrider.worker w
    set cancelled = (w.cancelled || j.ids)[greatest(cardinality(w.cancelled || j.ids) - v_kept + 1, 1):]
    from (select j.worker_id, array_agg(distinct j.id) as ids from unnest(p_jobs) j where j.status = 'in_flight' group by 1) j
    where w.id = j.worker_id;
exception when lock_not_available then
    raise exception using errcode = 'lock_not_available',
        message = 'another transaction holds a worker, lease or delivery of these jobs, and has not ended',
        hint = 'Workers hold them for milliseconds. Try again, or find the session: postrider doctor.';
end
$$;
