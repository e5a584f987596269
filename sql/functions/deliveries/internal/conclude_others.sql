-- conclude_others(outcomes, worker, bury, delivered, now): ends the runs that conclude_delivered() left: decide() chooses between retry
-- and dead letter. The first three arguments are conclude()'s; p_delivered are the deliveries that were ended already.
-- Returns: the deliveries and their results, the runs for run_ended(), the messages with a unique key or a set that ended, and the
--   deliveries that ended and that an ordering key waited for.
-- Touches: delivery (update, only of rows in flight under the given token), handler, circuit (read). The caller pins the plan.
-- postrider: after decide, fingerprint, outage_listed, attempt_entry
create or replace function postrider.conclude_others(
    p_outcomes jsonb, p_worker uuid, p_bury boolean, p_delivered bigint[], p_now timestamptz,
    out ids bigint[], out results text[], out ended postrider.ended_run[], out keyed bigint[], out ordered bigint[]
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
begin
    with reported as materialized (
        select o.* from jsonb_to_recordset(p_outcomes) as o(
            delivery bigint, token uuid, outcome text, error text, error_class text, delay_ms float8, duration_ms float8)
        where o.delivery not in (select unnest(p_delivered))
    ), decided as materialized (
        select d.id, left(o.error, 8192) as error, left(o.error_class, 255) as error_class, o.duration_ms, k.state,
               d.failures > 0 and postrider.outage_listed(o.error_class, h.classes -> 'outage') is not true as failed_before,
               d.attempt_history, v.*
        from reported o
        cross join lateral (
            select d.*, postrider.retry_policy(d.retry) as policy, random() as u from postrider.delivery d
            where d.id = o.delivery and d.lease_token = o.token
              and d.status is not distinct from 'in_flight'  -- so that the plan does not use the index of deliveries in flight, however small it was
              and (p_worker is null or d.worker_id = p_worker)
            for update) d
        left join lateral (
            select p.classes, p.honour_terminal from postrider.handler p
            where o.outcome in ('transient', 'terminal') and p.consumer_id = d.consumer_id and p.name = d.handler
            order by p.revision desc limit 1) h on true
        left join postrider.circuit k on k.consumer_id = d.consumer_id and k.handler = d.handler
        cross join lateral postrider.decide(row(
            o.outcome, o.error_class, o.delay_ms, d.attempts, d.max_attempts, d.crashes, d.max_crashes, d.policy,
            coalesce(d.cycle_started_at, d.published_at), h.classes, h.honour_terminal,
            coalesce(k.state, 'closed') <> 'closed', p_bury)::postrider.run, p_now, d.u) v
    ), changed as (
        update postrider.delivery d
        set status = o.status, outcome = o.kind,
            attempts = d.attempts - o.uncharged::int, attempts_total = d.attempts_total - o.uncharged::int,
            failures = d.failures + (not p_bury and o.kind in ('transient', 'terminal'))::int,
            crashes = d.crashes + (o.kind = 'crashed')::int, interruptions = d.interruptions + (o.kind = 'interrupted')::int,
            suspect = d.suspect or o.kind = 'interrupted' and coalesce(o.error_class in ('worker_lost', 'lease_expired'), false),
            available_at = case when o.status = 'pending' then o.available_at else d.available_at end,
            first_failed_at = case when o.kind in ('transient', 'terminal', 'crashed')
                                   then coalesce(d.first_failed_at, p_now) else d.first_failed_at end,
            last_error = coalesce(o.error, d.last_error), error_class = coalesce(o.error_class, d.error_class),
            fingerprint = case when o.status = 'failed' then postrider.fingerprint(
                coalesce(o.error_class, d.error_class), coalesce(o.error, d.last_error)) end,
            delivered_at = case when o.status = 'delivered' then p_now end, dead_at = case when o.status = 'failed' then p_now end,
            attempt_history = case when jsonb_array_length(d.attempt_history) >= 20 then d.attempt_history - 0 else d.attempt_history end
                || postrider.attempt_entry(
                       o.kind, d.cycle, d.attempts, p_now, o.error_class, o.error,
                       coalesce(o.duration_ms, extract(epoch from p_now - d.claimed_at) * 1000), d.worker_id),
            claimed_at = null, worker_id = null, lease_token = null, deadline = null
        from decided o where d.id = o.id
        returning d.id, d.status, d.replay_id, o.kind, o.state, d.consumer_id, d.handler, o.error, o.error_class,
                  case when o.failed_before then (o.attempt_history -> -1 ->> 'at')::timestamptz end as failed_before_at,
                  case when (d.unique_key is not null or d.set_id is not null) and d.status <> 'pending' then d.seq end as keyed,
                  case when d.heads and d.status <> 'pending' then d.id end as ordered
    )
    select array_agg(e.delivery), array_agg(e.result), array_agg(e.run) filter (where e.noted),
           array_agg(e.keyed) filter (where e.keyed is not null), array_agg(e.ordered) filter (where e.ordered is not null)
    into ids, results, ended, keyed, ordered
    from (select ch.id as delivery, ch.status as result,
                 ch.status = 'failed' or ch.kind = 'transient' or ch.state is not null or ch.replay_id is not null as noted,
                 row(ch.id, ch.consumer_id, ch.handler, ch.kind, ch.status, ch.replay_id, ch.state is not null,
                     ch.error_class, ch.error, 1, ch.failed_before_at)::postrider.ended_run as run, ch.keyed, ch.ordered from changed ch
          union all
          select o.delivery, 'lost_lease', false, null, null, null from reported o
          where (o.delivery in (select ch.id from changed ch)) is not true) e;
end
$$;
