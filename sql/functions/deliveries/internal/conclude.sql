-- conclude(outcomes, worker, bury): ends runs of deliveries; decide() chooses between retry and dead letter.
-- p_outcomes is a JSON array of {"delivery", "token", "outcome", "error", "error_class", "delay_ms"}, numbers also as strings, where
-- outcome is
--   delivered    the handler is done
--   transient    the handler said no: retry with backoff until max_attempts or max_age_ms, then dead
--   terminal     the handler said never: dead at once
--   crashed      the worker died while running it: as transient, with a ceiling of its own
--   snooze       not now: again after delay_ms, uncharged
--   interrupted  shutdown or lost worker before it was done: again at once, uncharged; with the error class worker_lost or
--                lease_expired, which reap() gives, the delivery becomes a suspect
-- Which of transient and terminal one is, the error class and the handler's lists say (classify). While the handler's
-- circuit is not closed a failure is uncharged: what waits for an outage to end does not use up its attempts.
-- p_worker: only what this worker holds (null: anyone's). p_bury: an operator ends them, dead whatever the policy says.
-- Returns: delivery and result: the new status, or lost_lease when the token is not the current one.
-- Raises: PR001 for malformed outcomes.
-- Touches: delivery (update, only of rows in flight under the given token), what run_ended() touches, unique_job; handler (read).
-- postrider: after conclude_delivered, decide, fingerprint, in_outage, release_keys, require_outcomes, run_ended
create or replace function postrider.conclude(
    p_outcomes jsonb, p_worker uuid default null, p_bury boolean default false
) returns table (delivery_id bigint, result text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_delivered bigint[];
    v_ended postrider.ended_run[];
    v_keyed bigint[];  -- messages with a unique key that ended
    v_others record;
begin
    perform postrider.require_outcomes(p_outcomes, '{delivery,token}');
    if p_worker is not null and not p_bury and p_outcomes @> '[{"outcome": "delivered"}]' then
        select d.delivered, d.ended, d.keyed into v_delivered, v_ended, v_keyed
        from postrider.conclude_delivered(p_outcomes, p_worker, v_now) d;
        return query select d.id, 'delivered' from unnest(v_delivered) as d(id);
    end if;
    if cardinality(v_delivered) is distinct from jsonb_array_length(p_outcomes) then
        with reported as materialized (
            select o.* from jsonb_to_recordset(p_outcomes) as o(
                delivery bigint, token uuid, outcome text, error text, error_class text, delay_ms float8)
            where o.delivery not in (select unnest(v_delivered))
        ), decided as materialized (
            select d.id, left(o.error, 8192) as error, left(o.error_class, 255) as error_class, k.state, v.*
            from reported o
            cross join lateral (
                select * from postrider.delivery d
                where d.id = o.delivery and d.lease_token = o.token
                  and d.status is not distinct from 'in_flight'  -- by no index of what is in flight, however small it was
                  and (p_worker is null or d.worker_id = p_worker)
                for update) d
            left join lateral (
                select p.classes, p.honour_terminal from postrider.handler p
                where o.outcome in ('transient', 'terminal') and p.consumer_id = d.consumer_id and p.name = d.handler
                order by p.revision desc limit 1) h on true
            left join postrider.circuit k on k.consumer_id = d.consumer_id and k.handler = d.handler
            cross join lateral postrider.decide(row(
                o.outcome, o.error_class, o.delay_ms, d.attempts, d.max_attempts, d.crashes, d.max_crashes, d.retry,
                coalesce(d.cycle_started_at, d.published_at), h.classes, h.honour_terminal,
                coalesce(k.state, 'closed') <> 'closed' and postrider.in_outage(d.consumer_id, d.handler, k.state, k.failing_since),
                p_bury)::postrider.run, v_now, random()) v
        ), changed as (
            update postrider.delivery d
            set status = o.status, outcome = o.kind,
                attempts = d.attempts - o.uncharged::int, attempts_total = d.attempts_total - o.uncharged::int,
                failures = d.failures + (not p_bury and o.kind in ('transient', 'terminal'))::int,
                crashes = d.crashes + (o.kind = 'crashed')::int, interruptions = d.interruptions + (o.kind = 'interrupted')::int,
                suspect = d.suspect or o.kind = 'interrupted' and coalesce(o.error_class in ('worker_lost', 'lease_expired'), false),
                available_at = case when o.status = 'pending' then o.available_at else d.available_at end,
                first_failed_at = case when o.kind in ('transient', 'terminal', 'crashed')
                                       then coalesce(d.first_failed_at, v_now) else d.first_failed_at end,
                last_error = coalesce(o.error, d.last_error), error_class = coalesce(o.error_class, d.error_class),
                fingerprint = case when o.status = 'failed' then postrider.fingerprint(
                    coalesce(o.error_class, d.error_class), coalesce(o.error, d.last_error)) end,
                delivered_at = case when o.status = 'delivered' then v_now end, dead_at = case when o.status = 'failed' then v_now end,
                claimed_at = null, worker_id = null, lease_token = null, deadline = null
            from decided o where d.id = o.id
            returning d.id, d.status, d.replay_id, o.kind, o.state, d.consumer_id, d.handler, o.error, o.error_class,
                      case when d.unique_key is not null and d.status <> 'pending' then d.seq end as keyed
        )
        select array_agg(e.delivery) as ids, array_agg(e.result) as results, array_agg(e.run) filter (where e.noted) as ended,
               array_agg(e.keyed) filter (where e.keyed is not null) as keyed
        into v_others
        from (select ch.id as delivery, ch.status as result,
                     ch.status = 'failed' or ch.kind = 'transient' or ch.state is not null or ch.replay_id is not null as noted,
                     row(ch.id, ch.consumer_id, ch.handler, ch.kind, ch.status, ch.replay_id, ch.state is not null,
                         ch.error_class, ch.error)::postrider.ended_run as run, ch.keyed from changed ch
              union all
              select o.delivery, 'lost_lease', false, null, null from reported o
              where (o.delivery in (select ch.id from changed ch)) is not true) e;
        v_ended := v_ended || v_others.ended;
        v_keyed := v_keyed || v_others.keyed;
        return query select * from unnest(v_others.ids, v_others.results);
    end if;
    if v_keyed is not null then
        perform postrider.release_keys(v_keyed);
    end if;
    if v_ended is not null then
        perform postrider.run_ended(v_ended, '{}', not p_bury);
    end if;
end
$$;
