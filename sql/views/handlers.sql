-- handlers: the active handlers of every consumer, their policies, workers, pending and failed deliveries, and circuits.
-- `pending` is counted only when a query selects it, `failed` is read from the ledger of dead letters.
-- `mode_by` and `mode_reason` are the audit's, null while the mode is automatic.
-- postrider: after dead_letter_counts
create or replace view postrider.handlers as
select c.name as consumer, c.channel, h.name as handler, h.event_types, h.retry, h.max_attempts::int as max_attempts,
       h.max_crashes::int as max_crashes, h.classes, h.honour_terminal, h.circuit,
       coalesce(k.state, 'closed') as circuit_state, coalesce(k.mode, 'automatic') as circuit_mode,
       coalesce(k.failures, 0) as failures_in_a_row, coalesce(k.openings, 0) as circuit_openings, k.opened_at,
       k.probe_at, coalesce(k.allowed, 0) as probes_allowed, cardinality(coalesce(k.probes, '{}')) as probes_running,
       k.error_class as circuit_error_class, k.last_error as circuit_error, h.registered_at,
       coalesce(running.count, 0) as workers,
       waiting.count as pending,
       coalesce(dead.count, 0)::bigint as failed,
       waiting.next_due_at, chosen.actor as mode_by, chosen.reason as mode_reason
from postrider.handler h
join postrider.consumer c on c.id = h.consumer_id
-- These two are computed once for all handlers. Most workers of a consumer have the same handlers.
left join (select w.consumer_id, n.handler, sum(w.count)::bigint as count
           from (select o.consumer_id, o.handlers, count(*) as count from postrider.worker o
                 where o.alive_until > clock_timestamp() group by 1, 2) w
           cross join lateral (select distinct h as handler from unnest(w.handlers) h) n
           group by 1, 2) running
  on running.consumer_id = h.consumer_id and running.handler = h.name
left join (select t.consumer_id, t.handler, sum(t.count) as count from postrider.dead_letter_counts t group by 1, 2) dead
  on dead.consumer_id = h.consumer_id and dead.handler = h.name
left join postrider.circuit k on k.consumer_id = h.consumer_id and k.handler = h.name
left join lateral (
    select count(*) as count, min(d.available_at) as next_due_at from postrider.delivery d
    where d.consumer_id = h.consumer_id and d.handler = h.name and d.status = 'pending') waiting on true
left join lateral (
    select a.actor, a.reason from postrider.audit a
    where k.mode <> 'automatic' and a.action in ('hold_handler', 'force_handler')
      and a.filter = jsonb_build_object('consumer', c.name, 'channel', c.channel, 'handler', h.name)
    order by a.at desc limit 1) chosen on true
where h.retired_at is null;
