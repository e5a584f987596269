-- Promises about views of consumers with many workers and handlers:
--   the workers of a thousand handlers are counted once per consumer, each once, and only those that are alive
--   the position of a consumer in the log is looked up once, not for each of its relays
\ir ../include/promises.sql

-- 300 workers of a thousand handlers, one with two handlers, and one that is not alive
do $$
declare
    w uuid := promise.worker('many', (
        select jsonb_agg(jsonb_build_object('name', 'a.' || repeat('x', 60) || n, 'event_types', array['t' || n])) from generate_series(1, 1000) n));
begin
    insert into postrider.worker (id, consumer_id, handlers, host, version, started_at, alive_for, alive_until, login)
    select gen_random_uuid(), o.consumer_id,
           case n when 1 then o.handlers[:2] when 2 then o.handlers || o.handlers[:1] else o.handlers end, o.host, o.version, o.started_at, o.alive_for,
           case when n <> 3 then now() + interval '1 hour' else now() - interval '1 hour' end, o.login
    from postrider.worker o, generate_series(1, 301) n where o.id = w;
    perform promise.worker('few', '[{"name": "a.x", "event_types": ["a"]}]');
    perform promise.publish('many', 3000, 'unwanted');
    commit;
end
$$;
analyze postrider.handler, postrider.worker, postrider.consumer;
set statement_timeout = '5s';
do $$
declare
    v_two constant text[] := (select w.handlers[:2] from postrider.worker w join postrider.consumer c on c.id = w.consumer_id
                              where c.channel = 'many' and cardinality(w.handlers) = 2);
begin
    assert (select array_agg(distinct h.workers order by h.workers) from postrider.handlers h where h.channel = 'many') = '{300,301}';
    assert (select array_agg(h.handler order by h.handler) from postrider.handlers h where h.workers = 301) = (select array_agg(t order by t) from unnest(v_two) t);
    assert (select h.workers from postrider.handlers h where h.channel = 'few') = 1;
    update postrider.worker set alive_until = now() - interval '1 hour'
    where consumer_id = (select id from postrider.consumer where channel = 'few');
    assert (select h.workers from postrider.handlers h where h.channel = 'few') = 0;
    update postrider.handler set broker = '{"direction": "to", "address": "nats://here", "name": "here"}'
    where consumer_id = (select id from postrider.consumer where channel = 'many');
end
$$;
analyze postrider.handler;
do $$
declare
    v_since constant timestamptz := (select n.behind_since from postrider.consumers n where n.channel = 'many');
begin
    assert (select count(*) = 1000 and bool_and(b.behind_since = v_since) from postrider.brokers b where b.channel = 'many'), v_since;
end
$$;
