-- Consumers without workers, behind for longer than postrider.overdue_after, or paused.
-- After the workers of a generation stop, its channel has consumers without workers, or no consumers.
with shown as materialized (select * from postrider.consumers)
select case when n.behind or c.behind_since < clock_timestamp() - current_setting('postrider.overdue_after')::interval then 'problem' else 'warning' end as level,
       format('consumer %s on %s has no running worker: %s', c.consumer, c.channel,
              concat_ws(' and ', 'messages have been waiting since ' || date_trunc('second', c.behind_since),
                        case when c.pending > 0 then c.pending || ' deliveries are waiting' end)) as what,
       'its messages are not handled' as why,
       case when c.channel ~ '^outbox_gen_' then
           format('start a worker for that generation: postrider work --consumer %s --channel %s …', c.consumer, quote_literal(c.channel))
       else format('start its workers: postrider work --consumer %s --channel %s …', c.consumer, quote_literal(c.channel)) end as todo
from shown c
cross join lateral (select c.pending > 0 and c.channel ~ '^outbox_gen_' as behind) n
where c.workers = 0 and not c.paused and (c.behind_since is not null or c.pending > 0)
union all
select 'warning', format('consumer %s on %s has been behind since %s', c.consumer, c.channel, date_trunc('second', c.behind_since)),
       'its messages are handled late',
       'postrider top shows its throughput; start more workers or raise --concurrency'
from shown c
where c.workers > 0 and not c.paused and not c.held and c.behind_since < clock_timestamp() - current_setting('postrider.overdue_after')::interval
union all
select 'note', format('consumer %s on %s is paused', c.consumer, c.channel), 'it receives no messages until an operator resumes it',
       format('postrider consumers resume %s --channel %s --reason …', c.consumer, quote_literal(c.channel))
from shown c where c.paused
