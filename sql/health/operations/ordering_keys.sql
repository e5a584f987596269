-- Ordering keys that a dead letter holds, and queues behind a key that are long.
select 'warning' as level, format('%s ordering keys of consumer %s are held by dead letters, %s messages wait for them', count(*), b.consumer,
              sum(b.followers)) as what,
       'a dead letter holds its key until it is replayed or discarded, so that no message overtakes it' as why,
       'postrider blocked-keys --consumer ' || b.consumer || '; then replay or discard the dead letters' as todo
from postrider.blocked_keys b where b.status = 'failed' and b.followers > 0
group by b.consumer
union all
select 'warning', format('%s messages of consumer %s wait for the ordering key %s, since %s', b.followers, b.consumer, b.key,
              date_trunc('second', b.since)),
       case b.status when 'failed' then format('the dead letter %s holds the key', b.delivery_id)
                     when 'pending' then format('message %s fails repeatedly', b.id)
                     when 'in_flight' then format('message %s has been running for a long time', b.id)
                     else 'its messages are handled more slowly than they are published' end,
       'postrider blocked-keys --consumer ' || b.consumer
from postrider.blocked_keys b where b.followers >= b.followers_alert
