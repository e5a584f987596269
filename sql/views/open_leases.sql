-- open_leases: the leases that are not finished, by the consumers' newest marks (mark_leases), so that leases that were finished
-- long ago cost nothing, also while an old transaction keeps them from being removed. Private.
create or replace view postrider.open_leases as
select c.id as consumer_id, l.id, l.token, l.worker_id, l.members, l.claimed_at, l.deadline
from postrider.consumer c
left join lateral (select m.upto, m.open from postrider.lease_mark m
                   where m.consumer_id = c.id order by m.upto desc limit 1) mark on true
cross join lateral (
    select l.* from postrider.lease l
    where l.consumer_id = c.id and l.finished_at is null and l.id > coalesce(mark.upto, 0)
    union all
    select l.* from unnest(mark.open) as o(id)
    cross join lateral (select * from postrider.lease x
                        where x.consumer_id = c.id and x.id = o.id and x.finished_at is null offset 0) l) l;
