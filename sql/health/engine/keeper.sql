-- Channels without a keeper that holds the doorbell. While a consumer is behind, its workers poll, and a
-- channel needs no keeper.
select 'warning' as level, format('channel %s has no keeper', c.channel) as what,
       'producers do not send NOTIFY, so its workers find new messages only when they poll' as why,
       'check again in ten seconds; if it persists, the workers receive no notifications (see notify) or do not use the doorbell' as todo
from postrider.channels c
where c.workers > 0 and c.wake = 'doorbell'
  and not exists (select from postrider.consumers s where s.channel = c.channel and s.behind_since is not null)
  and not exists (
      select from pg_locks k
      where k.locktype = 'advisory' and k.granted and k.objsubid = 2 and k.classid = postrider.lock_keeper()::oid
        and k.database = (select oid from pg_database where datname = current_database())
        and k.objid::bigint = (hashtext(c.channel)::bigint & 4294967295))
union all
select 'problem', format('the keeper of channel %s does not hold the doorbell: pid %s', c.channel, k.holder),
       'it holds the keeper lock but not the doorbell, so producers do not send NOTIFY and workers poll',
       format('make that program call postrider.doorbell_hold(), or end its session: select pg_terminate_backend(%s)', split_part(k.holder, ' ', 1))
from postrider.channels c
cross join lateral (select postrider.unserving_keeper(c.channel) as holder) k
where c.wake = 'doorbell' and k.holder is not null
