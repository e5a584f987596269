-- cancel(filter, actor, reason, limit, dry_run): cancels jobs that wait or run. A job that waits, in the log, for its time or for a retry, is never
-- run afterwards. The worker of a running job reads the cancellation after its next heartbeat (cancelled_jobs()) and requests a stop by the handler's
-- stop token. The outcome of that run is not accepted. A message for several consumers is cancelled for each that the filter describes.
-- p_filter is a JSON object; all its keys must hold: ids (of messages), unique_key, consumer, channel, handler, event_type, workspace_id.
--   One of the first three is required.
-- A cancelled job is kept as a delivery with the status failed and the outcome cancelled that is discarded at once: it raises no alert,
-- restore() makes a dead letter of it, and retention removes it. Its unique key is free. A key that is held for a period is free only
-- when the filter names it as unique_key, see free_periods().
-- p_dry_run: lists the jobs and changes nothing; it needs no actor and no reason.
-- Operators may cancel all jobs, other roles those of their consumers.
-- Returns: the jobs that were cancelled, at most p_limit, and the status of each before: pending or in_flight; held: the job had ended,
--   and its key was freed.
-- Raises: PR001 for a malformed filter or without actor or reason, PR014 for an id that does not exist, PR012 for a named job that has
--   ended, PR010 for a consumer of another role, PR002 for a filter that is too large and for too many messages ahead of a cursor, PR005 outside READ COMMITTED,
--   55P03 as take_claim_locks(), or when other transactions hold a job, circuit, consumer or unique key and do not end within two seconds.
-- Touches: delivery, waiting, lease, worker, consumer, unique_job, replay_item, circuit, audit; message (read).
-- postrider: grant operator, worker
-- postrider: after cancellable, end_cancelled, free_periods, hold_jobs, is_member, lock_circuits, lock_consumers, lock_keys, require_filter, require_open, require_owner, require_read_committed, take_claim_locks, take_out, write_audit
create or replace function postrider.cancel(
    p_filter jsonb, p_actor text, p_reason text, p_limit int default 1000, p_dry_run boolean default false
)
    returns table (id uuid, consumer text, channel text, handler text, was text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '10ms'  -- claims of several roles wait meanwhile
    as $$
#variable_conflict use_column
declare
    j postrider.cancel_job[];
    k postrider.unique_job[];
    v_found jsonb;  -- the filter, of these jobs only
    v_consumers int[];
    v_until timestamptz;
    c record;
begin
    perform postrider.require_read_committed('cancel');
    perform postrider.require_filter(p_filter, '{ids,unique_key,consumer,channel,handler,event_type,workspace_id}',
                                     '{ids,unique_key,consumer}', 'cancel');
    if p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = format('cancel: limit must be between 1 and 10000, got %s', p_limit);
    end if;
    j := array(select row(f.*)::postrider.cancel_job from postrider.cancellable(p_filter, p_limit) f);
    for c in select distinct f.consumer_id, f.consumer from unnest(j) f order by 1 loop
        if not postrider.is_member('postrider_operator') then
            perform postrider.require_owner(c.consumer);
        end if;
    end loop;
    if p_dry_run then
        perform postrider.require_open(p_filter, array(select f.id from unnest(j) f));
        return query select f.id, f.consumer, f.channel, nullif(f.handler, ''), f.status from unnest(j) f;
        return;
    end if;
    v_consumers := array(select distinct f.consumer_id from unnest(j) f);
    perform postrider.take_claim_locks(v_consumers);
    -- Now no cursor moves. They are read by their ids, so that claims do not wait while the whole backlog is searched.
    v_found := p_filter || jsonb_build_object('ids', array(select distinct f.id from unnest(j) f));
    v_until := clock_timestamp() + interval '2 seconds';
    j := postrider.hold_jobs(v_found, p_limit, null, v_consumers, v_until);
    perform postrider.lock_circuits(v_consumers, v_until);
    perform postrider.lock_consumers(v_consumers, v_until);
    perform postrider.lock_keys(array(select f.seq from unnest(j) f), v_until);
    perform postrider.require_open(p_filter, array(select f.id from unnest(j) f));
    for c in select f.consumer_id, array_agg(f) as jobs from unnest(j) f where f.delivery_id is null group by 1 order by 1 loop
        perform postrider.take_out(c.consumer_id, c.jobs);
    end loop;
    perform postrider.end_cancelled(j, p_reason);
    k := array(select postrider.free_periods(p_filter));
    perform postrider.write_audit(
        p_actor, 'cancel', p_reason, p_filter, null,
        jsonb_strip_nulls(jsonb_build_object('jobs', cardinality(j), 'keys', nullif(cardinality(k), 0))));
    return query
    select f.id, f.consumer, f.channel, nullif(f.handler, ''), f.status from unnest(j) f
    union all
    select h.message_id, o.name, o.channel, h.handler, 'held'
    from unnest(k) h join postrider.consumer o on o.id = h.consumer_id
    where h.message_id not in (select f.id from unnest(j) f);
end
$$;
