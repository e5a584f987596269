-- Sets whose members have all ended and whose message the database refuses.
select 'warning' as level, format('%s sets cannot publish their message, the first one is %s', count(*), min(s.name)) as what,
       'the database refused it after the last member had ended' as why,
       'postrider sets lists them with the error; correct its cause, and maintenance tries again within a minute' as todo
from postrider.job_sets s where s.completed_at is null and s.open = 0
having count(*) > 0
