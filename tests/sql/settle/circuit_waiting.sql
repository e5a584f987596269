-- Promises about an outage of a handler whose messages wait:
--   its circuit opens, and none of its messages becomes a dead letter, although claims of the log pass over messages that wait for their time,
--   a priority, a unique key, a limit, or another message of their ordering key
--   so it stays open when first attempts are on trial, and such messages are all that is left
--   a success of one of them counts
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
    assert promise.circuit(p_channel) ~ '^open [5-9] 1 ', p_channel || ': ' || promise.circuit(p_channel);
    perform promise.probe_now(p_channel);
    call promise.outage(w, 1, replace(p_publish, '$c', quote_literal(p_channel)));
    assert promise.circuit(p_channel) ~ '^open [5-9] 2 ', p_channel || ': ' || promise.circuit(p_channel);
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
