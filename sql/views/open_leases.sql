-- open_leases: the leases that are not finished, by the newest marks (mark_leases), so that the cost does not grow with
-- finished leases, also while an old transaction keeps vacuum from removing them. `stream` is the consumer_id of the lease:
-- the consumer's id, or its negative for messages that waited. Private.
create or replace view postrider.open_leases as
select c.id as consumer_id, s.stream, l.id, l.token, l.worker_id, l.members, l.claimed_at, l.deadline
from postrider.consumer c
cross join lateral (values (c.id), (-c.id)) as s(stream)
left join lateral (select m.upto, m.open from postrider.lease_mark m
                   where m.consumer_id = s.stream order by m.upto desc limit 1) mark on true
cross join lateral (
    select l.* from postrider.lease l
    where l.consumer_id = s.stream and l.finished_at is null and l.id > coalesce(mark.upto, 0)
    union all
    select l.* from unnest(mark.open) as o(id)
    cross join lateral (select * from postrider.lease x
                        where x.consumer_id = s.stream and x.id = o.id and x.finished_at is null offset 0) l) l;
