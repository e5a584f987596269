-- take_over(consumer_id, failures, succeeded): makes a delivery of each message from a broker whose first attempt failed, with the status
-- that decide() chooses. The arguments are hand_over_many()'s.
-- Such a message is not in the log. Its delivery has a number of the log's sequence that no message of the log gets, and
-- broker_cycle is not null; its cycle begins with that one. The policy is that of the handler's newest revision.
-- Returns: the deliveries it made. A message that has one with the same cycle, here or where a replay moved it, is left as it is.
-- Raises: as require_handed_over().
-- Touches: delivery (insert), handler, circuit (read), and the tables that run_ended() touches; rings.
-- postrider: after require_handed_over, message_uuid, handler_policies, decide, fingerprint, run_ended, ring
create or replace function postrider.take_over(p_consumer_id int, p_failures json, p_succeeded text[])
    returns postrider.ended_run[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set plan_cache_mode = force_generic_plan
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_runs postrider.ended_run[];
begin
    perform postrider.require_handed_over(p_consumer_id, p_failures);
    with handler as materialized (
        select distinct on (h.name) h.*
        from postrider.handler_policies(
            p_consumer_id, (select jsonb_agg(distinct f.handler) from json_to_recordset(p_failures) as f(handler text)), false) h
        order by h.name, h.registered_at desc
    ), parked as (
        insert into postrider.delivery as d (
            consumer_id, handler, status, outcome, attempts, attempts_total, failures, crashes, interruptions, suspect,
            max_attempts, max_crashes, retry, available_at, first_failed_at, last_error, error_class, fingerprint, dead_at, seq,
            published_at, message_id, broker_cycle, cycle, channel, event_type, event_version, occurred_at, source, target, content_class,
            generation, workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key, trace_context,
            priority)
        select p_consumer_id, h.name, (v.is).status, (v.is).kind, 1 - (v.is).uncharged::int, 1 - (v.is).uncharged::int,
               ((v.is).kind in ('transient', 'terminal'))::int, ((v.is).kind = 'crashed')::int, ((v.is).kind = 'interrupted')::int,
               (v.is).kind = 'interrupted' and coalesce(o.error_class in ('worker_lost', 'lease_expired'), false),
               coalesce(m.max_attempts, h.max_attempts), h.max_crashes, h.retry, (v.is).available_at,
               case when (v.is).kind in ('transient', 'terminal', 'crashed') then v_now end,
               left(o.error, 8192), left(o.error_class, 255),
               case when (v.is).status = 'failed' then postrider.fingerprint(left(o.error_class, 255), left(o.error, 8192)) end,
               case when (v.is).status = 'failed' then v_now end,
               nextval(pg_get_serial_sequence('postrider.message', 'seq')), least(m.published_at, v_now),
               postrider.message_uuid(m.id, m.source), coalesce(m.cycle, 1), coalesce(m.cycle, 1), 'broker', m.event_type, coalesce(m.event_version, 1),
               coalesce(m.occurred_at, m.published_at, v_now), coalesce(m.source, ''), m.target, m.content_class, m.generation,
               m.workspace_id, coalesce(m.payload, '{}'), m.headers, m.metadata, coalesce(nullif(m.idempotency_key, ''), m.id),
               m.ordering_key, m.partition_key, m.trace_context, coalesce(m.priority, 0)
        from rows from (json_to_recordset(p_failures) as (
                 message json, handler text, outcome text, error text, error_class text, delay_ms float8))
             with ordinality as o(message, handler, outcome, error, error_class, delay_ms, number)
        cross join lateral json_to_record(o.message) as m(
            id text, cycle int, published_at timestamptz, event_type text, event_version int, occurred_at timestamptz, source text,
            target text, content_class text, generation bigint, workspace_id uuid, payload json, headers json, metadata jsonb,
            idempotency_key text, ordering_key text, partition_key text, trace_context text, priority smallint,
            max_attempts smallint)
        join handler h on h.name = o.handler
        cross join lateral (
            select postrider.decide(row(
                o.outcome, o.error_class, o.delay_ms, 1, coalesce(m.max_attempts, h.max_attempts), 0, h.max_crashes, h.policy,
                least(m.published_at, v_now), h.classes, h.honour_terminal, h.outage, false)::postrider.run, v_now, random()) as is
            offset 0) v
        order by o.number
        on conflict (message_id, (coalesce(origin_id, consumer_id)), handler, broker_cycle) where broker_cycle is not null do nothing
        returning d.id, d.consumer_id, d.handler, d.outcome, d.status, d.error_class, d.last_error
    )
    select coalesce(array_agg(row(
               p.id, p.consumer_id, p.handler, p.outcome, p.status, null,
               exists (select from postrider.circuit k where k.consumer_id = p_consumer_id and k.handler = p.handler),
               p.error_class, p.last_error, 1, null)::postrider.ended_run), '{}')
    into v_runs from parked p;
    perform postrider.run_ended(v_runs, coalesce(p_succeeded, '{}'), true);
    perform postrider.ring('broker') where v_runs <> '{}';
    return v_runs;
end
$$;
