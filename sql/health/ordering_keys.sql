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
       'the first message of the key is handled for long, or fails again and again', 'postrider blocked-keys --consumer ' || b.consumer
from postrider.blocked_keys b
where b.status <> 'failed' and b.followers >= (select s.value::int from postrider.setting s where s.name = 'followers_alert')
