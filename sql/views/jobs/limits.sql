-- limits: the limits of handlers. `definition` is set_limit()'s. `running` is limit_running()'s. `throttled` are the messages that wait for the limit, since
-- `throttled_since`, and `keys` the ten keys with most of them. `binds` says that the limit can bind with the current workers; otherwise claims do
-- not check it, and `running` counts due deliveries alone. `declared`: by workers when they registered, not by set_limit().
-- postrider: after limit_json, limit_running
create or replace view postrider.limits as
select c.name as consumer, c.channel, l.handler, postrider.limit_json(l.definition) as definition,
       coalesce(l.handler = any (c.limited_handlers), false) as binds, l.running,
       t.throttled, t.throttled_since, l.set_at, l.set_by, l.declared, t.keys
from postrider.consumer c
-- limit_running() is called once per consumer: "offset 0" keeps the planner from calling it for every handler.
cross join lateral (
    select l as definition, l.handler, l.key, l.set_at, l.set_by, l.declared, r.running
    from postrider.limit_running(c.id) r
    join postrider.handler_limit l on l.consumer_id = c.id and l.handler = r.handler
    offset 0) l
cross join lateral (
    select coalesce(sum(k.throttled), 0)::bigint as throttled, min(k.since) as throttled_since,
           coalesce(jsonb_agg(jsonb_build_object('key', k.key, 'throttled', k.throttled, 'since', k.since) order by k.n)
                        filter (where k.n <= 10 and l.key is not null), '[]') as keys
    from (select substr(w.limit_key, length(l.handler) + 2) as key, count(*) as throttled, min(w.published_at) as since,
                 row_number() over (order by count(*) desc, w.limit_key) as n
          from postrider.waiting w
          where w.consumer_id = -c.id and w.limit_key >= l.handler || ' ' and w.limit_key < l.handler || '!'
          group by w.limit_key) k) t;
