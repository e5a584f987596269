-- insert_member(set_id, number, message): publishes one member of a set. It has an available_at, so it takes the path of messages that
-- wait: the log's own claims never see a member.
-- Returns: its id. Raises: add_to_set()'s. Touches: message, set_member (insert); consumer (read).
-- postrider: after message_problem
create or replace function postrider.insert_member(p_set_id bigint, p_number bigint, p_message jsonb) returns uuid
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_problem text;
    v_consumer int;
    v_seq bigint := nextval('postrider.message_seq_seq');
    v_id uuid;
    m postrider.new_message := jsonb_populate_record(null::postrider.new_message, p_message);
begin
    m.channel := coalesce(m.channel, 'outbox_default');
    v_problem := postrider.message_problem(
        m.event_type, m.channel, m.source, m.target, m.payload, m.headers, m.metadata,
        array[m.idempotency_key, m.ordering_key, m.partition_key, m.trace_context, m.content_class], m.priority, m.max_attempts);
    if v_problem is not null then
        raise exception using errcode = left(v_problem, 5), message = format('add_to_set: member %s: %s', p_number, substr(v_problem, 7));
    elsif m.target is null then
        raise exception using errcode = 'PR001', message = format('add_to_set: member %s needs a target', p_number),
            hint = 'Name the consumer that is to run it.';
    end if;
    select c.id into v_consumer from postrider.consumer c where c.name = m.target and c.channel = m.channel;
    if not found then
        raise exception using errcode = 'PR003',
            message = format('add_to_set: member %s: there is no consumer %s on channel %s', p_number, m.target, m.channel),
            hint = 'Start one of its workers or call postrider.create_consumer first.';
    end if;
    insert into postrider.message (
        seq, id, channel, event_type, event_version, occurred_at, source, target, content_class, generation,
        workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, available_at, priority, max_attempts, set_id)
    overriding system value
    values (
        v_seq, coalesce(m.id, postrider.uuid_v7()), m.channel, m.event_type, coalesce(m.event_version, 1),
        coalesce(m.occurred_at, clock_timestamp()), coalesce(m.source, ''), m.target, m.content_class, m.generation, m.workspace_id,
        coalesce(m.payload, '{}'), m.headers, m.metadata, nullif(m.idempotency_key, ''), m.ordering_key, m.partition_key,
        m.trace_context, coalesce(m.available_at, clock_timestamp()), coalesce(m.priority, 0), m.max_attempts, p_set_id)
    returning id into v_id;
    insert into postrider.set_member (seq, set_id, consumer_id, message_id) values (v_seq, p_set_id, v_consumer, v_id);
    return v_id;
end
$$;
