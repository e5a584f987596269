-- top_workers: running workers with the number of messages they hold.
-- postrider: after workers
create or replace view postrider.top_workers as
select w.worker, w.consumer, w.channel, w.generation, w.host, w.version, w.leased + w.deliveries as in_flight,
       extract(epoch from clock_timestamp() - w.started_at)::float8 as up_seconds
from postrider.workers w
where w.alive
order by w.consumer, w.channel, w.started_at, w.worker;
