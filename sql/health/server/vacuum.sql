-- Tables without autovacuum, with more dead rows than live ones, and old transaction ids.
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
where a.age > 2 * current_setting('autovacuum_freeze_max_age')::bigint
