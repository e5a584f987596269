-- Promises about erasing messages of ordered consumers and of handlers with limits:
--   a message that waits for its ordering key is not run afterwards, and the next one of the key is
--   an erased dead letter no longer holds its key
--   claims and reports go on for the messages beside it, in one lease with it and in none
--   no table has the key, also if messages wait for it
--   thousands of messages are erased in seconds, however many wait
\ir ../include/promises.sql
\ir ../include/ordering.sql
\ir ../include/traces.sql

-- take(worker, limit): claims messages of a key together; returns their names.
create function promise.take(p_worker uuid, p_limit int default 100) returns text
    language plpgsql
    as $$
declare
    v_lease bigint;
    v_names text;
begin
    select e.lease_id into v_lease from postrider.exchange_ordered(p_worker, p_limit, p_chain => 3) e where e.lease_id is not null;
    select string_agg(m.payload ->> 'n', ' ' order by m.seq) into v_names
    from postrider.lease l join postrider.message m on m.seq = any (l.members)
    where l.id = v_lease and l.worker_id = p_worker;
    return coalesce(v_names, '');
end
$$;
create function promise.erase_named(p_channel text, p_names text[]) returns void
    language sql
    as $$
    select postrider.erase(jsonb_build_object('ids', jsonb_agg(m.id)), 'test', 'asked for')
    from postrider.message m where m.channel = p_channel and m.payload ->> 'n' = any (p_names)
    $$;

-- followers, and the dead letter that they wait for
do $$
declare
    w uuid := promise.ordered('erase_followers');
begin
    perform promise.keyed('erase_followers', 'a1 a2 a3 a4 b1 b2');
    commit;
    assert promise.take(w, 2) = 'a1 a2', 'the rest is noted';
    commit;
    perform promise.erase_named('erase_followers', '{a3,b1}');
    commit;
    assert not exists (select from postrider.follower f join postrider.message m on m.seq = f.seq where m.target = '!erased');
    -- a1 dies and holds its key; a2, which was not started, is released.
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'terminal', 'error', 'no'),
        jsonb_build_object('seq', l.members[2], 'outcome', 'interrupted')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null and l.members <> '{}';
    commit;
    assert promise.take(w) = 'b2';
    commit;
    perform promise.erase_named('erase_followers', '{a1}');
    commit;
    assert promise.take(w) = 'a2 a4', 'an erased dead letter holds nothing';
    commit;
    assert not exists (select from postrider.follower);
end
$$;

-- a worker that does not have all handlers takes one message of a key at a time
do $$
declare
    w uuid := promise.ordered('erase_partial', p_handlers => '[{"name": "test.one", "event_types": ["a"]}]');
begin
    perform promise.ordered('erase_partial', p_handlers => '[{"name": "test.two", "event_types": ["b"]}]');
    perform promise.keyed('erase_partial', 'a1 a2 a3');
    commit;
    perform postrider.exchange_packed(w, 1);
    commit;
    perform promise.erase_named('erase_partial', '{a2}');
    commit;
    for n in 1..3 loop
        perform postrider.exchange_waiting(w, 10, l.id, l.token, p_chain => 3)
        from (select (array_agg(l.id))[1] as id, (array_agg(l.token))[1] as token from postrider.lease l where l.worker_id = w and l.finished_at is null and l.members <> '{}') l;
        commit;
    end loop;
    assert not exists (select from postrider.follower);
    assert not exists (select from postrider.lease l join postrider.message m on m.seq = any ((l.taken).seqs) where l.worker_id = w and m.target = '!erased');
end
$$;

-- the key, in the queue, in its alert, in dead letters
do $$
declare
    w uuid := promise.ordered('erase_keys');
begin
    perform postrider.set_followers_alert('reader', 2, 'test', 'x', 'erase_keys');
    perform postrider.publish('a', jsonb_build_object('n', n), p_channel => 'erase_keys', p_ordering_key => 'jane@example.com')
    from generate_series(1, 5) n;
    commit;
    assert promise.take(w, 1) = '1';
    commit;
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'terminal', 'error', 'no')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null and l.members <> '{}';
    commit;
    perform postrider.maintain();
    commit;
    assert promise.traces('jane@example.com') @> '{alert,delivery,follower,key_backlog,message}', promise.traces('jane@example.com')::text;
    perform postrider.erase('{"ordering_key": "jane@example.com"}', 'test', 'asked for');
    commit;
    -- The ledger has keys of messages that were handed out, for as long as the setting lease_keep says.
    assert promise.traces('jane@example.com') = '{lease}', promise.traces('jane@example.com')::text;
    assert promise.take(w) = '' and not exists (select from postrider.blocked_keys where channel = 'erase_keys');
    commit;
end
$$;

-- many messages among many: claims wait meanwhile, so erasing must not compare each erased message with each waiting one
do $$
declare
    w uuid := promise.ordered('erase_many');
begin
    insert into postrider.message (channel, event_type, ordering_key, payload)
    select 'erase_many', 'a', 'key' || n % 10, '{}' from generate_series(1, 40000) n;
    commit;
    for i in 1..60 loop
        perform postrider.exchange_ordered(w, 2000);
        commit;
    end loop;
    assert (select count(*) > 39000 from postrider.follower);
end
$$;
set statement_timeout = '60s';
select postrider.erase('{"ordering_key": "key3"}', 'test', 'asked for') \g /dev/null
reset statement_timeout;
do $$
begin
    assert (select count(*) = 4000 from postrider.message where channel = 'erase_many' and target = '!erased');
    assert not exists (select from postrider.follower where key = 'key3');
end
$$;
