-- park_ended(consumer_id, channel, near, xids, members, floor, ceiling, outcomes): gives messages of the consumer's channel
-- deliveries of their own, as what decide() makes of their first attempts.
-- p_outcomes is settle()'s failures, of any of conclude()'s outcomes. A handler that is null stands for every one the
-- message is owed to; one it is not owed to gets nothing. The n-th message is of transaction xids[n], or without xids of
-- one of `near`. Only of members, unless these are null. floor and ceiling are a lease's.
-- The effective ceilings are the message's own, else the handler's; how a handler judges its newest revision says.
-- Returns: the deliveries it made. A (message, handler) that has one already, here or where a replay moved it, is left as it
--   is.
-- Touches: delivery (insert), message, handler, circuit (read). The caller's settings keep it an index look-up.
-- postrider: after decide, in_outage, fingerprint, matches, covers
create or replace function postrider.park_ended(
    p_consumer_id int, p_channel text, p_near xid8[], p_xids xid8[], p_members bigint[], p_floor_at timestamptz,
    p_ceiling_at timestamptz, p_outcomes jsonb
) returns postrider.ended_run[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_low timestamptz := p_floor_at - interval '1 hour';
    v_high timestamptz := p_ceiling_at + interval '1 hour';
    v_names jsonb := jsonb_path_query_array(p_outcomes, '$[*].handler ? (@ != null)');
    v_all boolean := jsonb_array_length(v_names) < jsonb_array_length(p_outcomes);
    v_runs postrider.ended_run[];
begin
    -- What is known of the handlers is looked up once, however many messages there are. The members are in order of the
    -- log, in which seqs mostly rise: then a binary search finds one, and only where it does not they are compared.
    with handler as materialized (
        select h.name, h.event_types, h.starts, h.ends, p.max_attempts, p.crashes_max, p.retry, p.classes, p.honour_terminal,
               case when k.state <> 'closed' then postrider.in_outage(p_consumer_id, h.name, k.state, k.failing_since)
                    else false end as outage
        from postrider.handler h
        cross join lateral (
            select * from postrider.handler p
            where p.consumer_id = p_consumer_id and p.name = h.name
            order by p.revision desc
            limit 1) p
        left join postrider.circuit k on k.consumer_id = p_consumer_id and k.handler = h.name
        where h.consumer_id = p_consumer_id and (v_all or v_names ? h.name)
    ), parked as (
        insert into postrider.delivery as d (
            consumer_id, handler, status, outcome, attempts, attempts_total, failures, crashes, interruptions,
            max_attempts, crashes_max, retry, available_at, first_failed_at, last_error, error_class, fingerprint,
            dead_at, delivered_at, seq, published_at, message_id, channel, event_type, event_version, occurred_at,
            source, target, content_class, generation, workspace_id, payload, headers, metadata, idempotency_key,
            ordering_key, partition_key, trace_context, priority)
        select p_consumer_id, h.name, (v.is).status, (v.is).kind, 1 - (v.is).uncharged::int, 1 - (v.is).uncharged::int,
               ((v.is).kind in ('failed', 'terminal'))::int, ((v.is).kind = 'crashed')::int,
               ((v.is).kind = 'interrupted')::int, coalesce(m.max_attempts, h.max_attempts), h.crashes_max, h.retry,
               (v.is).available_at, case when (v.is).kind in ('failed', 'terminal', 'crashed') then v_now end,
               left(o.error, 8192), left(o.error_class, 255),
               case when (v.is).status = 'failed' then postrider.fingerprint(left(o.error_class, 255), left(o.error, 8192)) end,
               case when (v.is).status = 'failed' then v_now end, case when (v.is).status = 'delivered' then v_now end,
               m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at, m.source,
               m.target, m.content_class, m.generation, m.workspace_id, m.payload, m.headers, m.metadata,
               coalesce(m.idempotency_key, m.id::text), m.ordering_key,
               m.partition_key, m.trace_context, m.priority
        from rows from (jsonb_to_recordset(p_outcomes) as (
                 seq bigint, handler text, outcome text, error text, error_class text, delay_ms float8))
             with ordinality as o(seq, handler, outcome, error, error_class, delay_ms, number)
        -- One by one: an index scan may leave out what is not an equality.
        cross join lateral unnest(coalesce(p_near, array[p_xids[o.number]])) as x(xid)
        cross join lateral (
            select * from postrider.message m
            where m.channel = p_channel and m.xid = x.xid and m.seq = o.seq
              and m.published_at >= v_low and m.published_at < v_high
            offset 0) m
        join handler h on h.name = coalesce(o.handler, h.name)
        cross join lateral (
            select postrider.decide(
                o.outcome, o.error_class, o.delay_ms, v_now, random(), 1, coalesce(m.max_attempts, h.max_attempts), 0,
                h.crashes_max, h.retry, m.published_at, h.classes, h.honour_terminal, h.outage, false) as is
            offset 0) v
        where (p_members[width_bucket(o.seq, p_members)] = o.seq or o.seq = any (p_members) or p_members is null)
          and (m.event_type = any (h.event_types) or '*' = any (h.event_types)
               or postrider.matches(m.event_type, h.event_types))
          and not postrider.covers(h.starts, m.xid, m.seq)
          and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq))
          and not exists (
              select from postrider.delivery d
              where d.seq = m.seq and p_consumer_id in (d.consumer_id, d.origin_id) and d.handler = h.name)
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
