-- pgmq_headers(delivery): the headers of the copy of a dead letter in <queue>_dlq: the attributes of a CloudEvent, as a relay to pgmq
-- writes them. cycle is the next one. If a reader sends the copy to the live queue with its headers, a worker handles it as a new
-- cycle of the same message.
create or replace function postrider.pgmq_headers(p_delivery postrider.delivery) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
begin
    return jsonb_strip_nulls(jsonb_build_object(
        'content-type', 'application/json', 'ce_specversion', '1.0', 'ce_id', p_delivery.message_id, 'ce_type', p_delivery.event_type,
        'ce_source', coalesce(nullif(p_delivery.source, ''), 'postrider'),
        'ce_time', to_char(p_delivery.occurred_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'ce_eventversion', p_delivery.event_version::text, 'ce_idempotencykey', p_delivery.idempotency_key,
        'ce_orderingkey', p_delivery.ordering_key, 'ce_partitionkey', p_delivery.partition_key,
        'ce_workspaceid', p_delivery.workspace_id, 'ce_cycle', (p_delivery.cycle + 1)::text,
        'traceparent', p_delivery.trace_context, 'postrider-headers', p_delivery.headers::text));
end
$$;
