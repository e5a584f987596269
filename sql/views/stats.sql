-- stats: totals of all consumers, in one row.
-- postrider: after consumers, leases, handlers, replays, unsent_alerts, partitions
create or replace view postrider.stats as
select count(*) as consumers, count(*) filter (where c.paused) as consumers_paused, coalesce(sum(c.workers), 0) as workers,
       coalesce(sum(c.leased), 0) + (select count(*) from postrider.leases l where l.kind = 'delivery') as in_flight,
       coalesce(sum(c.pending), 0) as deliveries_pending, coalesce(sum(c.failed), 0) as dead_letters,
       (select count(*) from postrider.handlers h where h.circuit_state <> 'closed') as circuits_not_closed,
       (select count(*) from postrider.replays r where r.ended_at is null) as replays_active,
       (select count(*) from postrider.unsent_alerts) as alerts_unsent,
       (select count(*) from postrider.partitions()) as partitions, min(c.behind_since) as behind_since,
       coalesce(extract(epoch from clock_timestamp() - min(c.behind_since)), 0)::float8 as behind_seconds
from postrider.consumers c;
