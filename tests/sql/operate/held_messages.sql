-- Promises about figures and views of consumers with many messages that workers hold or that wait:
--   the runs of a thousand handlers with limits are counted in one pass over the messages, and a claim checks limits as quickly when a lease is
--   partly settled
--   the ordering keys of partly settled leases are found in one pass
--   with many consumers or limits, figures count fewer of the messages that wait for each
\ir ../include/promises.sql

-- limit_running() is this for every handler: of each worker its messages, at most as many as it has threads; those of unknown handlers count for all.
create function promise.running(p_consumer int, p_handler text) returns bigint
    language sql
    as $$
    select coalesce(sum(least(h.messages, h.threads)), 0)
    from (select u.threads, sum(u.messages) as messages from postrider.limit_use(p_consumer) u
          where u.handler is null or u.handler = p_handler group by u.worker_id, u.threads) h
    $$;

-- hold(worker, count, key): a lease of a worker with this many messages, of which the oldest hundred are settled. N in the key is a number up to 1000.
create function promise.hold(p_worker uuid, p_count int, p_key text) returns void
    language sql
    as $$
    update postrider.lease l
    set members = array(select generate_series(101, p_count)), taken.seqs = array(select generate_series(1, p_count)),
        taken.xids = array_fill('3'::xid8, array[p_count]),
        taken.keys = array(select replace(p_key, 'N', (1 + n % 1000)::text) from generate_series(1, p_count) n)
    where l.worker_id = p_worker and l.consumer_id < 0 and l.finished_at is null
    $$;

-- limits: three workers, with and without threads
do $$
declare
    v_workers uuid[] := array(select gen_random_uuid() from generate_series(1, 3));
    v_consumer int;
begin
    for i in 1..3 loop
        perform postrider.register_worker(
            v_workers[i], 'lim', (select jsonb_agg(jsonb_build_object(
                'name', 'l.h' || n, 'event_types', array['t' || n], 'limit', '{"per_key": 1000000, "key": "source"}'::jsonb))
                from generate_series(1, 1000) n), 'lim', p_threads => case i when 1 then 7 when 2 then 1000 end);
        perform postrider.publish('t1', p_channel => 'lim', p_available_at => now() - interval '1 hour') from generate_series(1, 2);
        commit;
        perform postrider.exchange_waiting(v_workers[i], 2);
        perform postrider.exchange_waiting(v_workers[i], 2);
        commit;
        perform promise.hold(v_workers[i], 10000 + i, 'l.hN a');
    end loop;
    commit;
    v_consumer := (select id from postrider.consumer where name = 'lim');
    assert (select sum(cardinality(members)) from postrider.open_leases where consumer_id = v_consumer) = 29706;
    -- Messages of the third worker are of unknown handlers.
    update postrider.consumer set limited_from = (select max(id) from postrider.lease where worker_id = v_workers[3]) where id = v_consumer;
    update postrider.lease l set taken.keys = ((l.taken).keys)[:9000] where worker_id = v_workers[3] and consumer_id < 0;
    commit;
end
$$;
set statement_timeout = '5s';
select jsonb_array_length(postrider.limit_figures()) = 1000 as complete \gset
select count(*) = 1000 as listed from postrider.limits \gset
select sum(u.messages) = 29706 as counted from postrider.consumer c cross join lateral postrider.limit_use(c.id) u where c.name = 'lim' \gset
reset statement_timeout;
do $$
declare
    v_consumer constant int := (select id from postrider.consumer where name = 'lim');
    h text;
begin
    foreach h in array '{l.h1,l.h2,l.h4,l.h1000}'::text[] loop
        assert (select l.running from postrider.limits l where l.handler = h) = promise.running(v_consumer, h), h;
        assert (select f ->> 'running' from jsonb_array_elements(postrider.limit_figures()) f where f ->> 'handler' = h)
            = promise.running(v_consumer, h)::text, h;
    end loop;
    assert promise.running(v_consumer, 'l.h1') between 900 and 1100, promise.running(v_consumer, 'l.h1');
end
$$;

-- ordering keys: 100 keys with followers, of which 99 have their head in a lease of 50000 messages; message 1 to 100 of it are settled
do $$
declare
    w uuid := promise.worker('keyed');
begin
    perform postrider.publish('a', p_channel => 'keyed', p_available_at => now() - interval '1 hour') from generate_series(1, 2);
    commit;
    perform postrider.exchange_waiting(w, 2);
    perform postrider.exchange_waiting(w, 2);
    update postrider.consumer set ordered = true where channel = 'keyed';
    perform promise.hold(w, 50000, 'none');
    update postrider.lease l set taken.keys = array(select 'k' || n from generate_series(1, 50000) n)
    where l.worker_id = w and l.consumer_id < 0 and l.finished_at is null;
    insert into postrider.follower (consumer_id, key, seq, xid, segment, published_at)
    select c.id, 'k' || n, 100000 + n, '3', '3', now() from postrider.consumer c, generate_series(100, 199) n where c.channel = 'keyed';
    commit;
end
$$;
set statement_timeout = '5s';
select count(*) = 100 and count(*) filter (where status = 'in_flight' and seq = substr(key, 2)::int) = 99
       and bool_and(key <> 'k100' or status = 'waiting') as found from postrider.blocked_keys where channel = 'keyed' \gset
select count(*) = 49900 as busy from postrider.consumer c cross join lateral postrider.busy_keys(c.id) where c.channel = 'keyed' \gset
reset statement_timeout;
select :'complete' = 't' and :'listed' = 't' and :'counted' = 't' and :'found' = 't' and :'busy' = 't' as right \gset
\if :right
\else
    \echo :complete :listed :counted :found :busy
    do $$ begin raise exception 'a figure or a view is wrong'; end $$;
\endif

-- messages that wait: all figures together count about a million
do $$
declare
    f jsonb;
begin
    assert array(select postrider.rows_counted(n) from unnest('{0,1,20,21,40,41,1000}'::bigint[]) n) = '{50000,50000,50000,25000,25000,12500,781}';
    insert into postrider.waiting (consumer_id, priority, due_at, seq, xid, published_at, limit_key)
    select -c.id, 0, now(), 1000000 + n, '3', now(), 'l.h1 a' from postrider.consumer c, generate_series(1, 9000) n where c.name = 'lim';
    insert into postrider.waiting (consumer_id, priority, due_at, seq, xid, published_at)
    select c.id, 0, now(), 1000000 + n, '3', now() from postrider.consumer c, generate_series(1, 9000) n where c.channel = 'keyed';
    insert into postrider.follower (consumer_id, key, seq, xid, segment, published_at)
    select c.id, 'f', 1000000 + n, '3', '3', now() from postrider.consumer c, generate_series(1, 9000) n where c.channel = 'keyed';
    f := postrider.figures() -> 'figures';
    assert jsonb_path_query_array(f, '$.consumers[*] ? (@.channel == "keyed").pending') = '[18100]', f #> '{totals,deliveries_pending}';
    assert jsonb_path_query_array(f, '$.ordering[*] ? (@.channel == "keyed").followers') = '[9100]', f -> 'ordering';
    assert jsonb_path_query_array(f, '$.limits[*] ? (@.handler == "l.h1").throttled') = '[781]', 'a thousand handlers have limits';
    perform promise.worker('more' || n) from generate_series(1, 100) n;
    update postrider.consumer set ordered = true where channel like 'more%';
    f := postrider.figures() -> 'figures';
    assert jsonb_path_query_array(f, '$.consumers[*] ? (@.channel == "keyed").pending') = '[12502]', f #> '{totals,deliveries_pending}';
    assert jsonb_path_query_array(f, '$.ordering[*] ? (@.channel == "keyed").followers') = '[6250]', 'a hundred consumers are ordered';
end
$$;
