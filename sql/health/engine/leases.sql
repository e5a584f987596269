-- Leases past their deadline.
select case when max(clock_timestamp() - l.deadline) > current_setting('postrider.overdue_after')::interval then 'problem' else 'warning' end as level,
       format('%s messages of %s are in expired leases, the oldest since %s', sum(l.messages), l.consumer,
              date_trunc('second', min(l.deadline))) as what,
       'no running worker takes them back' as why,
       'postrider psql -c ''select * from postrider.reap()''' as todo
from postrider.leases l
where l.deadline < clock_timestamp() - interval '30 seconds'
group by l.consumer, l.channel
