-- workers: every registered worker, whether it is alive, and the number of messages it holds.
-- postrider: after open_leases
create or replace view postrider.workers as
select w.id as worker, c.name as consumer, c.channel, w.generation, w.handlers, w.host, w.version, w.started_at, w.alive_until,
       w.alive_until > clock_timestamp() as alive,
       coalesce(l.leases, 0) as open_leases, coalesce(l.messages, 0) as leased, coalesce(d.count, 0) as deliveries
from postrider.worker w
join postrider.consumer c on c.id = w.consumer_id
-- These two are computed once for all workers.
left join (select o.consumer_id, o.worker_id, count(*) as leases, sum(cardinality(o.members)) as messages
           from postrider.open_leases o group by 1, 2) l
  on l.consumer_id = w.consumer_id and l.worker_id = w.id
left join (select f.worker_id, count(*) as count from postrider.delivery f where f.status = 'in_flight' group by 1) d on d.worker_id = w.id;
