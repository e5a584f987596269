-- publish(event_type, payload, …): appends one message to the log in the caller's transaction.
-- The message is visible when the caller commits. A rollback removes it.
-- p_payload: any JSON document of at most 1 MB as jsonb. p_headers and p_metadata: JSON of at most 64 kB each, by convention an
-- object; handlers get the headers, and operators see both. p_available_at and p_priority make the message wait, see
-- exchange_waiting(). p_max_attempts: instead of the handler's.
-- Without an idempotency key, or with an empty one, the id is the key.
-- Returns: the id of the message (p_id, or a new UUID version 7).
-- Raises: PR001 for a missing or malformed argument, PR002 for one that is too large.
-- Touches: message (insert).
-- postrider: grant producer
-- postrider: after message_problem
create or replace function postrider.publish(
    p_event_type text,
    p_payload jsonb default '{}',
    p_source text default '',
    p_target text default null,
    p_channel text default 'outbox_default',
    p_id uuid default null,
    p_event_version int default 1,
    p_occurred_at timestamptz default null,
    p_workspace_id uuid default null,
    p_idempotency_key text default null,
    p_ordering_key text default null,
    p_partition_key text default null,
    p_headers jsonb default null,
    p_metadata jsonb default null,
    p_trace_context text default null,
    p_content_class text default null,
    p_generation bigint default null,
    p_available_at timestamptz default null,
    p_priority int default 0,
    p_max_attempts int default null
) returns uuid
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_id uuid := coalesce(p_id, postrider.uuid_v7());
    v_problem text;
begin
    v_problem := postrider.message_problem(
        p_event_type, p_channel, p_source, p_target, p_payload, p_headers, p_metadata,
        array[p_idempotency_key, p_ordering_key, p_partition_key, p_trace_context, p_content_class],
        p_priority, p_max_attempts);
    if v_problem is not null then
        raise exception using errcode = left(v_problem, 5), message = 'publish: ' || substr(v_problem, 7);
    end if;
    insert into postrider.message (
        id, channel, event_type, event_version, occurred_at, source, target, content_class, generation,
        workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, available_at, priority, max_attempts)
    values (
        v_id, p_channel, p_event_type, coalesce(p_event_version, 1), coalesce(p_occurred_at, clock_timestamp()),
        coalesce(p_source, ''), p_target, p_content_class, p_generation, p_workspace_id,
        coalesce(p_payload, '{}'), p_headers, p_metadata, nullif(p_idempotency_key, ''), p_ordering_key,
        p_partition_key, p_trace_context, p_available_at, coalesce(p_priority, 0), p_max_attempts);
    return v_id;
end
$$;
