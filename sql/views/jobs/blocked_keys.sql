-- blocked_keys: the ordering keys that messages wait for, or that a failed message holds, with the head of each: `status` is in_flight while a
-- worker has the message, pending while it is retried, failed when a dead letter holds the key, and waiting when it is about to be handed out.
-- `since` is when the message was handed out, failed first or died. `followers` are the messages behind it.
-- At `followers_alert` of them an alert is raised, see set_followers_alert(), at `alerted_at`; null: no alert.
-- postrider: after open_leases
create or replace view postrider.blocked_keys as
select c.name as consumer, c.channel, k.key, coalesce(d.status, case when l.seq is not null then 'in_flight' end, 'waiting') as status,
       coalesce(d.id, m.id) as id,
       coalesce(d.seq, l.seq) as seq, d.handler, d.delivery_id, coalesce(d.attempts, 0) as attempts, d.error_class,
       coalesce(d.since, l.claimed_at, f.since) as since, d.available_at, d.ends_at, coalesce(f.followers, 0) as followers,
       coalesce(c.followers_alert, (select s.value::int from postrider.setting s where s.name = 'followers_alert')) as followers_alert,
       (select b.alerted_at from postrider.key_backlog b where b.consumer_id = c.id and b.key = k.key) as alerted_at
from postrider.consumer c
cross join lateral (
    select f.key from postrider.follower f where f.consumer_id = c.id
    union
    select d.ordering_key from postrider.delivery d
    where d.consumer_id = c.id and d.heads is not null and d.status <> 'delivered' and d.deleted_at is null
      and (d.status <> 'failed' or d.heads and c.hold_for is distinct from interval '0')) k
left join lateral (
    select d.status, d.message_id as id, d.seq, d.handler, d.id as delivery_id, d.attempts, d.error_class, d.available_at,
           case when d.status = 'failed' then d.dead_at + c.hold_for end as ends_at,
           case d.status when 'failed' then d.dead_at when 'in_flight' then d.claimed_at else d.first_failed_at end as since
    from postrider.delivery d
    where d.consumer_id = c.id and d.ordering_key = k.key and d.heads and d.status <> 'delivered' and d.deleted_at is null
      and (d.status <> 'failed' or c.hold_for is distinct from interval '0')
    order by d.seq, d.id limit 1) d on true
-- Read once for all keys: a consumer may have thousands of messages in open leases.
left join (
    select distinct on (o.consumer_id, t.key) o.consumer_id, t.key, t.seq, t.xid, o.claimed_at, e.from_at, e.to_at
    from postrider.open_leases o
    -- Detoasted once: large arrays are stored out of line.
    cross join lateral (
        select o.members || '{}'::bigint[] as members, (l.taken).seqs || '{}'::bigint[] as seqs, (l.taken).xids, (l.taken).keys,
               (l.taken).from_at, (l.taken).to_at
        from postrider.lease l where l.consumer_id = o.stream and l.id = o.id offset 0) e
    -- A subquery that names an outer query is hashed, an array is searched for each message.
    cross join lateral (
        select t.* from unnest(e.seqs, e.xids, e.keys) as t(seq, xid, key)
        where t.key is not null and (cardinality(e.members) = cardinality(e.seqs) or t.seq in (select unnest(e.members)))
        offset 0) t
    where o.stream = -o.consumer_id
    order by o.consumer_id, t.key, t.seq) l on l.consumer_id = c.id and l.key = k.key and d.seq is null
left join lateral (
    select m.id from postrider.message m
    where m.channel = c.channel and m.xid = l.xid and m.seq = l.seq and m.published_at between l.from_at and l.to_at
    limit 1) m on true
left join lateral (
    select count(*) as followers, min(f.published_at) as since from postrider.follower f
    where f.consumer_id = c.id and f.key = k.key) f on true
where c.ordered;
