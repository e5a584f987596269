-- Fill of the NOTIFY queue, and commits that wait for its lock.
select case when q.usage >= 0.5 then 'problem' else 'warning' end as level,
       format('the NOTIFY queue is %s %% full', round(q.usage::numeric * 100, 1)) as what,
       'when it is full, transactions that send NOTIFY cannot commit' as why,
       'end the listening session that stays in a transaction: select pid, state, xact_start from pg_stat_activity order by xact_start;'
           as todo
from (select pg_notification_queue_usage() as usage) q where q.usage >= 0.05
union all
select 'warning', format('%s sessions wait for the lock that a commit with NOTIFY holds', count(*)),
       'commits with NOTIFY are serialized across the whole cluster',
       'find the application that sends NOTIFY on every commit, in any database; slow storage or a synchronous standby makes it worse'
from pg_locks
where locktype = 'object' and database = 0 and classid = 1262 and objid = 0 and not granted
having count(*) >= 5
