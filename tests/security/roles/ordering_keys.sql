-- Promises about a backlog of many ordering keys, which a producer can make with one transaction:
--   no claim notes more than 5,000 messages, nor hands out more than it was asked for, so claims end in time
--   all messages are handed out, once, each key in its order, and next_times() tells a worker to ask as long as there are some
--   followers of keys whose first message failed, however many, are not looked at by the claims of other keys
--   deliveries of keys that are retried, however many, are not looked at by the reports of other keys
--   messages behind deliveries that are replayed do not make workers claim again and again
--   holds of keys that end at one time are a bounded part of everyone's reap()
--   a viewer's page of blocked keys is read by its keys, however many others there are, and however many dead letters hold no key
--   neither that page nor the view reads the open leases again for each key
--   queues behind any number of keys raise a few alerts at a time, and everyone's maintenance looks at a part of them
--   large messages of a key are handed out in chains like small ones, up to the first that is too large, which becomes a dead letter in its turn
\ir ../../sql/include/promises.sql
drop role if exists test_keys_producer;
create role test_keys_producer login in role postrider_producer;
select set_config('promise.w', promise.worker('keys')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'keys', p_ordering => 'hold') \g /dev/null
set session authorization test_keys_producer;
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'keys', 'a', 'key' || n % 2600, jsonb_build_object('n', n) from generate_series(1, 5200) n;
reset session authorization;
create table promise.seen (at serial, n int, key text);
do $$
declare
    v_worker uuid := current_setting('promise.w');
    v_noted int := 0;
    v_most int := 0;  -- that one claim noted
    v_idle int := 0;
    m record;
begin
    while v_idle < 20 loop
        with c as (select * from postrider.claim(v_worker, 500)),
             s as (insert into promise.seen (n, key) select (c.payload ->> 'n')::int, c.ordering_key from c)
        select min(c.lease_id) as lease_id, (array_agg(c.lease_token))[1] as token into m from c;
        commit;
        v_most := greatest(v_most, (select count(*) from postrider.follower) - v_noted);
        select count(*) into v_noted from postrider.follower;
        if exists (select from postrider.follower where ready and segment < (postrider.noted_before(follower.consumer_id)).segment
                   and key not in (select b from postrider.busy_keys(follower.consumer_id) b)) then
            assert postrider.next_waiting((select id from postrider.consumer where channel = 'keys')) <= clock_timestamp();
        end if;
        v_idle := case when m.lease_id is null then v_idle + 1 else 0 end;
        perform postrider.settle(v_worker, m.lease_id, m.token) where m.lease_id is not null;
        commit;
    end loop;
    assert v_most between 1 and 5000, format('one claim noted %s messages', v_most);
    assert (select count(*) = 5200 and count(distinct n) = 5200 from promise.seen), (select count(*) from promise.seen);
    assert not exists (select from promise.seen a join promise.seen b on a.key = b.key and a.n < b.n and a.at > b.at), 'in the order of their keys';
    assert not exists (select from postrider.follower);
end
$$;

select set_config('promise.w', promise.worker('poison')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'poison', p_ordering => 'hold') \g /dev/null
set session authorization test_keys_producer;
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'poison', 'a', 'key' || n % 200, '{}' from generate_series(1, 10400) n;
reset session authorization;
do $$
declare
    v_worker uuid := current_setting('promise.w');
    v_ready int;
    c record;
begin
    for i in 1..30 loop
        select min(m.lease_id) as lease_id, (array_agg(m.lease_token))[1] as token, count(*) as number,
               jsonb_agg(jsonb_build_object('seq', m.seq, 'outcome', 'terminal', 'error', 'no')) as failures into c
        from postrider.claim(v_worker, 500) m;
        exit when c.number = 200;
        assert c.number = 0, format('%s messages', c.number);
        commit;
    end loop;
    assert c.number = 200, 'the first message of each key';
    perform postrider.settle(v_worker, c.lease_id, c.token, '{}', c.failures);
    commit;
    v_ready := (select count(*) from postrider.follower f where f.ready);
    assert v_ready = 0, format('%s followers of keys that are blocked have marks', v_ready);
    assert postrider.next_waiting((select id from postrider.consumer where channel = 'poison')) is null, 'workers do not ask for them again and again';
end
$$;

do $$
declare
    v_consumer int := (select id from postrider.consumer where channel = 'poison');
    v_before bigint;
    v_rows bigint;
begin
    insert into postrider.follower (consumer_id, key, seq, xid, segment, published_at)
    select v_consumer, 'many' || to_char(n, 'FM00000'), n, '3', '0', now() from generate_series(1, 20000) n;
    v_before := (select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relid = 'postrider.follower'::regclass);
    set local role postrider_viewer;
    assert (select array_agg(p.shown ->> 'key') from postrider.view_page('blocked_keys', '{"consumer": "reader"}', 3,
                '{"consumer": "reader", "channel": "poison", "key": "many04999"}') p) = '{many05000,many05001,many05002}';
    assert (select count(*) = 51 and min(p.shown ->> 'status') = 'failed' from postrider.view_page('blocked_keys', '{}', 51) p);
    reset role;
    v_rows := (select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relid = 'postrider.follower'::regclass) - v_before;
    assert v_rows < 10000, format('%s followers were read', v_rows);
end
$$;

select set_config('promise.w', promise.worker('holds')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'holds', p_ordering => '1 hour') \g /dev/null
set session authorization test_keys_producer;
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'holds', 'a', 'key' || n, '{}' from generate_series(1, 1200) n;
reset session authorization;
do $$
declare
    v_worker uuid := current_setting('promise.w');
    c record;
begin
    for i in 1..30 loop
        select min(m.lease_id) as lease_id, (array_agg(m.lease_token))[1] as token,
               jsonb_agg(jsonb_build_object('seq', m.seq, 'outcome', 'terminal', 'error', 'no')) as failures into c
        from postrider.claim(v_worker, 500) m;
        perform postrider.settle(v_worker, c.lease_id, c.token, '{}', c.failures) where c.lease_id is not null;
        commit;
    end loop;
    update postrider.delivery d set dead_at = now() - interval '2 hours' where d.channel = 'holds';
    assert (select count(*) = 1200 from postrider.delivery d where d.channel = 'holds' and d.heads and d.status = 'failed');
    commit;
    perform postrider.reap();
    commit;
    assert (select count(*) = 200 from postrider.delivery d where d.channel = 'holds' and d.heads), 'a thousand of them';
    perform postrider.reap();
    commit;
    assert not exists (select from postrider.delivery d where d.channel = 'holds' and d.heads);
end
$$;

do $$
declare
    v_before bigint := (select seq_scan + idx_scan from pg_stat_xact_user_tables where relid = 'postrider.delivery'::regclass);
    v_scans bigint;
begin
    set local role postrider_viewer;
    assert (select count(*) = 3 from postrider.view_page('blocked_keys', '{}', 3) p);
    reset role;
    v_scans := (select seq_scan + idx_scan from pg_stat_xact_user_tables where relid = 'postrider.delivery'::regclass) - v_before;
    assert v_scans < 100, format('deliveries were looked up %s times for a page of three keys behind dead letters that hold none', v_scans);
end
$$;

select set_config('promise.w', promise.worker('retried', '[{"name": "test.all", "event_types": ["*"], "circuit": {"failures": 100000}}]')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'retried', p_ordering => 'hold') \g /dev/null
set session authorization test_keys_producer;
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'retried', 'a', 'key' || n, '{}' from generate_series(1, 1000) n;
reset session authorization;
do $$
declare
    v_worker uuid := current_setting('promise.w');
    v_before bigint;
    v_rows bigint;
    c record;
begin
    for i in 1..30 loop
        select min(m.lease_id) as lease_id, (array_agg(m.lease_token))[1] as token,
               jsonb_agg(jsonb_build_object('seq', m.seq, 'outcome', 'transient', 'error', 'no', 'delay_ms', 3600000)) as failures into c
        from postrider.claim(v_worker, 500) m;
        perform postrider.settle(v_worker, c.lease_id, c.token, '{}', c.failures) where c.lease_id is not null;
        commit;
    end loop;
    assert (select count(*) = 1000 from postrider.delivery d where d.channel = 'retried' and d.status = 'pending');
    insert into postrider.message (channel, event_type, ordering_key, payload)
    select 'retried', 'a', 'other' || n % 10, '{}' from generate_series(1, 20) n;
    commit;
    analyze postrider.delivery;
    for i in 1..30 loop
        select min(m.lease_id) as lease_id, (array_agg(m.lease_token))[1] as token into c from postrider.claim(v_worker, 10) m;
        exit when c.lease_id is not null;
        commit;
    end loop;
    commit;
    v_before := (select idx_tup_fetch from pg_stat_xact_user_tables where relid = 'postrider.delivery'::regclass);
    perform postrider.settle(v_worker, c.lease_id, c.token);
    v_rows := (select idx_tup_fetch from pg_stat_xact_user_tables where relid = 'postrider.delivery'::regclass) - coalesce(v_before, 0);
    assert v_rows < 500, format('the report of ten keys read %s deliveries', v_rows);
end
$$;

select set_config('promise.w', promise.worker('replayed')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'replayed', p_ordering => 'skip') \g /dev/null
do $$
declare
    v_worker uuid := current_setting('promise.w');
    v_consumer int := (select id from postrider.consumer where channel = 'replayed');
    v_keys text[] := '{}';
    c record;
begin
    for n in 1..2 loop
        insert into postrider.message (channel, event_type, ordering_key, payload)
        select 'replayed', 'a', 'key' || k, '{}' from generate_series(1, 5) k;
        commit;
        for i in 1..10 loop
            -- The second messages are noted and not claimed.
            perform postrider.exchange_packed(v_worker, 10);
            commit;
            continue when n = 2;
            select min(m.lease_id) as lease_id, (array_agg(m.lease_token))[1] as token,
                   jsonb_agg(jsonb_build_object('seq', m.seq, 'outcome', 'terminal', 'error', 'no')) as failures into c
            from postrider.claim(v_worker, 10) m;
            perform postrider.settle(v_worker, c.lease_id, c.token, '{}', c.failures) where c.lease_id is not null;
            commit;
        end loop;
    end loop;
    assert (select count(*) = 5 from postrider.follower f where f.consumer_id = v_consumer and f.ready);
    perform postrider.replay_start('{"channel": "replayed"}', 'ann', 'fixed');
    perform postrider.replay_step();
    commit;
    assert (select count(*) = 5 from postrider.delivery d where d.consumer_id = v_consumer and d.status = 'pending' and d.heads);
    assert postrider.next_waiting(v_consumer) is null, 'workers do not ask for messages behind those that are replayed';
    perform postrider.settle_due(v_worker, jsonb_agg(jsonb_build_object('delivery', d.delivery_id, 'token', d.lease_token, 'outcome', 'delivered')))
    from postrider.claim_due(v_worker, 10) d;
    commit;
    assert postrider.next_waiting(v_consumer) <= clock_timestamp(), 'then they start';
end
$$;

select set_config('promise.w', promise.worker('queues')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'queues', p_ordering => 'hold') \g /dev/null
do $$
declare
    v_consumer int := (select id from postrider.consumer where channel = 'queues');
    v_found text[] := '{}';
    v_most bigint;
begin
    perform postrider.set_followers_alert('reader', 1, 'test', 'a test', 'queues');
    insert into postrider.follower (consumer_id, key, seq, xid, segment, published_at)
    select v_consumer, 'key' || n % 30000, n, '3', '0', now() from generate_series(1, 60000) n;
    insert into postrider.follower (consumer_id, key, seq, xid, segment, published_at)
    select v_consumer, 'long', n, '3', '0', now() from generate_series(60001, 75000) n;
    for i in 1..8 loop
        assert postrider.alert_backlogs() <= 20;
    end loop;
    assert (select count(*) <= 100 from postrider.key_backlog), 'alerts of one consumer';
    for i in 1..50 loop
        v_found := v_found || array(select q.key from postrider.long_queues(v_consumer, 10000) q);
        exit when v_found = '{long}';
    end loop;
    assert v_found = '{long}', format('a long queue among many others: %s', v_found);
    v_most := (select sum(q.followers) from postrider.long_queues(v_consumer, 1) q);
    assert v_most <= 50000, format('%s followers were read', v_most);
    delete from postrider.follower where consumer_id = v_consumer;
    perform postrider.set_followers_alert('reader', null, 'test', 'a test', 'queues');
    for i in 1..8 loop
        perform postrider.alert_backlogs();
    end loop;
    assert not exists (select from postrider.key_backlog), 'they end';
end
$$;

select set_config('promise.w', promise.worker('in_flight')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'in_flight', p_ordering => 'hold') \g /dev/null
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'in_flight', 'a', 'key' || n % 1500, '{}' from generate_series(1, 3000) n;
do $$
declare
    v_worker uuid := current_setting('promise.w');
    v_page constant text := 'select b.* from postrider.blocked_page(''reader'', 1500, ''{"consumer": "reader", "channel": "in_flight", "key": ""}'') b';
    v_view constant text := 'select b.* from postrider.blocked_keys b where b.channel = ''in_flight''';
    v_count bigint;
begin
    for i in 1..40 loop
        perform postrider.exchange_ordered(v_worker, 100);
        commit;
    end loop;
    execute 'select count(*) from (' || v_page || ') b where b.status = ''in_flight'' and b.id is not null and b.followers = 1' into v_count;
    assert v_count = 1500, format('%s keys', v_count);
    analyze postrider.follower, postrider.lease, postrider.delivery;
    v_count := promise.buffers(v_page);
    assert v_count < 1500 * 40, format('a page of 1500 keys that are in flight reads %s buffers', v_count);
    v_count := promise.buffers(v_view);
    assert v_count < 1500 * 40, format('the view of 1500 keys that are in flight reads %s buffers', v_count);
end
$$;

select set_config('promise.w', promise.worker('chains')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'chains', p_ordering => 'hold') \g /dev/null
set session authorization test_keys_producer;
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'chains', 'a', 'key' || n % 2, jsonb_build_object('x', repeat('x', 9000), 'n', n) from generate_series(1, 20) n;
reset session authorization;
-- Larger than a producer may publish: an owner inserted it.
alter domain postrider.payload drop constraint if exists payload_within_1048576_bytes;
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'chains', 'a', 'key' || n % 2, jsonb_build_object('x', repeat('x', case n when 25 then 1100000 else 9000 end), 'n', n) from generate_series(21, 30) n;
do $$
declare
    v_worker uuid := current_setting('promise.w');
    v_numbers int[];
    c record;
    l record;
begin
    for i in 1..10 loop
        perform postrider.exchange_packed(v_worker, 100);
        commit;
    end loop;
    select * into c from postrider.exchange_waiting(v_worker, 100, p_chain => 100);
    select e.* into l from postrider.lease e where e.id = c.lease_id and e.token = c.lease_token;
    v_numbers := array(select (m.payload ->> 'n')::int from unnest(l.members) with ordinality as s(seq, n)
                       join postrider.message m on m.seq = s.seq order by s.n);
    assert v_numbers = array(select n from generate_series(2, 30, 2) n) || array(select n from generate_series(1, 23, 2) n), v_numbers::text;
    perform postrider.settle(v_worker, c.lease_id, c.lease_token);
    commit;
    select * into c from postrider.exchange_waiting(v_worker, 100, p_chain => 100);
    assert c.lease_id is null, 'the rest of the key waits for its dead letter';
    assert (select d.status = 'failed' and d.error_class = 'too_large' and d.payload ->> 'n' = '25' from postrider.delivery d where d.channel = 'chains');
    commit;
end
$$;
drop role test_keys_producer;
