-- end_cancelled(jobs, reason): ends the deliveries of cancelled jobs: failed and discarded at once, with the outcome cancelled. No alert is
-- raised. Unique keys are released, the next messages of ordering keys start, and replays and circuits are updated. A sequence counts the
-- jobs, because nextval() takes no lock until commit; jobs of a transaction that rolls back are counted as well.
-- Touches: delivery, unique_job, replay_item, circuit, cancelled_job_seq and the tables that end_members() touches.
-- postrider: after end_members, heads_ended, release_keys, run_ended
create or replace function postrider.end_cancelled(p_jobs postrider.cancel_job[], p_reason text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_text text := left('cancelled: ' || p_reason, 4000);
    v_counted bigint;
    v_runs postrider.ended_run[];
    v_keyed bigint[];
    v_ordered bigint[];
begin
    with ended as (
        update postrider.delivery d
        set status = 'failed', outcome = 'cancelled', dead_at = v_now, deleted_at = v_now, deleted_reason = v_text,
            last_error = v_text, error_class = 'cancelled', claimed_at = null, worker_id = null, lease_token = null, deadline = null
        from (select distinct j.consumer_id, j.seq, j.handler from unnest(p_jobs) j) j
        where d.seq = j.seq and d.consumer_id = j.consumer_id and d.handler = j.handler and d.status in ('pending', 'in_flight')
        returning d.id, d.consumer_id, d.handler, d.replay_id, d.seq, d.unique_key, d.set_id, d.heads
    )
    -- For a circuit it is a run that ended without a result.
    select max(nextval('postrider.cancelled_job_seq')),
           array_agg(row(e.id, e.consumer_id, e.handler, 'interrupted', 'pending', null, true, null, null, 1, null)::postrider.ended_run)
               filter (where k.state is not null),
           array_agg(e.seq) filter (where e.unique_key is not null or e.set_id is not null), array_agg(e.id) filter (where e.heads is not null)
    into v_counted, v_runs, v_keyed, v_ordered
    from ended e left join postrider.circuit k on k.consumer_id = e.consumer_id and k.handler = e.handler;
    update postrider.replay_item i
    set outcome = 'cancelled', ended_at = v_now, note = 'the job was cancelled'
    from postrider.delivery d, unnest(p_jobs) j
    where d.seq = j.seq and d.consumer_id = j.consumer_id and d.handler = j.handler and i.replay_id = d.replay_id
      and i.delivery_id = d.id and i.outcome = 'moved';
    if v_keyed is not null then
        perform postrider.release_keys(v_keyed);
    end if;
    if v_ordered is not null then
        perform postrider.heads_ended(v_ordered);
    end if;
    if v_runs is not null then
        perform postrider.run_ended(v_runs, '{}', true);
    end if;
    if v_keyed is not null then
        perform postrider.end_members(v_keyed);
    end if;
end
$$;
