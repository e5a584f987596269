-- Schedules whose slot is overdue.
select 'warning' as level, format('%s schedules are overdue, the first one since %s', count(*), date_trunc('second', min(s.next_slot))) as what,
       'every running worker fires schedules: no worker is running, or firing fails' as why, 'start a worker, or read its log; postrider schedule list' as todo
from postrider.schedules s where s.next_slot + s.jitter < clock_timestamp() - interval '1 minute'
having count(*) > 0
