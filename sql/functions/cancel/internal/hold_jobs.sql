-- hold_jobs(filter, limit, begun, consumers, until): the jobs of cancellable(), of these consumers (null: of all), with the locks of lock_jobs().
-- While it waits for one, a worker may report a job or begin it, so it reads them again until nothing has changed: then no worker can report an
-- outcome. The workers of those that run read the cancellation after their next heartbeat. The caller holds the claim locks of the consumers.
-- Returns: the jobs. Raises: 55P03 as lock_jobs().
-- Touches: outbox, consumer, unique_job, message (read), worker (update), lease, delivery (lock).
-- postrider: after cancellable, lock_jobs, retry_lock
create or replace function postrider.hold_jobs(p_filter jsonb, p_limit int, p_begun boolean, p_consumers int[], p_until timestamptz)
    returns postrider.cancel_job[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_kept constant int := 1000;  -- of the newest cancelled messages of a worker
    j postrider.cancel_job[];
    k postrider.cancel_job[];
begin
    loop
        j := array(select row(f.*)::postrider.cancel_job from postrider.cancellable(p_filter, p_limit, p_begun) f
                   where p_consumers is null or f.consumer_id = any (p_consumers));
        exit when j = k;
        perform postrider.retry_lock(p_until, 'these jobs') where k is not null;
        perform postrider.lock_jobs(j, p_until);
        k := j;
    end loop;
    update postrider.worker w
    set cancelled = (w.cancelled || r.ids)[greatest(cardinality(w.cancelled || r.ids) - v_kept + 1, 1):]
    from (select f.worker_id, array_agg(distinct f.id) as ids from unnest(j) f where f.status = 'in_flight' group by 1) r
    where w.id = r.worker_id;
    return j;
end
$$;
