-- leases: messages in flight: open leases of first attempts, and claimed deliveries.
-- postrider: after open_leases
create or replace view postrider.leases as
select 'lease'::text as kind, c.name as consumer, c.channel, l.id, null::text as handler, cardinality(l.members) as messages,
       l.worker_id as worker, w.host, l.claimed_at, l.deadline, l.deadline < clock_timestamp() as overdue,
       coalesce(w.alive_until > clock_timestamp(), false) as worker_alive
from postrider.open_leases l
join postrider.consumer c on c.id = l.consumer_id
left join postrider.worker w on w.id = l.worker_id
union all
select 'delivery', c.name, c.channel, d.id, d.handler, 1, d.worker_id, w.host, d.claimed_at, d.deadline,
       d.deadline < clock_timestamp(), coalesce(w.alive_until > clock_timestamp(), false)
from postrider.delivery d
join postrider.consumer c on c.id = d.consumer_id
left join postrider.worker w on w.id = d.worker_id
where d.status = 'in_flight';
