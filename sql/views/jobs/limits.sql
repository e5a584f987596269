-- limits: the limits of handlers. `definition` is set_limit()'s. `running` is how many runs the workers can have with the messages that they hold: of
-- each worker those messages, but at most as many as it has threads. `throttled` are the messages that wait for the limit, since
-- `throttled_since`. `binds` says that the limit can bind with the workers of today; otherwise claims do not look at it, and `running`
-- counts due deliveries alone.
-- postrider: after limit_json, limit_use
create or replace view postrider.limits as
select c.name as consumer, c.channel, l.handler, postrider.limit_json(l) as definition, coalesce(l.handler = any (c.limited_handlers), false) as binds,
       (select coalesce(sum(least(h.messages, h.threads)), 0)::bigint
        from (select u.threads, sum(u.messages) as messages from postrider.limit_use(c.id) u
              where u.handler is null or u.handler = l.handler group by u.worker_id, u.threads) h) as running,
       t.throttled, t.throttled_since, l.set_at, l.set_by
from postrider.handler_limit l
join postrider.consumer c on c.id = l.consumer_id
cross join lateral (
    select count(*) as throttled, min(w.published_at) as throttled_since from postrider.waiting w
    where w.consumer_id = -c.id and w.limit_key >= l.handler || ' ' and w.limit_key < l.handler || '!') t;
