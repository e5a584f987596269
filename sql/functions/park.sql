-- park(consumer_id, message, handlers, worker, token): gives a message deliveries of its own, one per handler.
-- Without a token they wait, unstarted, for their due time; with one they are in flight under that token, as first
-- attempts that conclude() is about to decide on. A handler '' stands for one that is not known yet.
-- Returns: the ids of the deliveries it made. A (message, handler) that has one already is left as it is.
-- Touches: delivery (insert), handler (read).
create or replace function postrider.park(
    p_consumer_id int, p_message postrider.message, p_handlers text[],
    p_worker uuid default null, p_token uuid default null
) returns setof bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_started boolean := p_token is not null;
    m alias for p_message;
begin
    return query
    insert into postrider.delivery as d (
        consumer_id, handler, status, attempts, attempts_total, max_attempts, crashes_max, retry,
        available_at, claimed_at, claimed_by, lease_token, lease_until, seq, published_at, message_id,
        channel, event_type, event_version, occurred_at, source, target, content_class, generation,
        workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, priority)
    select p_consumer_id, n.handler, case when v_started then 'in_flight' else 'pending' end,
           v_started::int, v_started::int,
           coalesce(m.max_attempts, h.max_attempts, case when n.handler <> '' then 5 end),
           coalesce(h.crashes_max, 3), coalesce(h.retry, '{}'), coalesce(m.available_at, v_now),
           case when v_started then v_now end, p_worker, p_token, case when v_started then v_now end,
           m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at, m.source,
           m.target, m.content_class, m.generation, m.workspace_id, m.payload, m.headers, m.metadata,
           coalesce(m.idempotency_key, m.id::text), m.ordering_key, m.partition_key, m.trace_context,
           m.priority
    from unnest(p_handlers) as n(handler)
    left join lateral (
        select h.max_attempts, h.crashes_max, h.retry from postrider.handler h
        where h.consumer_id = p_consumer_id and h.name = n.handler
        order by h.revision desc
        limit 1) h on true
    on conflict on constraint delivery_message_handler_key do nothing
    returning d.id;
end
$$;
