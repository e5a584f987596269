-- Dead letters that an operator has to replay or discard.
select case when max(g.last_seen) > clock_timestamp() - interval '1 hour' then 'warning' else 'note' end as level,
       format('%s dead letters of %s handlers, the newest at %s', sum(g.count), count(distinct (g.consumer, g.channel, g.handler)),
              date_trunc('second', max(g.last_seen))) as what,
       'an operator has to replay or discard them' as why, 'postrider dead-letters groups' as todo
from postrider.dead_letter_groups g
having count(*) > 0
