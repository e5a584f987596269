-- attempts: the newest 20 failed runs of each delivery, with the time of their end, outcome, duration and worker. duration_ms
-- is measured by the worker; for a run that was lost with its worker, it is the time since it was claimed.
-- Query it by delivery_id or by id (of a message), for which there are indexes.
create or replace view postrider.attempts as
select d.id as delivery_id, d.message_id as id, d.workspace_id, c.name as consumer, c.channel, d.handler, a.cycle, a.attempt, a.at,
       a.outcome, a.error_class, a.error, a.duration_ms, a.worker
from postrider.delivery d
join postrider.consumer c on c.id = d.consumer_id
cross join lateral jsonb_to_recordset(d.attempt_history) as a(
    cycle int, attempt int, at timestamptz, outcome text, error_class text, error text, duration_ms float8, worker uuid);
