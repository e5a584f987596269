-- lock_jobs(jobs): locks the leases and deliveries of jobs that are to be cancelled, in the lock order of sql/README.md, and notes the
-- cancelled messages in the rows of their workers. The caller holds the claim locks of their consumers.
-- Touches: worker (update), lease, delivery (lock).
create or replace function postrider.lock_jobs(p_jobs postrider.cancel_job[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_kept constant int := 1000;  -- of the newest cancelled messages of a worker
    v_seqs bigint[] := array(select distinct j.seq from unnest(p_jobs) j);
begin
    perform from postrider.worker w
    where w.id in (select j.worker_id from unnest(p_jobs) j) order by w.id for no key update;
    update postrider.worker w
    set cancelled = (w.cancelled || j.ids)[greatest(cardinality(w.cancelled || j.ids) - v_kept + 1, 1):]
    from (select j.worker_id, array_agg(distinct j.id) as ids from unnest(p_jobs) j where j.status = 'in_flight' group by 1) j
    where w.id = j.worker_id;
    perform from postrider.lease l
    where l.finished_at is null
      and l.consumer_id in (select s.id from unnest(p_jobs) j cross join lateral (values (j.consumer_id), (-j.consumer_id)) as s(id))
      -- Not &&, which compares each member with each job: in a subquery of its own the array is hashed.
      and exists (select from unnest(l.members) s where s = any (v_seqs) offset 0)
    order by l.consumer_id, l.id for update;
    perform from postrider.delivery d
    where d.id in (select j.delivery_id from unnest(p_jobs) j) order by d.id for update;
end
$$;
