-- publish_many(messages): appends many messages in one statement, in the caller's transaction.
-- p_messages is a JSON array of objects with the keys event_type, payload, source, target, channel, id, event_version, occurred_at,
-- workspace_id, idempotency_key, ordering_key, partition_key, headers, metadata, trace_context, content_class, generation,
-- available_at, priority and max_attempts. They are publish()'s arguments: event_type is required, all others have the same
-- defaults. Unknown keys are refused. COPY is faster for bulk loads.
-- Returns: how many messages were published.
-- Raises: PR001 for a malformed argument, PR002 for more than 10,000 messages or one that is too large.
-- Touches: message (insert).
-- postrider: grant producer
-- postrider: after message_keys, message_problem, unknown_key
create or replace function postrider.publish_many(p_messages jsonb) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_max constant int := 10000;
    v_keys constant text[] := postrider.message_keys();
    v_count int;
    v_problem text;
begin
    if jsonb_typeof(p_messages) is distinct from 'array' then
        raise exception using errcode = 'PR001', message = 'publish_many: expects a JSON array of messages';
    elsif jsonb_array_length(p_messages) > v_max then
        raise exception using errcode = 'PR002',
            message = format('publish_many: %s messages in one call, the limit is %s',
                             jsonb_array_length(p_messages), v_max),
            hint = 'Split the array, or COPY into postrider.message.';
    end if;
    select format('%s publish_many: message %s: %s', left(p.problem, 5), e.n, substr(p.problem, 7))
    into v_problem
    from jsonb_array_elements(p_messages) with ordinality as e(item, n)
    cross join lateral (
        select case when jsonb_typeof(e.item) <> 'object' then 'PR001 is not an object'
                    when e.item - v_keys <> '{}' then 'PR001 ' || postrider.unknown_key(e.item, v_keys, 'a message')
                    else (select postrider.message_problem(
                              m.event_type, coalesce(m.channel, 'outbox_default'), m.source, m.target, m.payload,
                              m.headers, m.metadata,
                              array[m.idempotency_key, m.ordering_key, m.partition_key, m.trace_context,
                                    m.content_class], m.priority, m.max_attempts)
                          from jsonb_populate_record(null::postrider.new_message, e.item) m) end as problem) p
    where p.problem is not null
    limit 1;
    if v_problem is not null then
        raise exception using errcode = left(v_problem, 5), message = substr(v_problem, 7);
    end if;
    insert into postrider.message (
        id, channel, event_type, event_version, occurred_at, source, target, content_class, generation,
        workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, available_at, priority, max_attempts)
    select coalesce(m.id, postrider.uuid_v7()), coalesce(m.channel, 'outbox_default'), m.event_type,
           coalesce(m.event_version, 1), coalesce(m.occurred_at, clock_timestamp()),
           coalesce(m.source, ''), m.target, m.content_class, m.generation, m.workspace_id,
           coalesce(m.payload, '{}'), m.headers, m.metadata, nullif(m.idempotency_key, ''), m.ordering_key,
           m.partition_key, m.trace_context, m.available_at, coalesce(m.priority, 0), m.max_attempts
    from jsonb_array_elements(p_messages) with ordinality as e(item, n)
    cross join lateral jsonb_populate_record(null::postrider.new_message, e.item) m
    order by e.n;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
