-- workers: every registered worker, whether it is alive, and the number of messages it holds.
-- postrider: after open_leases
create or replace view postrider.workers as
select w.id as worker, c.name as consumer, c.channel, w.generation, w.handlers, w.host, w.version, w.started_at, w.alive_until,
       w.alive_until > clock_timestamp() as alive,
       (select count(*) from postrider.open_leases l where l.consumer_id = c.id and l.worker_id = w.id) as open_leases,
       (select coalesce(sum(cardinality(l.members)), 0) from postrider.open_leases l
        where l.consumer_id = c.id and l.worker_id = w.id) as leased,
       (select count(*) from postrider.delivery d where d.worker_id = w.id and d.status = 'in_flight') as deliveries
from postrider.worker w
join postrider.consumer c on c.id = w.consumer_id;
