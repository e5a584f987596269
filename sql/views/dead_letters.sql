-- dead_letters: dead letters that were neither replayed nor discarded, one row per message and handler. order by
-- dead_at desc, delivery_id for the newest first. Indexes support that order for all dead letters, for a handler (consumer
-- and handler given) and for a group (fingerprint, consumer and handler given).
-- postrider: after readable
create or replace view postrider.dead_letters as
select d.id as delivery_id, d.message_id as id, c.name as consumer, c.channel, d.handler, d.event_type, d.event_version,
       d.source, d.target, d.workspace_id, d.content_class, d.generation, d.dead_at, d.outcome, d.error_class, d.fingerprint,
       d.last_error, d.attempts, d.attempts_total, d.failures, d.crashes, d.interruptions, d.max_attempts, d.cycle,
       d.first_failed_at, d.published_at, d.occurred_at, d.idempotency_key, d.ordering_key, d.partition_key,
       d.trace_context, d.priority::int as priority, d.seq, d.replay_id, d.failure_history, d.history_dropped,
       postrider.readable(d.payload) as payload,
       postrider.readable(d.headers) as headers, d.metadata
from postrider.delivery d
join postrider.consumer c on c.id = d.consumer_id
where d.status = 'failed' and d.deleted_at is null;
