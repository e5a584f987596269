-- lock_jobs(jobs, until): locks the workers, leases and deliveries of jobs that are to be cancelled. The caller holds the claim locks of their
-- consumers, so it stops at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: worker, lease, delivery (lock).
-- postrider: after jobs_leases, lock_deliveries, retry_lock
create or replace function postrider.lock_jobs(p_jobs postrider.cancel_job[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_workers constant uuid[] := array(select distinct j.worker_id from unnest(p_jobs) j);
begin
    while exists (
        with held as materialized (
            select w.id from postrider.worker w where w.id = any (v_workers) order by w.id for no key update skip locked
        )
        select from postrider.worker w where w.id = any (v_workers) and w.id not in (select h.id from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'the workers of these jobs');
    end loop;
    while exists (
        with jobs as materialized (
            select * from postrider.jobs_leases(p_jobs)
        ), held as materialized (
            select l.consumer_id, l.id from jobs j join postrider.lease l on l.consumer_id = j.consumer_id and l.id = j.id
            order by 1, 2 for update of l skip locked
        )
        select from jobs j join postrider.lease l on l.consumer_id = j.consumer_id and l.id = j.id
        where (l.consumer_id, l.id) not in (select h.consumer_id, h.id from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'the leases of these jobs');
    end loop;
    perform postrider.lock_deliveries(array(select distinct j.delivery_id from unnest(p_jobs) j), p_until);
end
$$;
