-- Promises about views of consumers with many workers and handlers:
--   the workers of a thousand handlers are counted once per consumer, each once, and only those that are alive
--   the open leases of a consumer are read once, not for each of its workers
--   the position of a consumer in the log is looked up once, not for each of its relays
\ir ../include/promises.sql
\ir ../include/long_scans.sql

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

-- 20,000 open leases, a hundred of each worker
do $$
declare
    w uuid := (select w.id from postrider.worker w join postrider.consumer c on c.id = w.consumer_id
               where c.channel = 'many' and cardinality(w.handlers) = 1000 order by w.id limit 1);
begin
    perform promise.publish('many', 2, 't1');
    commit;
    assert (select count(*) = 1 from postrider.claim(w, 1));
    insert into postrider.lease overriding system value
    select r.*
    from postrider.lease l
    cross join lateral (select o.id, row_number() over (order by o.id) as n from postrider.worker o where o.consumer_id = l.consumer_id and o.id <> w and o.alive_until > now() limit 200) o
    cross join generate_series(1, 100) i
    cross join lateral jsonb_populate_record(l, jsonb_build_object('id', l.id + 100 * o.n + i, 'token', gen_random_uuid(), 'worker_id', o.id)) r
    where l.worker_id = w and l.finished_at is null;
end
$$;
do $$
begin
    assert (select count(*) filter (where v.leased = 100 and v.open_leases = 100) = 200 and sum(v.leased) = 20001
            from postrider.workers v where v.channel = 'many'), (select sum(v.leased) from postrider.workers v);
    assert (select sum(t.in_flight) = 20001 from postrider.top_workers t where t.channel = 'many'), (select sum(t.in_flight) from postrider.top_workers t);
end
$$;
