-- Promises about an outage of a handler whose messages wait:
--   its circuit opens, and none of its messages becomes a dead letter, although claims of the log pass over messages that wait for their time,
--   a priority, a unique key, a limit, or another message of their ordering key
--   so it stays open when first attempts are on trial, and such messages are all that is left
--   a success of one of them counts, also in the report of a few failures
\ir ../include/promises.sql
\ir ../include/circuits.sql
\ir ../include/dead.sql
\ir ../include/ordering.sql

-- outage(worker, rounds, publish): in each round messages are published; everything that can be claimed fails, and so does one retry.
create procedure promise.outage(p_worker uuid, p_rounds int, p_publish text)
    language plpgsql
    as $$
declare
    l record;
begin
    for i in 1..p_rounds loop
        execute p_publish;
        commit;
        for l in
            select c.lease_id, c.lease_token, array_agg(c.seq) as seqs from postrider.claim(p_worker, 100) c group by 1, 2
        loop
            perform postrider.settle(p_worker, l.lease_id, l.lease_token, '{}', (
                select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient', 'error', 'down')) from unnest(l.seqs) s));
        end loop;
        commit;
        perform promise.run(p_worker, 1, 'transient');
        commit;
    end loop;
end
$$;

-- outage(channel, publish, ordering, limit): the circuit and the dead letters after an outage of a handler of a new consumer
create procedure promise.outage_of(p_channel text, p_publish text, p_ordering text default null, p_limit jsonb default null)
    language plpgsql
    as $$
declare
    w uuid := promise.ordered(p_channel, p_ordering, '[{"name": "a.x", "event_types": ["*"], "max_attempts": 9, "retry": {"curve": "immediate"},
                                                        "circuit": {"failures": 5}}]');
begin
    perform postrider.set_limit('reader', 'a.x', p_limit, 'me', 'test', p_channel) where p_limit is not null;
    call promise.outage(w, 20, replace(p_publish, '$c', quote_literal(p_channel)));
    -- Of messages that wait for one of their key, only the first ones fail, and again.
    assert promise.circuit(p_channel) ~ case when p_ordering is null then '^open [5-9] 1 ' else '^trial 0 0 ' end,
        p_channel || ': ' || promise.circuit(p_channel);
    perform promise.probe_now(p_channel);
    call promise.outage(w, 1, replace(p_publish, '$c', quote_literal(p_channel)));
    assert promise.circuit(p_channel) ~ case when p_ordering is null then '^open [5-9] 2 ' else '^trial [1-4] 0 ' end,
        p_channel || ': ' || promise.circuit(p_channel);
    perform promise.probe_now(p_channel);
    call promise.outage(w, 20, replace(p_publish, '$c', quote_literal(p_channel)));
    assert promise.circuit(p_channel) ~ '^(open|trial) ' and (select count(*) from postrider.dead_letters where channel = p_channel) = 0,
        p_channel || ': ' || promise.circuit(p_channel);
end
$$;

call promise.outage_of('ordinary', 'select promise.publish($c, 1)');
call promise.outage_of('delayed', $$select promise.publish($c, 1), postrider.publish('a', '{}', p_channel => $c, p_available_at => now() + interval '1 day')$$);
call promise.outage_of('urgent', $$select promise.publish($c, 1), postrider.publish('a', '{}', p_channel => $c, p_priority => -5)$$);
call promise.outage_of('unique', $$select promise.publish($c, 1), postrider.publish_unique('a', 'reader', gen_random_uuid()::text, p_channel => $c)$$);
call promise.outage_of('limited', 'select promise.publish($c, 1)', p_limit => '{"concurrency": 1}');
call promise.outage_of('ordered', $$select promise.keyed($c, 'a1 b1')$$, p_ordering => 'hold');

-- a success of a message that waited
do $$
declare
    w uuid := promise.worker('success', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 3}}]');
    l record;
begin
    for i in 1..4 loop
        perform promise.publish('success', 1);
        commit;
        call promise.settle_some(w, 1, 1);
        perform postrider.publish('a', '{}', p_channel => 'success', p_priority => 5);
        commit;
        select * into l from postrider.claim(w, 1);
        perform postrider.settle(w, l.lease_id, l.lease_token);
        commit;
    end loop;
    assert promise.circuit('success') = 'closed 0 0 0 0', promise.circuit('success');
end
$$;

-- successes in the same report, of messages that waited, and of a lease that is reported in parts
do $$
declare
    w uuid := promise.worker('report', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 5}}]');
    l postrider.lease;
begin
    perform postrider.publish('a', '{}', p_channel => 'report', p_priority => 1) from generate_series(1, 100);
    commit;
    call promise.settle_some(w, 100, 5);
    assert promise.circuit('report') = 'closed 0 0 0 0', promise.circuit('report');
    perform promise.publish('report', 100);
    commit;
    perform postrider.claim(w, 100);
    l := promise.newest_lease(w);
    assert postrider.settle(w, l.id, l.token, l.members[6:99], (
        select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient', 'error', 'no')) from unnest(l.members[:5]) s)) = 'open';
    assert promise.circuit('report') = 'closed 0 0 0 0', promise.circuit('report');
end
$$;

-- messages that always fail, whose retries come due together while others succeed
do $$
declare
    w uuid := promise.worker('mixture', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 5,
                                          "circuit": {"failures": 5}}]');
begin
    perform promise.publish('mixture', 12);
    commit;
    call promise.settle_some(w, 12, 10);
    for i in 2..5 loop
        perform promise.publish('mixture', 2);
        commit;
        call promise.settle_some(w, 2, 0);
        for j in 1..10 loop
            assert promise.run(w, 1, 'transient') = 1;
            commit;
        end loop;
        assert promise.circuit('mixture') ~ '^closed', promise.circuit('mixture');
    end loop;
    assert (select count(*) from postrider.dead_letters where channel = 'mixture') = 10, 'they use up their attempts';
end
$$;

-- an outage that begins while retries of other messages are due
do $$
declare
    w uuid := promise.worker('begins', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 9,
                                         "circuit": {"failures": 5}}]');
begin
    perform promise.publish('begins', 24);
    commit;
    call promise.settle_some(w, 24, 20);
    perform promise.publish('begins', 2);
    commit;
    call promise.settle_some(w, 2, 0);
    for i in 1..3 loop
        assert promise.circuit('begins') ~ '^closed', promise.circuit('begins');
        perform promise.publish('begins', 1);
        commit;
        call promise.settle_some(w, 1, 1);
        assert promise.run(w, 3, 'transient') = 3 or i = 3;
        commit;
    end loop;
    assert promise.circuit('begins') ~ '^open', promise.circuit('begins');
end
$$;
