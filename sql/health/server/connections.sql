-- Connections in use, against the limit.
select case when c.used >= 0.95 then 'problem' else 'warning' end as level,
       format('%s of %s connections are in use', c.n, current_setting('max_connections')) as what,
       'at the limit the server refuses new connections, including workers that reconnect' as why,
       'alter system set max_connections = …, and restart; or use fewer connections' as todo
from (select count(*) as n, count(*) / current_setting('max_connections')::float8 as used
      from pg_stat_activity where backend_type = 'client backend') c
where c.used >= 0.8
