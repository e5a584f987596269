-- park_ended(place, outcomes): makes deliveries of messages whose first attempt ended, with the status that decide() chooses. p_outcomes is
-- settle()'s failures, of any of conclude()'s outcomes, each with the runs that it was repeated after. A handler that is null stands for every
-- handler that the message is owed to; a handler that it is not owed to gets nothing.
-- A message of a lease is owed to the handlers that had begun and not ended at its place in the log; one that waited, to those that were
-- active when it was handed out, retired since or not, and to those that are active now.
-- The effective ceilings are the message's own, else the handler's. The policy is that of the handler's newest revision. Runs before an
-- immediate retry are attempts, unless there is an outage.
-- Returns: the deliveries it made. A (message, handler) that has one already, here or where a replay moved it, is left as it
--   is.
-- Touches: delivery (insert), message, handler, circuit (read). The caller's settings keep it an index look-up.
-- postrider: after decide, handler_policies, fingerprint, matches, covers, attempt_entry, earlier_entries
create or replace function postrider.park_ended(p_place postrider.ended_place, p_outcomes jsonb) returns postrider.ended_run[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_consumer int := p_place.consumer_id;
    v_members bigint[] := p_place.members;
    v_low timestamptz := p_place.floor_at - interval '1 hour';
    v_high timestamptz := p_place.ceiling_at + interval '1 hour';
    v_names jsonb := jsonb_path_query_array(p_outcomes, '$[*].handler ? (@ != null)');
    v_all boolean := jsonb_array_length(v_names) < jsonb_array_length(p_outcomes);
    v_runs postrider.ended_run[];
begin
    -- The handlers are looked up once, however many messages there are. The members are in log order, in which seqs mostly
    -- ascend, so a binary search finds most of them. The others are found by a linear search.
    with handler as materialized (
        select * from postrider.handler_policies(v_consumer, v_names, v_all)
    ), parked as (
        insert into postrider.delivery as d (
            consumer_id, handler, status, outcome, attempts, attempts_total, failures, crashes, interruptions, suspect,
            max_attempts, max_crashes, retry, available_at, first_failed_at, last_error, error_class, fingerprint,
            dead_at, delivered_at, seq, published_at, message_id, channel, event_type, event_version, occurred_at,
            source, target, content_class, generation, workspace_id, payload, headers, metadata, idempotency_key,
            ordering_key, partition_key, trace_context, priority, unique_key, unique_scope, set_id, heads, attempt_history)
        select v_consumer, h.name, v.status, v.kind, n.attempts - v.uncharged::int, n.attempts - v.uncharged::int,
               o.runs - 1 + (v.kind in ('transient', 'terminal'))::int, (v.kind = 'crashed')::int, (v.kind = 'interrupted')::int,
               v.kind = 'interrupted' and coalesce(o.error_class in ('worker_lost', 'lease_expired'), false),
               coalesce(m.max_attempts, h.max_attempts), h.max_crashes, h.retry, v.available_at,
               case when v.kind in ('transient', 'terminal', 'crashed') then v_now end, left(o.error, 8192), left(o.error_class, 255),
               case when v.status = 'failed' then postrider.fingerprint(left(o.error_class, 255), left(o.error, 8192)) end,
               case when v.status = 'failed' then v_now end, case when v.status = 'delivered' then v_now end,
               m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at, m.source, m.target,
               m.content_class, m.generation, m.workspace_id, m.payload, m.headers, m.metadata, coalesce(m.idempotency_key, m.id::text),
               m.ordering_key, m.partition_key, m.trace_context, m.priority, m.unique_key, m.unique_scope, m.set_id,
               case when m.ordering_key is not null and m.priority = 0 and m.available_at is null
                         and exists (select from postrider.consumer c where c.id = v_consumer and c.ordered) then true end,
               coalesce(postrider.earlier_entries(o.earlier, v_now, p_place.worker_id), '[]') || postrider.attempt_entry(
                   v.kind, 1, o.runs, v_now, o.error_class, o.error, o.duration_ms, p_place.worker_id)
        from (select o.*, coalesce(jsonb_array_length(o.earlier), 0) + 1 as runs, random() as u
              from rows from (jsonb_to_recordset(p_outcomes) as (
                       seq bigint, handler text, outcome text, error text, error_class text, delay_ms float8, duration_ms float8,
                       earlier jsonb))
                   with ordinality as o(seq, handler, outcome, error, error_class, delay_ms, duration_ms, earlier, number)) o
        -- One lookup per transaction id: an index scan may skip conditions that are not equalities.
        cross join lateral unnest(coalesce(p_place.near, array[p_place.xids[o.number]])) as x(xid)
        cross join lateral (
            select * from postrider.message m
            where m.channel = p_place.channel and m.xid = x.xid and m.seq = o.seq and m.published_at >= v_low and m.published_at < v_high
            offset 0) m
        join handler h on h.name = coalesce(o.handler, h.name)
        cross join lateral (select case when h.outage then 1 else o.runs end as attempts) n
        cross join lateral postrider.decide(row(
            o.outcome, o.error_class, o.delay_ms, n.attempts, coalesce(m.max_attempts, h.max_attempts), 0, h.max_crashes, h.policy,
            m.published_at, h.classes, h.honour_terminal, h.outage, false)::postrider.run, v_now, o.u) v
        where (v_members[width_bucket(o.seq, v_members)] = o.seq or o.seq = any (v_members) or v_members is null)
          and (not postrider.covers(h.starts, m.xid, m.seq) and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq))
               and (o.handler is not null or p_place.waited_at is null)
               or p_place.waited_at is not null and h.ends is null
               or p_place.waited_at between h.registered_at and h.retired_at)
          and (m.event_type = any (h.event_types) or '*' = any (h.event_types) or postrider.matches(m.event_type, h.event_types))
          and not exists (select from postrider.delivery d
                          where d.seq = m.seq and v_consumer in (d.consumer_id, d.origin_id) and d.handler = h.name)
        on conflict on constraint delivery_message_handler_key do nothing
        returning d.id, d.consumer_id, d.handler, d.outcome, d.status, d.replay_id, d.error_class, d.last_error, d.failures
    )
    select array_agg(row(
               p.id, p.consumer_id, p.handler, p.outcome, p.status, p.replay_id,
               p.handler = any (array(select k.handler from postrider.circuit k where k.consumer_id = v_consumer)),
               p.error_class, p.last_error, p.failures, null)::postrider.ended_run)
    into v_runs from parked p;
    return coalesce(v_runs, '{}');
end
$$;
