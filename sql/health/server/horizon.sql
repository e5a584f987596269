-- Sessions, standbys, slots and prepared transactions that hold back vacuum longer than postrider.overdue_after.
-- Sessions in other databases do not hold back the horizon of this one; slots and standbys do.
with holder as (
    select 'backend' as kind, a.pid::text as name,
           concat_ws(', ', a.usename, nullif(a.application_name, ''), a.state) as detail,
           extract(epoch from clock_timestamp() - a.xact_start) as seconds,
           greatest(age(a.backend_xmin), age(a.backend_xid)) as xids,
           format('select pg_terminate_backend(%s);', a.pid) as todo
    from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type <> 'autovacuum worker'
      and coalesce(a.backend_xmin, a.backend_xid) is not null
    union all
    select 'standby', coalesce(nullif(a.application_name, ''), a.pid::text), host(a.client_addr), null, age(a.backend_xmin),
           'end the long query on the standby, or set hot_standby_feedback = off there'
    from pg_stat_activity a where a.backend_type = 'walsender' and a.backend_xmin is not null
    union all
    select 'replication slot', s.slot_name, case when s.active then 'active' else 'inactive' end, null, age(s.xmin),
           format('select pg_drop_replication_slot(%L);  -- if it is no longer used', s.slot_name)
    from pg_replication_slots s where s.xmin is not null
    union all
    select 'prepared transaction', p.gid, p.owner, extract(epoch from clock_timestamp() - p.prepared), age(p.transaction),
           format('rollback prepared %L;  -- or commit prepared', p.gid)
    from pg_prepared_xacts p where p.database = current_database()
)
select case when h.seconds > 12 * p.seconds or h.xids > 10000000 then 'problem' else 'warning' end as level,
       format('%s %s%s has held back the horizon for %s', h.kind, h.name, ' (' || nullif(h.detail, '') || ')',
              coalesce(justify_hours(make_interval(secs => floor(h.seconds)))::text, h.xids || ' transactions')) as what,
       'vacuum cannot remove rows that died since: tables grow, scans slow down' as why, h.todo
from holder h
cross join (select extract(epoch from current_setting('postrider.overdue_after')::interval) as seconds) p
where h.seconds > p.seconds or (h.seconds is null and h.xids > 100000)
