-- unserving_keeper(channel): the connection that holds the keeper's lock of a channel and does not do the keeper's work.
-- A keeper serves if it is the library's (by role and application name), or if the doorbell is held or waited for.
-- Returns: pid, user and application as text; null when the keeper serves or there is none.
-- postrider: grant operator, viewer, agent
-- postrider: after lock_doorbell, lock_keeper
create or replace function postrider.unserving_keeper(p_channel text) returns text
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
    select format('%s (user %s, application %s)', k.pid, coalesce(a.usename, '?'), coalesce(nullif(a.application_name, ''), '?'))
    from pg_locks k left join pg_stat_activity a on a.pid = k.pid
    where k.locktype = 'advisory' and k.granted and k.objsubid = 2 and k.classid = postrider.lock_keeper()::oid
      and k.objid = (hashtext(p_channel)::bigint & 4294967295)::oid
      and k.database = (select d.oid from pg_database d where d.datname = current_database())
      and not (a.application_name = 'postrider keeper' and pg_has_role(a.usesysid, 'postrider_worker', 'member'))
      and not exists (
          select from pg_locks b
          where b.locktype = 'advisory' and b.mode = 'ExclusiveLock' and b.objsubid = 2 and b.classid = postrider.lock_doorbell()::oid
            and b.objid = k.objid and b.database = k.database)
    order by k.pid
    limit 1
$$;
