-- Roles that have almost used a quota: a worker or schedule that needs more is refused.
with own as materialized (
    select c.owner, c.consumer, c.channel from postrider.consumers c
), used as (
    select o.owner, 'role_consumers' as quota, 'consumers' as things, count(*) as count from own o group by 1
    union all
    select o.owner, h.quota, h.things, sum(h.count)
    from own o
    join (select a.consumer, a.channel, q.quota, q.things, q.count
          from postrider.handlers a
          cross join lateral (values ('role_handlers', 'handlers', 1),
                                     ('role_event_types', 'event types of handlers', cardinality(a.event_types))) as q(quota, things, count)) h
      using (consumer, channel)
    group by 1, 2, 3
    union all
    select o.owner, 'role_workers', 'live workers', count(*)
    from own o join postrider.workers w using (consumer, channel) where w.alive group by 1
    union all
    select s.owner, 'role_schedules', 'schedules', count(*) from postrider.schedules s group by 1
)
select 'warning' as level, format('%s of %s %s of the role %s are used', u.count, s.value, u.things, u.owner) as what,
       'the server refuses workers and schedules that need more' as why,
       format('remove those that are no longer used, or, as a member of postrider_owner: update postrider.setting set value = %L where name = %L',
              2 * s.value::bigint, s.name) as todo
from used u join postrider.setting s on s.name = u.quota
where u.count >= 0.9 * s.value::bigint and u.owner is not null
