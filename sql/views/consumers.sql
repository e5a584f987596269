-- consumers: every consumer, whether it is paused or held, and how far behind it is.
-- `pending` counts deliveries, messages that wait, throttled ones and followers. `failed` is read from the ledger of dead letters. `behind_since` is when the first message for it behind its cursor was published, null when there is none. If the first 1000 messages behind
-- its cursor are for others, it is when the next one was published: the search is bounded.
-- `paused_by`, `paused_reason` and `paused_at` are the audit's, null unless it is paused.
-- `ordering` is set_ordering()'s: none, hold, skip or a time.
-- `owner` is the role whose members may work for it, null while there is none: then the first worker that registers becomes the owner.
-- postrider: after open_leases, behind, dead_letter_counts, ordering_shown
create or replace view postrider.consumers as
select c.name as consumer, c.channel, c.paused, coalesce(c.held_handlers @> c.handlers, false) as held,
       array_remove(c.held_handlers, '') as held_handlers, c.lease_deadline, c.created_at,
       (select count(*) from postrider.handler h where h.consumer_id = c.id and h.retired_at is null) as handlers,
       (select count(*) from postrider.worker w
        where w.consumer_id = c.id and w.alive_until > clock_timestamp()) as workers,
       (select count(*) from postrider.open_leases l where l.consumer_id = c.id) as open_leases,
       (select coalesce(sum(cardinality(l.members)), 0) from postrider.open_leases l
        where l.consumer_id = c.id) as leased,
       (select count(*) from postrider.delivery d where d.consumer_id = c.id and d.status = 'pending')
           + coalesce(waiting.count, 0) + coalesce(behind.count, 0) as pending,
       coalesce(dead.count, 0)::bigint as failed,
       (select b.published_at
        from (select m.xid, m.seq, m.published_at, row_number() over (order by m.xid, m.seq) as n,
                     case when not m.ready then false
                          when m.target is null
                          then c.all_types or m.event_type = any (c.exact_types) or m.event_type like any (c.type_prefixes)
                          else m.target = c.name end as accepted
              from postrider.behind(cur.at) r
              cross join lateral (
                  select m.xid, m.seq, m.published_at, m.target, m.event_type, m.priority = 0 and m.available_at is null as ready
                  from postrider.message m
                  where m.channel = c.channel and (m.xid, m.seq) > (r.from_xid, r.after_seq)
                    and m.xid <= coalesce(r.to_xid, '18446744073709551615') and m.published_at >= cur.floor_at - interval '1 hour'
                  order by m.xid, m.seq limit 1001 offset 0) m
              order by m.xid, m.seq limit 1001) b
        where b.accepted or b.n > 1000
        order by b.xid, b.seq limit 1) as behind_since,
       (select o.role from postrider.consumer_owner o where o.name = c.name) as owner,
       pausing.actor as paused_by, pausing.reason as paused_reason, pausing.at as paused_at,
       postrider.ordering_shown(c.ordered, c.hold_for) as ordering
from postrider.consumer c
-- Computed once for all consumers.
left join (select t.consumer_id, sum(t.count) as count from postrider.dead_letter_counts t group by 1) dead on dead.consumer_id = c.id
left join (select abs(w.consumer_id) as consumer_id, count(*) as count from postrider.waiting w group by 1) waiting on waiting.consumer_id = c.id
left join (select f.consumer_id, count(*) as count from postrider.follower f group by 1) behind on behind.consumer_id = c.id
left join lateral (
    select row(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider.position as at, l.floor_at
    from postrider.lease l where l.consumer_id = c.id order by l.id desc limit 1) cur on true
left join lateral (
    select a.actor, a.reason, a.at from postrider.audit a
    where c.paused and a.action = 'pause_consumer' and a.filter = jsonb_build_object('consumer', c.name, 'channel', c.channel)
    order by a.at desc limit 1) pausing on true;
