-- park(consumer_id, items, worker, token): gives messages a delivery row of their own.
-- p_items is a JSON array of {"message": a row of postrider.message, "handler": name or ''}.
-- Without a token the deliveries wait, unstarted, for their due time; with one they are in flight under
-- that token, as first attempts that conclude() is about to decide on.
-- Returns: how many deliveries were made. A (message, handler) that has one already is left as it is.
-- Touches: delivery (insert), handler (read).
create or replace function postrider.park(
    p_consumer_id int, p_items jsonb, p_worker uuid default null, p_token uuid default null
) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_count int;
begin
    -- In a row made from JSON the JSON value null has become SQL's; a payload is never that.
    insert into postrider.delivery (
        consumer_id, handler, status, attempts, attempts_total, max_attempts, crashes_max, retry,
        available_at, claimed_at, claimed_by, lease_token, lease_until, seq, published_at, message_id,
        channel, event_type, event_version, occurred_at, source, target, content_class, generation,
        workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, priority)
    select p_consumer_id, i.handler, case when p_token is null then 'pending' else 'in_flight' end,
           (p_token is not null)::int, (p_token is not null)::int,
           coalesce(m.max_attempts, h.max_attempts, case when i.handler <> '' then 5 end), coalesce(h.crashes_max, 3), coalesce(h.retry, '{}'),
           coalesce(m.available_at, v_now),
           case when p_token is not null then v_now end, p_worker, p_token,
           case when p_token is not null then v_now end,
           m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at, m.source,
           m.target, m.content_class, m.generation, m.workspace_id,
           coalesce(m.payload, 'null'), m.headers, m.metadata,
           coalesce(m.idempotency_key, m.id::text), m.ordering_key, m.partition_key, m.trace_context,
           m.priority
    from jsonb_to_recordset(p_items) as i(message jsonb, handler text)
    cross join lateral jsonb_populate_record(null::postrider.message, i.message) m
    left join lateral (
        select h.* from postrider.handler h
        where h.consumer_id = p_consumer_id and h.name = i.handler
        order by h.revision desc limit 1) h on true
    on conflict on constraint delivery_message_handler_key do nothing;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
