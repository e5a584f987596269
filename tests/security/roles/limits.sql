-- Promises about limits of handlers:
--   keys that are at their limit, however many a producer makes, do not keep messages of other keys from starting
--   neither do retries of a key that is at its limit, and such a retry is written again every ten seconds at most
--   thousands of due deliveries of a key at its limit keep none of another key from starting, also with a higher priority
--   a limit that set_limit() takes never makes a claim fail: not its weights, and not the parts that its period is written with
--   a claim looks at a few buckets of keys that are paid off, however many a producer has made, and claims remove them in time,
--     also when their keys are as long as a producer can make them
--   throttled messages, however many a producer makes, are not read by everyone's reap()
--   the consumers with limits that a role has, however many, are a small part of the work of everyone's reap()
--   the figures, which everyone waits for, list 1000 handlers with limits at most, however many a role has, those of older consumers first
--   a role cannot set or remove a limit of another role's consumer
\ir ../../sql/include/promises.sql
drop role if exists test_limits_producer, test_limits_stranger;
create role test_limits_producer login in role postrider_producer;
create role test_limits_stranger login in role postrider_worker;

-- publish(channel, key, count): as a producer.
create function promise.publish(p_channel text, p_key text, p_count int) returns void
    language sql
    as $$
    insert into postrider.message (channel, event_type, partition_key, payload)
    select p_channel, 'a', p_key, '{}' from generate_series(1, p_count)
    $$;
-- run(worker, limit): claims and settles, and returns the keys of the messages.
create function promise.run(p_worker uuid, p_limit int) returns text[]
    language plpgsql
    as $$
declare
    c record;
begin
    select array_agg(m.partition_key) as keys, min(m.lease_id) as lease_id, (array_agg(m.lease_token))[1] as token into c
    from postrider.claim(p_worker, p_limit) m;
    perform postrider.settle(p_worker, c.lease_id, c.token) where c.lease_id is not null;
    return coalesce(c.keys, '{}');
end
$$;

-- One of 10,000 deliveries of a key runs.
select promise.worker('many_due') as w \gset
select postrider.set_limit('reader', 'test.all', '{"key": "partition_key", "per_key": 1}', p_channel => 'many_due') \g /dev/null
insert into postrider.delivery (
    consumer_id, handler, seq, published_at, message_id, channel, event_type, event_version, occurred_at, source, payload, idempotency_key, partition_key,
    priority, retry, max_crashes, status, failures, attempts, available_at)
select w.consumer_id, 'test.all', n, clock_timestamp(), gen_random_uuid(), 'many_due', 'a', 1, clock_timestamp(), 'test', '{}', n::text,
       case when n > 0 then 'full' else 'other' end, (n > 0)::int, '{}', 5, 'pending', 0, 0, clock_timestamp()
from postrider.worker w, generate_series(0, 10000) n where w.id = :'w';
analyze postrider.delivery;
select set_config('promise.w', :'w', false) \g /dev/null
do $$
declare
    v_keys text[] := '{}';
begin
    for i in 1..8 loop
        v_keys := v_keys || array(select d.partition_key::text from postrider.claim_due(current_setting('promise.w')::uuid, 4) d);
        commit;
    end loop;
    assert v_keys = '{full,other}', v_keys;
    -- A key with few of them is not charged for those of the other one.
    update postrider.delivery set available_at = clock_timestamp(), priority = 0, partition_key = 'few' where channel = 'many_due' and seq between 1 and 3;
    update postrider.delivery set available_at = clock_timestamp(), status = 'pending', priority = 1 where channel = 'many_due' and seq > 3;
    update postrider.delivery set status = 'in_flight', worker_id = current_setting('promise.w')::uuid, lease_token = gen_random_uuid(),
        claimed_at = clock_timestamp(), deadline = clock_timestamp() + interval '1 hour' where channel = 'many_due' and seq in (1, 4);
    commit;
    for i in 1..8 loop
        perform postrider.claim_due(current_setting('promise.w')::uuid, 4);
        commit;
    end loop;
    assert (select max(available_at) < clock_timestamp() + interval '5 seconds' from postrider.delivery
            where channel = 'many_due' and partition_key = 'few' and status = 'pending');
end
$$;

do $$
declare
    v_worker uuid := promise.worker('many_keys');
    v_found boolean := false;
begin
    perform postrider.set_limit('reader', 'test.all', '{"key": "partition_key", "key_rate": {"starts": 1, "period": "1 day"}}',
                                p_channel => 'many_keys');
    insert into postrider.message (channel, event_type, partition_key, payload)
    select 'many_keys', 'a', 'k' || to_char(n % 1100, 'FM0000'), '{}' from generate_series(1, 2200) n;
    commit;
    for i in 1..20 loop
        perform promise.run(v_worker, 200);
        commit;
    end loop;
    assert (select count(*) = 1100 from postrider.waiting where limit_key is not null), 'one message of each key waits for a day';
    -- Between keys that cannot start, further from each of its neighbours than a claim looks.
    perform promise.publish('many_keys', 'k0550x', 1);
    commit;
    for i in 1..10 loop
        v_found := v_found or 'k0550x' = any (promise.run(v_worker, 200));
        commit;
    end loop;
    assert v_found, 'the message of another key has its turn';
end
$$;

do $$
declare
    v_worker uuid := promise.worker('retries', '[{"name": "test.all", "event_types": ["*"], "circuit": {"failures": 100000}}]');
    v_keys text[] := '{}';
    c record;
begin
    perform promise.publish('retries', 'busy', 200);
    perform promise.publish('retries', 'other', 1);
    commit;
    select min(m.lease_id) as lease_id, (array_agg(m.lease_token))[1] as token,
           jsonb_agg(jsonb_build_object('seq', m.seq, 'outcome', 'transient', 'error', 'no', 'delay_ms', 0)) as failures into c
    from postrider.claim(v_worker, 1000) m;
    perform postrider.settle(v_worker, c.lease_id, c.token, '{}', c.failures);
    perform postrider.set_limit('reader', 'test.all', '{"key": "partition_key", "key_rate": {"starts": 1, "period": "1 day"}}',
                                p_channel => 'retries');
    commit;
    -- The first claim starts one of the key; then all of it have to wait.
    for i in 1..8 loop
        v_keys := v_keys || array(select d.partition_key from postrider.claim_due(v_worker, 4) d);
    end loop;
    assert v_keys @> '{busy,other}' and cardinality(v_keys) = 2, v_keys::text;
    assert (select count(*) > 190 and min(d.available_at) > clock_timestamp() + interval '5 seconds'
            from postrider.delivery d where d.status = 'pending' and d.channel = 'retries');
    commit;
end
$$;

do $$
declare
    v_worker uuid := promise.worker('weights');
    v_limit text;
begin
    perform postrider.set_limit('reader', 'test.all', '{"concurrency": 5, "key": "partition_key", "weights": {"k": 1000000}}',
                                p_channel => 'weights');
    perform promise.publish('weights', 'k', 6000);
    commit;
    assert cardinality(promise.run(v_worker, 10000)) = 5;
    commit;
    -- From one to the next the messages that wait stay.
    foreach v_limit in array array[
        '{"concurrency": 1000000, "key": "partition_key", "weights": {"k": 1000000}}',
        '{"rate": {"starts": 1000000, "period": "1 ms", "burst": 1000000}}', '{"rate": {"starts": 1, "period": "30 days", "burst": 1000000}}',
        '{"rate": {"starts": 1, "period": "-2000000000 days 48000000001 hours", "burst": 1000000}}',
        '{"key": "partition_key", "key_rate": {"starts": 1, "period": "-5 years 1820 days", "burst": 1000000}}']
    loop
        begin
            perform postrider.set_limit('reader', 'test.all', v_limit::jsonb, p_channel => 'weights');
        exception when sqlstate 'PR001' then
            continue;
        end;
        perform promise.run(v_worker, 1000);
        perform promise.run(v_worker, 1000);
        perform postrider.next_times(v_worker);
        commit;
        perform postrider.set_limit('reader', 'test.all', '{"concurrency": 5}', p_channel => 'weights');
        perform promise.publish('weights', 'k', 3000);
        perform promise.run(v_worker, 10000);
        commit;
    end loop;
    assert (select bool_and(extract(epoch from l.period) > 0 and extract(day from l.period) >= 0) is not false from postrider.handler_limit l);
end
$$;

do $$
declare
    v_locks int;
begin
    for i in 1..150 loop
        perform promise.worker('many_limits', p_consumer => 'limited' || i);
        perform postrider.set_limit('limited' || i, 'test.all', '{"concurrency": 1}', p_channel => 'many_limits');
        commit;
    end loop;
    perform postrider.reap();
    v_locks := (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid());
    commit;
    assert v_locks < 140, format('%s locks', v_locks);
    -- All have their turn: without threads that could exceed it no limit binds.
    update postrider.worker w set threads = 1;
    commit;
    for i in 1..12 loop
        perform postrider.reap();
        commit;
    end loop;
    assert (select count(*) filter (where c.limited_handlers is null) > 140 from postrider.consumer c where c.channel = 'many_limits');
end
$$;

do $$
declare
    v_worker uuid := promise.worker('buckets');
    v_rows bigint := 0;
    v_before bigint;
begin
    perform postrider.set_limit('reader', 'test.all', '{"key": "partition_key", "key_rate": {"starts": 1000000, "period": "1 ms"}}',
                                p_channel => 'buckets');
    insert into postrider.limit_bucket (consumer_id, key, paid_at)
    select (select id from postrider.consumer where channel = 'buckets'), 'test.all k' || n, now() - interval '1 hour' from generate_series(1, 20000) n;
    perform promise.publish('buckets', 'k', 2500);
    commit;
    for i in 1..250 loop
        v_before := (select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relid = 'postrider.limit_bucket'::regclass);
        perform promise.run(v_worker, 10);
        v_rows := greatest(v_rows, (select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables
                                    where relid = 'postrider.limit_bucket'::regclass) - v_before);
        commit;
    end loop;
    assert v_rows between 1 and 1000, format('a claim looked at %s buckets', v_rows);
    assert (select count(*) < 17500 from postrider.limit_bucket), 'claims remove them';
    insert into postrider.waiting
    select -(select id from postrider.consumer where channel = 'buckets'), 0, false, now(), 900000000 + n, '3', now(), 'test.all k' || n, null
    from generate_series(1, 20000) n;
    commit;
    analyze postrider.waiting;
    v_before := (select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relid = 'postrider.waiting'::regclass);
    -- Each refreshes the limits of some consumers.
    perform postrider.reap() from generate_series(1, 5);
    v_rows := (select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relid = 'postrider.waiting'::regclass) - v_before;
    assert v_rows < 1000, format('reap() looked at %s messages that wait', v_rows);
    delete from postrider.waiting w where w.seq > 900000000;
    perform promise.raises($r$ select postrider.set_limit('reader', 'test.all', '{"key": null}', p_channel => 'buckets') $r$, 'PR001');
end
$$;

do $$
declare
    v_worker uuid := promise.worker('long_keys');
    v_left int;
begin
    perform postrider.set_limit('reader', 'test.all', '{"key": "partition_key", "key_rate": {"starts": 1000000, "period": "1 ms"}}',
                                p_channel => 'long_keys');
    delete from postrider.limit_bucket;
    insert into postrider.limit_bucket (consumer_id, key, paid_at)
    select (select id from postrider.consumer where channel = 'long_keys'), 'test.all ' || rpad('old' || n, 255, 'x'), now() - interval '1 hour'
    from generate_series(1, 20000) n;
    insert into postrider.message (channel, event_type, partition_key, payload)
    select 'long_keys', 'a', rpad('k' || n, 255, 'x'), '{}' from generate_series(1, 10000) n;
    commit;
    for i in 1..40 loop
        perform promise.run(v_worker, 500);
        commit;
    end loop;
    v_left := (select count(*) from postrider.limit_bucket);
    assert v_left < 20000, format('%s buckets of long keys are left', v_left);
end
$$;

do $$
declare
    v_consumer int := (select max(id) from postrider.consumer);
    v_figures jsonb;
begin
    insert into postrider.handler_limit (consumer_id, handler, concurrency)
    select v_consumer, 'test.many' || n, 1 from generate_series(1, 3000) n;
    v_figures := postrider.figures() #> '{figures,limits}';
    assert jsonb_array_length(v_figures) = 1000, format('the figures have %s handlers with limits', jsonb_array_length(v_figures));
    assert v_figures @> '[{"channel": "many_keys", "handler": "test.all"}]', 'an older one is among them';
    delete from postrider.handler_limit where handler like 'test.many%';
end
$$;

set session authorization test_limits_stranger;
select promise.raises($$ select postrider.set_limit('reader', 'test.all', '{"concurrency": 1}', p_channel => 'weights') $$, 'PR010') \g /dev/null
select promise.raises($$ select postrider.remove_limit('reader', 'test.all', p_channel => 'weights') $$, 'PR010') \g /dev/null
set session authorization test_limits_producer;
do $$ begin
    begin perform postrider.set_limit('reader', 'test.all', '{"concurrency": 1}'); assert false; exception when insufficient_privilege then null; end;
end $$;
reset session authorization;
drop role test_limits_producer, test_limits_stranger;
