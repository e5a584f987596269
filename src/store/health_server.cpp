#include "store/health.hpp"

namespace postrider::store {
namespace {

constexpr auto settings = R"(
select * from (values
    ('fsync', 'off', 'problem', 'a crash of the machine can destroy the whole database',
     'alter system set fsync = on; select pg_reload_conf();'),
    ('full_page_writes', 'off', 'problem', 'a crash of the machine can leave torn pages behind',
     'alter system set full_page_writes = on; select pg_reload_conf();'),
    ('synchronous_commit', 'off', 'warning',
     'a crash can lose transactions whose commit was reported to the producer',
     'alter system set synchronous_commit = on; select pg_reload_conf();'),
    ('autovacuum', 'off', 'problem', 'dead rows are never removed: every table grows and slows down',
     'alter system set autovacuum = on; select pg_reload_conf();'),
    ('track_counts', 'off', 'problem', 'autovacuum has no statistics and never runs',
     'alter system set track_counts = on; select pg_reload_conf();'),
    ('default_transaction_read_only', 'on', 'problem', 'no message can be published or handled',
     'connect to the new server if the database was moved; otherwise: alter database … reset default_transaction_read_only')
) s(name, bad, level, why, todo)
cross join lateral (select format('%s is %s', s.name, s.bad) as what) w
where current_setting(s.name) = s.bad
union all
select 'default_transaction_isolation', null, 'warning', 'claims require READ COMMITTED and fail at any other level',
       'alter system set default_transaction_isolation = ''read committed''; select pg_reload_conf();',
       'default_transaction_isolation is ' || current_setting('default_transaction_isolation')
where current_setting('default_transaction_isolation') not in ('read committed', 'read uncommitted')
union all
select 'recovery', null, 'problem', 'messages can only be published and claimed on the primary',
       'connect to the primary: add target_session_attrs=read-write to the URL', 'this server is a standby'
where pg_is_in_recovery())";

constexpr auto connections = R"(
select case when c.used >= 0.95 then 'problem' else 'warning' end as level,
       format('%s of %s connections are in use', c.n, current_setting('max_connections')) as what,
       'at the limit the server refuses new connections, including workers that reconnect' as why,
       'alter system set max_connections = …, and restart; or use fewer connections' as todo
from (select count(*) as n, count(*) / current_setting('max_connections')::float8 as used
      from pg_stat_activity where backend_type = 'client backend') c
where c.used >= 0.8)";

// Sessions in other databases do not hold back the horizon of this one; slots and standbys do.
constexpr auto horizon = R"(
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
cross join (select extract(epoch from current_setting('postrider.patience')::interval) as seconds) p
where h.seconds > p.seconds or (h.seconds is null and h.xids > 100000))";

constexpr auto vacuum = R"(
select 'problem' as level, format('autovacuum is switched off for %s', c.oid::regclass) as what,
       'dead rows of this table are never removed' as why,
       format('alter table %s reset (autovacuum_enabled);', c.oid::regclass) as todo
from pg_class c
where c.relnamespace = to_regnamespace('postrider') and c.reloptions::text ~* 'autovacuum_enabled=(f|off|no|0)'
union all
select 'warning',
       format('%s.%s has %s dead rows and %s live ones; last vacuum: %s', t.schemaname, t.relname, t.n_dead_tup, t.n_live_tup,
              coalesce(date_trunc('second', greatest(t.last_vacuum, t.last_autovacuum))::text, 'never')),
       'every scan reads the dead rows: claims and lists slow down',
       format('vacuum (analyze) %I.%I;  -- if dead rows remain, see horizon', t.schemaname, t.relname)
from pg_stat_all_tables t
where t.schemaname = 'postrider' and t.n_dead_tup > 50000 and t.n_dead_tup > t.n_live_tup
union all
select case when a.age > 1500000000 then 'problem' else 'warning' end,
       format('the oldest transaction id of this database is %s transactions old', a.age),
       'at 2,147 million the server refuses writes', 'vacuum (freeze);  -- see horizon for the session that holds it back'
from (select greatest(age(datfrozenxid), mxid_age(datminmxid)) as age
      from pg_database where datname = current_database()) a
where a.age > 2 * current_setting('autovacuum_freeze_max_age')::bigint)";

constexpr auto notify_queue = R"(
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
having count(*) >= 5)";

constexpr auto roles = R"(
select 'problem' as level, 'role ' || r || ' does not exist' as what, 'privileges are granted to it' as why, 'postrider migrate up' as todo
from unnest('{postrider_owner,postrider_producer,postrider_worker,postrider_operator,postrider_viewer}'::text[]) r
where not exists (select from pg_roles where rolname = r)
union all
select 'warning', r.rolname || ' can log in', 'it is a group role: a login with it has more privileges than any user needs',
       format('alter role %I nologin;', r.rolname)
from pg_roles r
where r.rolname in ('postrider_owner', 'postrider_producer', 'postrider_worker', 'postrider_operator', 'postrider_viewer')
  and r.rolcanlogin
union all
select 'problem', format('PUBLIC may execute %s functions of schema postrider, for example %s', count(*), min(p.proname)),
       'the privileges differ from the installed ones',
       'delete from postrider.function_set;  -- then: postrider migrate up'
from pg_proc p
where p.pronamespace = to_regnamespace('postrider')
  and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)
having count(*) > 0
union all
select 'problem', format('%s may not execute %s', g.role_name, g.function_name), 'programs with this role fail',
       'delete from postrider.function_set;  -- then: postrider migrate up'
from (values ('postrider_producer', 'publish'), ('postrider_worker', 'exchange_packed'), ('postrider_worker', 'settle_due'),
             ('postrider_worker', 'exchange_native'),
             ('postrider_operator', 'replay_start'), ('postrider_viewer', 'replay_status')) g(role_name, function_name)
join pg_proc p on p.pronamespace = to_regnamespace('postrider') and p.proname = g.function_name
join pg_roles r on r.rolname = g.role_name
where not has_function_privilege(r.oid, p.oid, 'execute')
union all
select 'note', format('%s is not a member of any role of postrider', current_user), 'most commands fail with this role',
       format('grant postrider_viewer to %I;  -- or producer, worker, operator', current_user)
where not (select rolsuper from pg_roles where rolname = current_user)
  and not exists (select from pg_roles r where r.rolname in ('postrider_owner', 'postrider_producer', 'postrider_worker',
                      'postrider_operator', 'postrider_viewer') and pg_has_role(current_user, r.oid, 'usage')))";

}  // namespace

std::vector<health_check> server_checks() {
    return {
        {"settings", "committed transactions are durable", settings},
        {"connections", "connections are available", connections},
        {"roles", "roles and grants are as installed", roles},
        {"horizon", "no session holds back vacuum", horizon},
        {"vacuum", "dead rows are removed in time", vacuum},
        {"notify queue", "the NOTIFY queue is almost empty", notify_queue},
    };
}

}  // namespace postrider::store
