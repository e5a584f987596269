-- packed(message): the fields of a message that a worker gets, as the binary form of a row: (seq, id, event_type, occurred_at,
-- source, payload) if its version is 1 and it has nothing else, otherwise (seq, id, event_type, event_version, occurred_at,
-- source, target, workspace_id, payload, headers, idempotency_key, ordering_key, partition_key, trace_context, content_class,
-- generation, max_attempts).
-- Every field costs time to make, to send and to read, even one that is null; and the seventh takes as long as two: the
-- memory for a row seems to outgrow the block that PostgreSQL keeps for the next one. One expression, so that it is
-- inlined; it has few row expressions, because PostgreSQL describes each of them again when a statement starts.
create or replace function postrider.packed(p_message postrider.message) returns bytea
    language sql stable
    as $$
    select case
        when pg_catalog.num_nonnulls(
                 (p_message).target, (p_message).workspace_id, (p_message).headers, (p_message).idempotency_key,
                 (p_message).ordering_key, (p_message).partition_key, (p_message).trace_context,
                 (p_message).content_class, (p_message).generation, (p_message).max_attempts) = 0
             and (p_message).event_version = 1
        then pg_catalog.record_send(row(
            (p_message).seq, (p_message).id, (p_message).event_type, (p_message).occurred_at,
            (p_message).source, (p_message).payload))
        else pg_catalog.record_send(row(
            (p_message).seq, (p_message).id, (p_message).event_type, (p_message).event_version,
            (p_message).occurred_at, (p_message).source, (p_message).target, (p_message).workspace_id,
            (p_message).payload, (p_message).headers, (p_message).idempotency_key, (p_message).ordering_key,
            (p_message).partition_key, (p_message).trace_context, (p_message).content_class,
            (p_message).generation, (p_message).max_attempts))
    end
    $$;
