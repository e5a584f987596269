-- outbox: one row per message and handler, with its status. Every branch but the last has a constant status, so
-- a query for one status reads only rows with that status. An insert publishes (outbox_insert).
--   pending    behind the cursor, waiting, a follower, or a delivery that waits
--   in_flight  member of an open lease, or a claimed delivery
--   delivered  before the cursor with no delivery of its own, or a delivered delivery
--   failed     a delivery that is dead
-- A message published to a target for which no handler exists has handler null.
-- Columns have the type text, as those of deliveries, and not their domains: otherwise the planner cannot push
-- conditions down to the tables. Functions in a view run with the rights of the querying role, so the view reads the
-- tables itself and calls only pure functions. readable() is called above the branches: in a branch it would run for each row, also for queries that do
-- not need the payload.
-- postrider: after covers, matches, readable, outbox_insert
create or replace view postrider.outbox as
select u.id, u.channel, u.event_type, u.event_version, u.occurred_at, u.source, u.target, u.content_class, u.generation, u.workspace_id,
       postrider.readable(u.payload) as payload, postrider.readable(u.headers) as headers, u.metadata, u.idempotency_key, u.ordering_key,
       u.partition_key, u.trace_context, u.priority, u.seq, u.published_at, u.consumer, u.handler, u.status, u.attempts, u.attempts_total,
       u.failures, u.crashes, u.interruptions, u.cycle, u.max_attempts, u.available_at, u.claimed_at, u.worker_id, u.deadline,
       u.first_failed_at, u.last_error, u.error_class, u.fingerprint, u.failure_history, u.dead_at, u.delivered_at, u.deleted_at,
       u.delivery_id, u.xid
from (
select m.id, m.channel::text as channel, m.event_type::text as event_type, m.event_version, m.occurred_at, m.source::text as source, m.target::text as target,
       m.content_class::text as content_class,
       m.generation, m.workspace_id, m.payload::json as payload, m.headers::json as headers, m.metadata::jsonb as metadata,
       coalesce(m.idempotency_key, m.id::text) as idempotency_key, m.ordering_key::text as ordering_key,
       m.partition_key::text as partition_key, m.trace_context::text as trace_context, m.priority::int as priority, m.seq, m.published_at, m.consumer, m.handler, m.status,
       (m.status <> 'pending')::int as attempts, (m.status <> 'pending')::int as attempts_total, 0 as failures, 0 as crashes,
       0 as interruptions, 1 as cycle, coalesce(m.max_attempts, m.handler_attempts)::int as max_attempts,
       coalesce(m.available_at, m.published_at) as available_at, m.claimed_at, m.worker_id, m.deadline,
       null::timestamptz as first_failed_at, null::text as last_error, null::text as error_class,
       null::text as fingerprint, '[]'::jsonb as failure_history, null::timestamptz as dead_at,
       null::timestamptz as delivered_at, null::timestamptz as deleted_at, null::bigint as delivery_id, m.xid
from (
    select m.*, c.name as consumer, h.name as handler, h.max_attempts as handler_attempts, 'pending'::text as status,
           null::timestamptz as claimed_at, null::uuid as worker_id, null::timestamptz as deadline
    from postrider.consumer c
    -- Messages that wait have a cursor of their own.
    cross join lateral (values (c.id, false), (-c.id, true)) as s(stream, waits)
    cross join lateral (
        select row(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider.position as at
        from postrider.lease l where l.consumer_id = s.stream order by l.id desc limit 1) cur
    join postrider.message m on m.channel = c.channel and m.xid >= pg_snapshot_xmin((cur.at).done)
      and (m.priority <> 0 or m.available_at is not null) = s.waits
    left join postrider.handler h
      on h.consumer_id = c.id and h.retired_at is null and postrider.matches(m.event_type, h.event_types)
    where not postrider.covers(cur.at, m.xid, m.seq) and m.seq <> all (coalesce(c.cancelled, '{}'))
      and (m.target is null or m.target = c.name)
      and (h.name is not null or m.target is not null)
    union all
    select m.*, c.name, h.name, h.max_attempts, 'pending', null, null, null
    from (select w.consumer_id, w.xid, w.seq, w.published_at from postrider.waiting w
          union all
          select f.consumer_id, f.xid, f.seq, f.published_at from postrider.follower f) w
    join postrider.consumer c on c.id = abs(w.consumer_id)
    join postrider.message m on m.channel = c.channel and m.xid = w.xid and m.seq = w.seq and m.published_at = w.published_at
    left join postrider.handler h
      on h.consumer_id = c.id and h.retired_at is null and postrider.matches(m.event_type, h.event_types)
    union all
    select m.*, c.name, h.name, h.max_attempts, 'in_flight', l.claimed_at, l.worker_id, l.deadline
    from postrider.lease l
    join postrider.consumer c on c.id = abs(l.consumer_id)
    cross join lateral (select min(s) as low, max(s) as high from unnest(l.members) s) bounds
    -- A lease holds messages that waited, or late committers, found one by one, or a range of the log.
    cross join lateral (
        select m.* from unnest((l.taken).xids, (l.taken).seqs) as t(xid, seq)
        join postrider.message m on m.channel = c.channel and m.xid = t.xid and m.seq = t.seq
          and m.published_at between (l.taken).from_at and (l.taken).to_at
        union all
        select m.* from pg_snapshot_xip(l.done_snapshot) x
        join postrider.message m on m.channel = c.channel and m.xid = x
        where l.consumer_id > 0 and l.to_xid < pg_snapshot_xmax(l.done_snapshot) and x between l.from_xid and l.to_xid
        union all
        select m.* from postrider.message m
        where l.consumer_id > 0 and m.channel = c.channel and l.to_xid >= pg_snapshot_xmax(l.done_snapshot)
          and m.xid >= greatest(l.from_xid, pg_snapshot_xmax(l.done_snapshot)) and m.xid <= l.to_xid
          and m.seq between bounds.low and bounds.high) m
    join postrider.handler h on h.consumer_id = c.id and postrider.matches(m.event_type, h.event_types)
    where l.finished_at is null and m.seq = any (l.members)
      and (l.consumer_id < 0 and h.ends is null
           or l.consumer_id < 0 and l.claimed_at between h.registered_at and h.retired_at
              and not exists (select from postrider.handler n
                              where n.consumer_id = c.id and n.name = h.name and n.ends is null
                                and postrider.matches(m.event_type, n.event_types))
           or l.consumer_id > 0 and not postrider.covers(h.starts, m.xid, m.seq)
              and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq)))
      and not exists (select from postrider.delivery d
                      where d.seq = m.seq and c.id in (d.consumer_id, d.origin_id) and d.handler = h.name)
    union all
    select m.*, c.name, h.name, h.max_attempts, 'delivered', null, null, null
    from postrider.consumer c
    cross join lateral (values (c.id, false), (-c.id, true)) as s(stream, waits)
    cross join lateral (
        select row(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider.position as at
        from postrider.lease l where l.consumer_id = s.stream order by l.id desc limit 1) cur
    join postrider.handler h on h.consumer_id = c.id
    join postrider.message m on m.channel = c.channel and postrider.matches(m.event_type, h.event_types)
      and (m.priority <> 0 or m.available_at is not null) = s.waits
    where postrider.covers(cur.at, m.xid, m.seq)
      and (m.target is null or m.target = c.name)
      and not postrider.covers(h.starts, m.xid, m.seq)
      and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq))
      and not exists (select from postrider.lease l
                      where l.consumer_id in (s.stream, case when c.ordered or c.limited then -c.id end) and l.finished_at is null
                        and m.seq = any (l.members))
      and not exists (select from postrider.follower f
                      where f.consumer_id = c.id and f.key = m.ordering_key and f.seq = m.seq)
      and not exists (select from postrider.waiting w
                      where w.consumer_id in (c.id, -c.id) and w.priority = m.priority
                        and w.due_at = coalesce(m.available_at, m.published_at) and w.seq = m.seq)
      and not exists (select from postrider.delivery d
                      where d.seq = m.seq and c.id in (d.consumer_id, d.origin_id) and d.handler = h.name)
) m
union all
select d.message_id, d.channel, d.event_type, d.event_version, d.occurred_at, d.source, d.target,
       d.content_class, d.generation, d.workspace_id, d.payload, d.headers, d.metadata, d.idempotency_key,
       d.ordering_key, d.partition_key, d.trace_context, d.priority::int, d.seq, d.published_at, c.name,
       nullif(d.handler, ''), d.status, d.attempts, d.attempts_total, d.failures, d.crashes,
       d.interruptions, d.cycle, d.max_attempts, d.available_at, d.claimed_at, d.worker_id, d.deadline,
       d.first_failed_at, d.last_error, d.error_class, d.fingerprint, d.failure_history, d.dead_at,
       d.delivered_at, d.deleted_at, d.id, null::xid8
from postrider.delivery d
join postrider.consumer c on c.id = d.consumer_id
) u;

create or replace trigger outbox_insert instead of insert on postrider.outbox
    for each row execute function postrider.outbox_insert();
