-- remove_consumer(consumer, actor, reason, channel, owed): removes a consumer without live workers: its cursor,
-- handlers, leases and deliveries, dead letters included. From then on it holds back no partition of the log. The inbox entries of its handlers stay,
-- so that a consumer of that name would not repeat their effects.
-- p_owed: also if it has unhandled messages, which are then lost. Without it, the call is rejected in that case.
-- Returns: how many deliveries that had not ended and waiting messages went with it, and how many dead letters.
-- Raises: PR003 when there is no such consumer, PR012 while a worker is alive, and when it has unhandled messages, PR001 without actor
--   or reason, PR005 outside READ COMMITTED: concurrent insertions would be missed.
-- Touches: consumer, consumer_owner (with the last consumer of the name), handler, worker, lease, lease_mark, waiting, follower, lookahead, key_backlog, unique_job, circuit, run_bucket, rollout, handler_limit, limit_bucket, pgmq_pipeline, pgmq_copy (copies stay in pgmq), delivery, job_progress, replay_item, audit and the tables that end_members() touches.
-- postrider: grant operator
-- postrider: after end_members, take_lock, write_audit, require_read_committed, lock_claims
create or replace function postrider.remove_consumer(
    p_consumer text, p_actor text, p_reason text, p_channel text default 'outbox_default', p_owed boolean default false,
    out pending bigint, out failed bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_id int;
    c record;
begin
    perform postrider.require_read_committed('remove_consumer');
    -- In the lock order of sql/README.md. A concurrent registration waits and then creates a new consumer, and no worker can
    -- claim for this one.
    select id into v_id from postrider.consumer where name = p_consumer and channel = p_channel;
    perform postrider.take_lock(postrider.lock_claims(), v_id, 'claims of consumer ' || v_id) where v_id is not null;
    perform from postrider.worker where consumer_id = v_id order by id for update;
    perform from postrider.lease where consumer_id in (v_id, -v_id) and finished_at is null order by id for update;
    perform from postrider.delivery where consumer_id = v_id order by id for update;
    perform from postrider.circuit where consumer_id = v_id order by handler for update;
    perform from postrider.consumer where id = v_id for update;
    if not found then
        raise exception using errcode = 'PR003',
            message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    select v.workers, v.behind_since, v.leased into c
    from postrider.consumers v where v.consumer = p_consumer and v.channel = p_channel;
    if c.workers > 0 then
        raise exception using errcode = 'PR012',
            message = format('consumer %s on %s has workers that are alive: %s', p_consumer, p_channel, c.workers),
            hint = 'Stop them first. A worker that has died counts as alive until its heartbeat is overdue.';
    end if;
    select count(*) filter (where status in ('pending', 'in_flight')),
           count(*) filter (where status = 'failed' and deleted_at is null)
    into pending, failed
    from postrider.delivery where consumer_id = v_id;
    pending := pending + (select count(*) from postrider.waiting where consumer_id in (v_id, -v_id))
                       + (select count(*) from postrider.follower where consumer_id = v_id);
    if not coalesce(p_owed, false) and (pending > 0 or failed > 0 or c.leased > 0 or c.behind_since is not null) then
        raise exception using errcode = 'PR012',
            message = format('consumer %s on %s has unhandled messages%s: deliveries %s, dead letters %s, leased %s', p_consumer,
                             p_channel, coalesce(' since ' || date_trunc('second', c.behind_since), ''), pending, failed,
                             c.leased),
            hint = 'Handle them first, or remove the consumer together with its messages: p_owed => true.';
    end if;
    perform postrider.write_audit(
        p_actor, 'remove_consumer', p_reason, jsonb_build_object('consumer', p_consumer, 'channel', p_channel),
        jsonb_build_object('behind_since', c.behind_since, 'leased', c.leased, 'pending', pending, 'failed', failed));
    -- Leases before deliveries: a concurrent reap() turns a lease into deliveries.
    delete from postrider.worker where consumer_id = v_id;
    delete from postrider.waiting where consumer_id in (v_id, -v_id);
    delete from postrider.follower where consumer_id = v_id;
    delete from postrider.lookahead where consumer_id = v_id;
    delete from postrider.key_backlog where consumer_id = v_id;
    delete from postrider.unique_job where consumer_id = v_id;
    delete from postrider.lease where consumer_id in (v_id, -v_id);
    delete from postrider.lease_mark where consumer_id in (v_id, -v_id);
    delete from postrider.circuit where consumer_id = v_id;
    delete from postrider.run_bucket where consumer_id = v_id;
    delete from postrider.rollout where consumer_id = v_id;
    delete from postrider.handler_limit where consumer_id = v_id;
    delete from postrider.limit_bucket where consumer_id = v_id;
    delete from postrider.pgmq_copy k using postrider.pgmq_pipeline p where p.queue = k.queue and p.consumer_id = v_id;
    delete from postrider.pgmq_pipeline where consumer_id = v_id;
    update postrider.replay_item i
    set outcome = 'cancelled', ended_at = clock_timestamp(), note = 'its consumer was removed'
    from postrider.replay r, postrider.delivery d
    where r.ended_at is null and i.replay_id = r.id and i.outcome = 'moved' and d.id = i.delivery_id and d.consumer_id = v_id;
    delete from postrider.delivery where consumer_id = v_id;
    delete from postrider.job_progress where consumer_id = v_id;
    perform postrider.end_members(array(select m.seq from postrider.set_member m where m.consumer_id = v_id), true);
    delete from postrider.consumer where id = v_id;
    delete from postrider.consumer_owner
    where name = p_consumer and not exists (select from postrider.consumer where name = p_consumer);
end
$$;
