-- Sets whose members have all ended and whose message the database refuses.
select 'warning' as level, format('%s sets cannot publish their message, the first one is %s', count(*), min(s.name)) as what,
       min(s.problem) as why, 'remove the cause; maintenance tries again every minute. postrider sets lists them' as todo
from postrider.job_sets s where s.completed_at is null and s.problem is not null
having count(*) > 0
