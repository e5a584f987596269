-- redeliver(message_id, consumer, handler, clear_handled, actor, reason, channel): gives a message that was delivered to a
-- handler a new cycle. The cycle starts at once, and a message without a delivery gets one. A delivery that a replay moved to
-- another generation stays there. If a broker sent the message more than once, the newest delivery is used.
-- clear_handled is required: true removes the entry of this consumer, handler, source and idempotency key from event_handled, so
-- that the handler makes its effect again; false keeps it, and a handler that uses the inbox skips the message.
-- Returns: the new cycle.
-- Raises: PR003 no such consumer, PR014 no such message there, PR011 not a message for this handler, PR012 when it has not
--   been delivered (it waits, runs or is dead) or another job holds its unique key, PR001 without the flag, actor or reason.
-- Touches: delivery, event_handled, audit; rings.
-- postrider: grant operator
-- postrider: after take_lock, park_ended, revive, covers, cursor_of, require_key, write_audit, lock_claims
create or replace function postrider.redeliver(
    p_message_id uuid, p_consumer text, p_handler text, p_clear_handled boolean, p_actor text, p_reason text,
    p_channel text default 'outbox_default'
) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_consumer int;
    v_cycle int;
    v_cleared int := 0;
    v_runs postrider.ended_run[];
    d record;
    m record;
begin
    if p_clear_handled is null then
        raise exception using errcode = 'PR001', message = 'redeliver: clear_handled must be true or false, got null: it decides whether the entry in event_handled is removed';
    end if;
    select id into v_consumer from postrider.consumer where name = p_consumer and channel = p_channel;
    if not found then
        raise exception using errcode = 'PR003', message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    -- With the claim lock, no claim moves the cursor.
    perform postrider.take_lock(postrider.lock_claims(), v_consumer, 'claims of consumer ' || v_consumer);
    select id, status, deleted_at, source, idempotency_key into d from postrider.delivery
    where message_id = p_message_id and v_consumer in (consumer_id, origin_id) and handler = p_handler
    order by id desc limit 1 for update;
    if not found then
        select l.xid, l.seq, l.published_at, l.priority <> 0 or l.available_at is not null as waits,
               postrider.covers(postrider.cursor_of(case when l.priority <> 0 or l.available_at is not null then -v_consumer
                                                         else v_consumer end), l.xid, l.seq)
               and not exists (select from postrider.lease o
                               where o.consumer_id in (v_consumer, -v_consumer) and o.finished_at is null and l.seq = any (o.members))
               and not exists (select from postrider.follower f
                               where f.consumer_id = v_consumer and f.key = l.ordering_key and f.seq = l.seq)
               and not exists (
                   select from postrider.waiting w
                   where w.consumer_id in (v_consumer, -v_consumer) and w.priority = l.priority
                     and w.due_at = coalesce(l.available_at, l.published_at) and w.seq = l.seq) as delivered
        into m
        from postrider.message l
        where l.id = p_message_id and l.channel = p_channel and (l.target is null or l.target = p_consumer);
        if not found then
            raise exception using errcode = 'PR014',
                message = format('there is no message %s for consumer %s in channel %s', p_message_id, p_consumer, p_channel);
        elsif not m.delivered then
            raise exception using errcode = 'PR012', message = format('redeliver: message %s has not been delivered yet', p_message_id);
        end if;
        v_runs := postrider.park_ended(
            row(v_consumer, p_channel, array[m.xid], null, null, m.published_at, m.published_at,
                case when m.waits then timestamptz 'infinity' end, null)::postrider.ended_place,
            jsonb_build_array(jsonb_build_object('seq', m.seq, 'handler', p_handler, 'outcome', 'delivered')));
        select id, status, deleted_at, source, idempotency_key into d from postrider.delivery where id = v_runs[1].id;
        if not found then
            raise exception using errcode = 'PR011',
                message = format('message %s was not for a handler %L of consumer %s', p_message_id, p_handler, p_consumer);
        end if;
    elsif d.status <> 'delivered' or d.deleted_at is not null then
        raise exception using errcode = 'PR012',
            message = format('redeliver: message %s is %s for %s', p_message_id,
                             case when d.deleted_at is null then d.status else 'discarded' end, p_handler),
            hint = 'Only delivered messages can be redelivered. For a dead letter use postrider.outbox_replay.';
    end if;
    if p_clear_handled then
        delete from postrider.event_handled
        where consumer_name = p_consumer and handler_name = p_handler and source = d.source and idempotency_key = d.idempotency_key;
        get diagnostics v_cleared = row_count;
    end if;
    select r.cycle into v_cycle from postrider.revive(array[d.id], 'delivered', null, p_actor) r;
    perform postrider.require_key('redeliver', array[d.id], null) where v_cycle is null;
    perform postrider.write_audit(
        p_actor, 'redeliver', p_reason,
        jsonb_build_object('ids', jsonb_build_array(p_message_id), 'consumer', p_consumer, 'channel', p_channel, 'handler', p_handler),
        jsonb_build_object('status', 'delivered'),
        jsonb_build_object('delivery', d.id, 'cycle', v_cycle, 'handled_cleared', v_cleared));
    return v_cycle;
end
$$;
