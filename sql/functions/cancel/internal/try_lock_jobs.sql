-- try_lock_jobs(jobs): locks the workers, leases and deliveries of jobs, in the lock order of sql/README.md, without waiting for another transaction.
-- Returns: whether it has all of them.
-- Touches: worker, lease, delivery (lock).
-- postrider: after jobs_leases
create or replace function postrider.try_lock_jobs(p_jobs postrider.cancel_job[]) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_workers constant uuid[] := array(select distinct j.worker_id from unnest(p_jobs) j);
    v_deliveries constant bigint[] := array(select distinct j.delivery_id from unnest(p_jobs) j);
    v_all boolean;
begin
    v_all := (select count(*) from postrider.worker w where w.id = any (v_workers))
           = (select count(*) from (select from postrider.worker w where w.id = any (v_workers) for no key update skip locked) l);
    if v_all then
        with wanted as materialized (
            select l.consumer_id, l.id from postrider.jobs_leases(p_jobs) l
        ), locked as materialized (
            select l.id from wanted w join postrider.lease l using (consumer_id, id) for update of l skip locked
        )
        select (select count(*) from wanted) = (select count(*) from locked) into v_all;
    end if;
    return v_all
       and (select count(*) from postrider.delivery d where d.id = any (v_deliveries))
         = (select count(*) from (select from postrider.delivery d where d.id = any (v_deliveries) for update skip locked) l);
end
$$;
