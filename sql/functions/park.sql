-- park(consumer_id, channel, xids, seqs, handlers, floor, ceiling, outcomes): gives messages of the consumer's channel
-- deliveries of their own.
-- The n-th delivery is of the message at (xids[n], seqs[n]) for handlers[n]; '' stands for one that is not known yet.
-- Without outcomes they wait, unstarted, for their due time. With them, the n-th element of a JSON array of conclude()'s
-- says how the first attempt ended, and decide() what follows; a handler that is null then stands for every one the
-- message is owed to, and one it is not owed to gets nothing. floor and ceiling are a lease's.
-- The effective ceilings are the message's own, else the handler's.
-- Returns: the deliveries it made. A (message, handler) that has one already is left as it is.
-- Touches: delivery (insert), message, handler, circuit (read). The caller's settings keep it an index look-up.
-- postrider: after decide, in_outage, fingerprint, matches, covers, readable
create or replace function postrider.park(
    p_consumer_id int, p_channel text, p_xids xid8[], p_seqs bigint[], p_handlers text[],
    p_floor_at timestamptz, p_ceiling_at timestamptz, p_outcomes jsonb default null
) returns postrider.ended_run[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_low timestamptz := p_floor_at - interval '1 hour';
    v_high timestamptz := p_ceiling_at + interval '1 hour';
    v_runs postrider.ended_run[];
begin
    -- What is known of the handlers is looked up once, however many messages there are: who was owed what, and how the
    -- newest revision judges.
    with handler as materialized (
        select h.name, h.event_types, h.starts, h.ends, h.revision = p.revision as newest, p.max_attempts, p.crashes_max,
               p.retry, p.classes, p.honour_terminal,
               case when k.state <> 'closed' and p_outcomes is not null
                    then postrider.in_outage(p_consumer_id, h.name, k.state, k.failing_since) else false end as outage
        from postrider.handler h
        cross join lateral (
            select * from postrider.handler p
            where p.consumer_id = p_consumer_id and p.name = h.name
            order by p.revision desc
            limit 1) p
        left join postrider.circuit k on k.consumer_id = p_consumer_id and k.handler = h.name
        where h.consumer_id = p_consumer_id
          and (h.name = any (p_handlers) or array_position(p_handlers, null) is not null)
    ), parked as (
        insert into postrider.delivery as d (
            consumer_id, handler, status, outcome, attempts, attempts_total, failures, crashes, interruptions,
            max_attempts, crashes_max, retry, available_at, first_failed_at, last_error, error_class, fingerprint,
            dead_at, delivered_at, seq, published_at, message_id, channel, event_type, event_version, occurred_at,
            source, target, content_class, generation, workspace_id, payload, headers, metadata, idempotency_key,
            ordering_key, partition_key, trace_context, priority)
        select p_consumer_id, coalesce(h.name, n.handler), coalesce(v.status, 'pending'), v.kind,
               coalesce(1 - v.uncharged::int, 0), coalesce(1 - v.uncharged::int, 0),
               coalesce((v.kind in ('failed', 'terminal'))::int, 0), coalesce((v.kind = 'crashed')::int, 0),
               coalesce((v.kind = 'interrupted')::int, 0),
               coalesce(m.max_attempts, h.max_attempts, case when n.handler <> '' then 5 end),
               coalesce(h.crashes_max, 3), coalesce(h.retry, '{}'), coalesce(v.available_at, m.available_at, v_now),
               case when v.kind in ('failed', 'terminal', 'crashed') then v_now end, v.error, v.error_class,
               case when v.status = 'failed' then postrider.fingerprint(v.error_class, v.error) end,
               case when v.status = 'failed' then v_now end, case when v.status = 'delivered' then v_now end,
               m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at, m.source,
               m.target, m.content_class, m.generation, m.workspace_id, postrider.readable(m.payload),
               postrider.readable(m.headers), m.metadata, coalesce(m.idempotency_key, m.id::text), m.ordering_key,
               m.partition_key, m.trace_context, m.priority
        from unnest(p_xids, p_seqs, p_handlers) with ordinality as n(xid, seq, handler, number)
        cross join lateral (
            select * from postrider.message m
            where m.channel = p_channel and m.xid = n.xid and m.seq = n.seq
              and m.published_at >= v_low and m.published_at < v_high
            offset 0) m
        left join handler h
            on h.name = coalesce(n.handler, h.name)
               and case when p_outcomes is null then h.newest
                        else postrider.matches(m.event_type, h.event_types)
                             and not postrider.covers(h.starts, m.xid, m.seq)
                             and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq)) end
        left join lateral (
            select (i.decided).kind, (i.decided).uncharged, (i.decided).status, (i.decided).available_at,
                   left(i.item ->> 'error', 8192) as error, left(i.item ->> 'error_class', 255) as error_class
            from (
                select i.item, postrider.decide(
                           i.item ->> 'outcome', i.item ->> 'error_class', (i.item ->> 'delay_ms')::float8, v_now,
                           random(), 1, coalesce(m.max_attempts, h.max_attempts), 0, h.crashes_max, h.retry,
                           m.published_at, h.classes, h.honour_terminal, h.outage, false) as decided
                from (select p_outcomes -> (n.number - 1)::int as item) i
                where p_outcomes is not null
                offset 0) i
            offset 0) v on true
        where h.name is not null or p_outcomes is null
        on conflict on constraint delivery_message_handler_key do nothing
        returning d.id, d.consumer_id, d.handler, d.outcome, d.status, d.replay_id, d.error_class, d.last_error
    )
    select array_agg(row(
               p.id, p.consumer_id, p.handler, p.outcome, p.status, p.replay_id,
               p.handler = any (array(select k.handler from postrider.circuit k where k.consumer_id = p_consumer_id)),
               p.error_class, p.last_error)::postrider.ended_run)
    into v_runs
    from parked p;
    return coalesce(v_runs, '{}');
end
$$;
