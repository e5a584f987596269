-- v_open_outbox: the outbox in the words of the Open Outbox Specification: PENDING, CLAIMED, PUBLISHED, DEAD. One row per
-- message and handler; soft-deleted deliveries are not listed. created_at is when the message was published here;
-- published_at is when its handler finished. For a message that was delivered at its first attempt this time is not
-- stored: published_at is then the time from which it could be claimed.
-- Each state is a branch with a constant, so that a query for one state reads only rows in that state.
-- postrider: after outbox
create or replace view postrider.v_open_outbox as
select o.id as event_id, o.event_type, o.payload, 'PENDING'::text as state, o.published_at as created_at,
       o.partition_key, o.ordering_key, o.metadata, o.headers, o.attempts, o.last_error, o.available_at,
       null::timestamptz as claimed_at, null::uuid as claimed_by, null::timestamptz as published_at,
       o.consumer, o.handler, o.attempts_total, o.cycle, o.delivery_id
from postrider.outbox o where o.status = 'pending' and o.deleted_at is null
union all
select o.id, o.event_type, o.payload, 'CLAIMED', o.published_at, o.partition_key, o.ordering_key, o.metadata,
       o.headers, o.attempts, o.last_error, o.available_at, o.claimed_at, o.worker_id, null,
       o.consumer, o.handler, o.attempts_total, o.cycle, o.delivery_id
from postrider.outbox o where o.status = 'in_flight' and o.deleted_at is null
union all
select o.id, o.event_type, o.payload, 'PUBLISHED', o.published_at, o.partition_key, o.ordering_key, o.metadata,
       o.headers, o.attempts, o.last_error, o.available_at, null, null, coalesce(o.delivered_at, o.available_at),
       o.consumer, o.handler, o.attempts_total, o.cycle, o.delivery_id
from postrider.outbox o where o.status = 'delivered' and o.deleted_at is null
union all
select o.id, o.event_type, o.payload, 'DEAD', o.published_at, o.partition_key, o.ordering_key, o.metadata,
       o.headers, o.attempts, o.last_error, o.available_at, null, null, null,
       o.consumer, o.handler, o.attempts_total, o.cycle, o.delivery_id
from postrider.outbox o where o.status = 'failed' and o.deleted_at is null;
