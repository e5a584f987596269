-- edit_and_replay(delivery, payload, headers, actor, reason): replaces a dead letter by a new message with another payload or
-- other headers (null: as they were), for the same handler only. If the dead letter had no handler, a handler that takes its type now gets it.
-- Messages are immutable: the new message has its own id and idempotency key, its metadata name the original ("edited_from", "edited_by"), and it is
-- a pending delivery of the handler. The dead letter is
-- discarded and points to it; it has ended for the set that it belongs to.
-- Returns: the id of the new message.
-- Raises: PR012 when the delivery is not a dead letter, or a reader of its dead-letter queue in pgmq has it, PR014 when it does not exist, PR002 too large, PR001 without
--   actor or reason, or when nothing is changed.
-- Touches: delivery, audit and the tables that end_members() touches; handler (read); rings.
-- postrider: grant operator
-- postrider: after adopter, end_members, free_keys, heads_ended, lock_ordered, require_status, message_problem, readable, require_unread_copy, write_audit, ring
create or replace function postrider.edit_and_replay(
    p_delivery bigint, p_payload jsonb, p_headers jsonb, p_actor text, p_reason text
) returns uuid
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_id uuid := postrider.uuid_v7();
    v_now timestamptz := clock_timestamp();
    v_new bigint;
    v_problem text;
    v_heads boolean;
    d postrider.delivery;
    h postrider.handler;
begin
    perform postrider.lock_ordered(array[p_delivery]);
    perform postrider.require_status('edit_and_replay', array[p_delivery], 'failed');
    perform postrider.require_unread_copy('edit_and_replay', array[p_delivery]);
    select * into d from postrider.delivery where id = p_delivery;
    if p_payload is null and p_headers is null then
        raise exception using errcode = 'PR001', message = 'edit_and_replay: give a payload or headers';
    end if;
    v_problem := postrider.message_problem(
        d.event_type, d.channel, d.source, d.target, p_payload, p_headers, d.metadata,
        array[null, d.ordering_key, d.partition_key, d.trace_context, d.content_class], 0, null);
    -- message_problem() measures values from tables as they are stored, compressed.
    if octet_length(p_payload::text) > 1048576 then
        v_problem := 'PR002 payload must have at most 1048576 bytes; store larger documents elsewhere and refer to them';
    elsif octet_length(p_headers::text) > 65536 then
        v_problem := 'PR002 headers must have at most 65536 bytes';
    end if;
    if v_problem is not null then
        raise exception using errcode = left(v_problem, 5), message = 'edit_and_replay: ' || substr(v_problem, 7);
    end if;
    update postrider.delivery
    set deleted_at = v_now, deleted_reason = format('edited and replayed as %s: %s', v_id, p_reason), successor = v_id
    where id = p_delivery;
    -- If the dead letter holds its ordering key, the new message takes its place. Otherwise it waits for the key: after a discard and a restore, a
    -- later message may hold it. Without an ordering key heads is null.
    v_heads := case when d.heads is not null
                    then d.heads and (select c.hold_for is distinct from interval '0' from postrider.consumer c where c.id = d.consumer_id)
                         and postrider.free_keys(d.consumer_id, array[d.ordering_key::text]) <> '{}' end;
    if d.handler = '' then
        h := postrider.adopter(d.consumer_id, d.event_type);
    end if;
    insert into postrider.delivery (
        consumer_id, handler, max_attempts, max_crashes, retry, available_at, seq, published_at, message_id, channel,
        event_type, event_version, occurred_at, source, target, content_class, generation, workspace_id, payload,
        headers, metadata, idempotency_key, ordering_key, partition_key, trace_context, priority, heads)
    values (
        d.consumer_id, coalesce(h.name, d.handler), coalesce(d.max_attempts, h.max_attempts),
        coalesce(h.max_crashes, d.max_crashes), coalesce(h.retry, d.retry), case when v_heads is not false then v_now else 'infinity' end,
        nextval(pg_get_serial_sequence('postrider.message', 'seq')), v_now, v_id, d.channel, d.event_type, d.event_version,
        d.occurred_at, d.source, d.target, d.content_class, d.generation, d.workspace_id,
        coalesce(p_payload::json, d.payload), coalesce(p_headers::json, d.headers),
        coalesce(d.metadata, '{}') || jsonb_build_object('edited_from', d.message_id, 'edited_by', p_actor),
        v_id::text, d.ordering_key, d.partition_key, d.trace_context, d.priority, v_heads)
    returning id into v_new;
    perform postrider.heads_ended(array[p_delivery]);
    perform postrider.ring(c.channel) from postrider.consumer c where c.id = d.consumer_id;
    perform postrider.write_audit(
        p_actor, 'edit_and_replay', p_reason, jsonb_build_object('deliveries', jsonb_build_array(p_delivery)),
        jsonb_build_object('id', d.message_id, 'payload', postrider.readable(d.payload), 'headers', postrider.readable(d.headers)),
        jsonb_build_object('id', v_id, 'delivery', v_new, 'payload', coalesce(p_payload, postrider.readable(d.payload)),
                           'headers', coalesce(p_headers, postrider.readable(d.headers))));
    if d.set_id is not null then
        perform postrider.end_members(array[d.seq]);
    end if;
    return v_id;
end
$$;
