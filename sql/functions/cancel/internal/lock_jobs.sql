-- lock_jobs(jobs, until): locks the workers, leases and deliveries of jobs that are to be cancelled, in the lock order of sql/README.md, and notes
-- the cancelled messages in the rows of their workers. The caller holds the claim locks of their consumers, so all waits together end at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: worker (update), lease, delivery (lock).
-- postrider: after jobs_leases, wait_until
create or replace function postrider.lock_jobs(p_jobs postrider.cancel_job[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '2s'  -- changed below
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_kept constant int := 1000;  -- of the newest cancelled messages of a worker
    v_workers constant uuid[] := array(select distinct j.worker_id from unnest(p_jobs) j);
    v_deliveries constant bigint[] := array(select distinct j.delivery_id from unnest(p_jobs) j);
begin
    perform postrider.wait_until(p_until) from postrider.worker w where w.id = any (v_workers) order by w.id for no key update;
    perform postrider.wait_until(p_until)
    from postrider.jobs_leases(p_jobs) j join postrider.lease l on l.consumer_id = j.consumer_id and l.id = j.id
    order by l.consumer_id, l.id for update of l;
    perform postrider.wait_until(p_until) from postrider.delivery d where d.id = any (v_deliveries) order by d.id for update;
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
