-- park(consumer_id, channel, xids, seqs, handlers, floor, ceiling): makes pending deliveries of messages of the consumer's
-- channel.
-- The n-th delivery is of the message at (xids[n], seqs[n]) for handlers[n]; '' stands for one that is not known yet.
-- floor and ceiling are a lease's. The effective ceilings are the message's own, else the handler's newest.
-- Returns: how many it made. A (message, handler) that has a delivery already, here or where a replay moved it, is left as
--   it is.
-- Touches: delivery (insert), message, handler (read). The caller's settings keep it an index look-up.
create or replace function postrider.park(
    p_consumer_id int, p_channel text, p_xids xid8[], p_seqs bigint[], p_handlers text[],
    p_floor_at timestamptz, p_ceiling_at timestamptz
) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_low timestamptz := p_floor_at - interval '1 hour';
    v_high timestamptz := p_ceiling_at + interval '1 hour';
    v_count int;
begin
    insert into postrider.delivery (
        consumer_id, handler, max_attempts, max_crashes, retry, available_at, seq, published_at, message_id, channel,
        event_type, event_version, occurred_at, source, target, content_class, generation, workspace_id, payload,
        headers, metadata, idempotency_key, ordering_key, partition_key, trace_context, priority,
        unique_key, unique_scope, set_id, heads)
    select p_consumer_id, n.handler, coalesce(m.max_attempts, h.max_attempts, case when n.handler <> '' then 5 end),
           coalesce(h.max_crashes, 3), coalesce(h.retry, '{}'), coalesce(m.available_at, clock_timestamp()), m.seq,
           m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at, m.source, m.target,
           m.content_class, m.generation, m.workspace_id, m.payload, m.headers, m.metadata,
           coalesce(m.idempotency_key, m.id::text), m.ordering_key, m.partition_key, m.trace_context,
           m.priority, m.unique_key, m.unique_scope, m.set_id,
           case when m.ordering_key is not null and m.priority = 0 and m.available_at is null
                     and exists (select from postrider.consumer o where o.id = p_consumer_id and o.ordered) then true end
    from unnest(p_xids, p_seqs, p_handlers) as n(xid, seq, handler)
    cross join lateral (
        select * from postrider.message m
        where m.channel = p_channel and m.xid = n.xid and m.seq = n.seq
          and m.published_at >= v_low and m.published_at < v_high
        offset 0) m
    left join lateral (
        select h.max_attempts, h.max_crashes, h.retry
        from postrider.handler h
        where h.consumer_id = p_consumer_id and h.name = n.handler
        order by h.revision desc
        limit 1) h on true
    -- One lookup per message: a join planned while the table was empty would compare each message with every delivery.
    where not exists (
        select from postrider.delivery o
        where o.seq = n.seq and p_consumer_id in (o.consumer_id, o.origin_id) and o.handler = n.handler
        offset 0)
    on conflict on constraint delivery_message_handler_key do nothing;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
