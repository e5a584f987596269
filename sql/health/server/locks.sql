-- Advisory locks of Postrider that sessions of other programs hold, one row per session and kind of lock. Producers
-- hold the doorbell in shared mode; operators take the claim and partition locks at times.
select 'problem' as level,
       format('%s held by pid %s (user %s, application %s)',
              case when count(*) > 1 then format('the locks on %s and %s more like it are', min(l.name), count(*) - 1)
                   else format('the lock on %s is', min(l.name)) end,
              l.pid, l.usename, coalesce(nullif(l.application_name, ''), 'unnamed')) as what,
       'that session is not a worker: claims fail or workers poll until it ends; any database user can take an advisory lock' as why,
       format('select pg_terminate_backend(%s); then revoke the pg_advisory_lock functions from PUBLIC, see SECURITY.md', l.pid) as todo
from (select k.pid, k.classid, a.usename, a.application_name,
             case k.classid when postrider.lock_doorbell()::oid then coalesce('the doorbell of ' || c.name, 'a doorbell')
                            when postrider.lock_claims()::oid then 'claims of consumer number ' || k.objid
                            when postrider.lock_keeper()::oid then coalesce('the keeper of ' || c.name, 'a keeper')
                            when postrider.lock_partitions()::oid then 'partitions' when postrider.lock_retention()::oid then 'retention' else 'the tally' end as name,
             k.classid in (postrider.lock_doorbell()::oid, postrider.lock_keeper()::oid) as polled
      from pg_locks k
      join pg_stat_activity a on a.pid = k.pid
      left join postrider.channel_names c on k.objid::bigint = (hashtext(c.name)::bigint & 4294967295)
      where k.locktype = 'advisory' and k.granted and k.objsubid = 2
        and k.classid between postrider.lock_doorbell()::oid and postrider.lock_tally()::oid
        and k.database = (select oid from pg_database where datname = current_database())
        and (k.classid <> postrider.lock_doorbell()::oid or k.mode = 'ExclusiveLock')
        and not pg_has_role(a.usesysid, 'postrider_worker', 'member')) l
where not (pg_has_role(l.usename, 'postrider_operator', 'member') and not l.polled)
group by l.pid, l.usename, l.application_name, l.classid, l.polled
