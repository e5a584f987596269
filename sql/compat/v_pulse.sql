-- v_pulse: the outbox as a table of jobs: PENDING, RUNNING, RETRYING, COMPLETED, DEAD_LETTERED. One row per message and
-- handler; soft-deleted deliveries are not listed. RETRYING is a pending job that ran before. completed_at is the end of a
-- job, also of a dead one; for a job that was delivered at its first attempt it is the time from which it could be
-- claimed. Each status is a branch with a constant, so that a query for one status reads only rows with that status.
-- postrider: after outbox
create or replace view postrider.v_pulse as
select o.id, o.event_type, o.payload, 'PENDING'::text as status, o.priority, o.attempts, o.max_attempts,
       o.available_at as next_run_at, o.worker_id as locked_by, o.claimed_at as locked_at, o.deadline as lease_until, o.last_error,
       o.published_at as created_at, null::timestamptz as completed_at, o.consumer, o.handler, o.delivery_id
from postrider.outbox o where o.status = 'pending' and o.attempts = 0 and o.deleted_at is null
union all
select o.id, o.event_type, o.payload, 'RETRYING', o.priority, o.attempts, o.max_attempts, o.available_at, null,
       null, null, o.last_error, o.published_at, null, o.consumer, o.handler, o.delivery_id
from postrider.outbox o where o.status = 'pending' and o.attempts > 0 and o.deleted_at is null
union all
select o.id, o.event_type, o.payload, 'RUNNING', o.priority, o.attempts, o.max_attempts, o.available_at,
       o.worker_id, o.claimed_at, o.deadline, o.last_error, o.published_at, null, o.consumer, o.handler,
       o.delivery_id
from postrider.outbox o where o.status = 'in_flight' and o.deleted_at is null
union all
select o.id, o.event_type, o.payload, 'COMPLETED', o.priority, o.attempts, o.max_attempts, o.available_at, null,
       null, null, o.last_error, o.published_at, coalesce(o.delivered_at, o.available_at), o.consumer, o.handler,
       o.delivery_id
from postrider.outbox o where o.status = 'delivered' and o.deleted_at is null
union all
select o.id, o.event_type, o.payload, 'DEAD_LETTERED', o.priority, o.attempts, o.max_attempts, o.available_at,
       null, null, null, o.last_error, o.published_at, o.dead_at, o.consumer, o.handler, o.delivery_id
from postrider.outbox o where o.status = 'failed' and o.deleted_at is null;
