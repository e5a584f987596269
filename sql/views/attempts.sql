-- attempts: the failed runs of deliveries, of each the newest 20: when they ended, how, how long they took and in which worker.
-- duration_ms is the worker's measure; of a run that was lost with its worker, the time since it was claimed.
-- Ask for one delivery_id or one id (of a message), which an index finds.
create or replace view postrider.attempts as
select d.id as delivery_id, d.message_id as id, d.workspace_id, c.name as consumer, c.channel, d.handler, a.cycle, a.attempt, a.at,
       a.outcome, a.error_class, a.error, a.duration_ms, a.worker
from postrider.delivery d
join postrider.consumer c on c.id = d.consumer_id
cross join lateral jsonb_to_recordset(d.attempt_history) as a(
    cycle int, attempt int, at timestamptz, outcome text, error_class text, error text, duration_ms float8, worker uuid);
