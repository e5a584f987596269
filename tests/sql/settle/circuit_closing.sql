-- Promises about closing circuits and about their probes:
--   a handler without a circuit is held and released only by an operator
--   registering a handler without one ends its outage, and retiring it ends the circuit
--   one probe is one, however many priorities wait; a failure that is reported twice is one
--   a probe that crashes has failed
\ir ../include/promises.sql
\ir ../include/dead.sql
\ir ../include/circuits.sql

-- without a circuit, an operator can still hold and release the handler
do $$
declare
    w uuid := promise.worker('off_held', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 0}}]');
begin
    perform promise.publish('off_held', 20);
    commit;
    perform postrider.hold_handler('reader', 'a.x', 'ann', 'wait', 'off_held');
    assert promise.numbers(w) = '{}';
    perform postrider.release_handler('reader', 'a.x', 'ann', 'go on', 'off_held');
    assert promise.circuit('off_held') = 'closed 0 0 0 0', promise.circuit('off_held');
    commit;
    assert cardinality(promise.numbers(w)) = 20;
    assert (select after ->> 'state' from postrider.audits where action = 'release_handler' and filter ->> 'channel' = 'off_held'
            order by audit desc limit 1) = 'closed';
end
$$;

-- an outage ends when its handler is registered without a circuit, with its types or with others, and a probe that is out
-- may still end; not when an operator declared it
do $$
declare
    w uuid := promise.worker('no_more', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "circuit": {"failures": 2}}]');
    v_types text;
    c record;
begin
    foreach v_types in array array['["*"]', '["*", "b"]'] loop
        perform promise.publish('no_more', 4);
        commit;
        call promise.settle_some(w, 4, 4);
        assert promise.circuit('no_more') like 'open%', promise.circuit('no_more');
        perform promise.probe_now('no_more');
        select * into strict c from postrider.claim_due(w, 10);
        commit;
        perform postrider.register_worker(w, 'reader', format(
            '[{"name": "a.x", "event_types": %s, "retry": {"curve": "immediate"}, "circuit": {"failures": 0}}]', v_types)::jsonb, 'no_more');
        assert promise.circuit('no_more') = 'closed 0 0 0 0', promise.circuit('no_more');
        assert (select held_handlers is null from postrider.consumer where channel = 'no_more');
        assert (select result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
                    'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'transient')))) = 'pending';
        assert promise.circuit('no_more') = 'closed 0 0 0 0', promise.circuit('no_more');
        assert promise.run(w, 10, 'delivered') = 4;
        perform postrider.register_worker(w, 'reader', format(
            '[{"name": "a.x", "event_types": %s, "retry": {"curve": "immediate"}, "circuit": {"failures": 2}}]', v_types)::jsonb, 'no_more');
        commit;
    end loop;
    perform postrider.hold_handler('reader', 'a.x', 'ann', 'wait', 'no_more');
    perform postrider.register_worker(w, 'reader', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 0}}]', 'no_more');
    assert promise.circuit('no_more') = 'open 0 0 1 0', promise.circuit('no_more');
end
$$;

-- the policy was changed without a registration: a probe that ends closes it
do $$
declare
    w uuid := promise.worker('changed', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "circuit": {"failures": 2}}]');
begin
    perform promise.publish('changed', 4);
    commit;
    call promise.settle_some(w, 4, 4);
    update postrider.handler h set circuit = '{"failures": 0}' from postrider.consumer c
    where c.id = h.consumer_id and c.channel = 'changed';
    perform promise.probe_now('changed');
    assert promise.run(w, 10, 'transient') = 1;
    assert promise.circuit('changed') = 'closed 0 0 0 0', promise.circuit('changed');
    assert (select held_handlers is null from postrider.consumer where channel = 'changed');
end
$$;

-- one probe is one, however many priorities wait; the most urgent goes first, and a crashed delivery waits for its turn
do $$
declare
    w uuid := promise.worker('priorities', '[{"name": "a.x", "event_types": ["a"], "retry": {"curve": "immediate"}, "circuit": {"failures": 3}},
                                             {"name": "b.x", "event_types": ["b"], "retry": {"curve": "immediate"}}]');
begin
    perform postrider.publish(t, jsonb_build_object('p', p), p_channel => 'priorities', p_priority => p)
    from generate_series(-2, 2) p, generate_series(1, 3) n, unnest('{a,b}'::text[]) t;
    commit;
    perform promise.park(w);
    perform promise.drain(w);
    assert (select count(*) from postrider.delivery where channel = 'priorities') = 24, 'those of another than the default priority';
    perform postrider.hold_handler('reader', 'a.x', 'x', 'y', 'priorities');
    perform postrider.release_handler('reader', 'a.x', 'x', 'y', 'priorities');
    commit;
    assert (select array_agg(handler || ' ' || n order by handler) from (
                select handler, count(*) as n from postrider.claim_due(w, 20) group by 1) c) = '{"a.x 1","b.x 12"}';
    assert promise.circuit('priorities') like 'open % 1 1', promise.circuit('priorities');
    assert (select priority from postrider.delivery where channel = 'priorities' and handler = 'a.x' and status = 'in_flight') = 2;
    perform postrider.settle_due(w, jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'delivered')))
    from postrider.delivery d where d.channel = 'priorities' and d.status = 'in_flight';
    assert promise.circuit('priorities') like 'ramp % 2 0', promise.circuit('priorities');
    -- in runs of many, too
    update postrider.delivery set priority = id % 5 where channel = 'priorities' and status = 'pending';
    commit;
    assert (select count(*) from postrider.claim_due(w, 20, p_batches => '{"a.x": 5}')) = 2;
    perform postrider.settle_due(w, jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'delivered')))
    from postrider.delivery d where d.channel = 'priorities' and d.status = 'in_flight';
    assert promise.circuit('priorities') like 'ramp % 4 0', promise.circuit('priorities');
    update postrider.delivery d set crashes = 1 where d.id = (
        select id from postrider.delivery where channel = 'priorities' and status = 'pending' order by priority, id limit 1);
    commit;
    assert (select array_agg(priority order by id) from postrider.delivery d where d.id in (select delivery_id from postrider.claim_due(w, 20)))
         = (select array_agg(priority order by id) from (
                select id, priority from postrider.delivery where channel = 'priorities' and handler = 'a.x' and status <> 'delivered'
                order by priority desc, available_at, id limit 4) d);
end
$$;

-- a handler that is retired while a lease is out gets no circuit, and its old one is removed
do $$
declare
    w uuid := promise.worker('retired', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "circuit": {"failures": 2}}]');
    l postrider.lease;
begin
    perform promise.publish('retired', 4);
    commit;
    perform postrider.claim(w, 10);
    l := promise.newest_lease(w);
    perform postrider.retire_handler('reader', 'a.x', 'retired');
    commit;
    perform postrider.settle(w, l.id, l.token, '{}', (
        select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient')) from unnest(l.members) s));
    commit;
    assert not exists (select from postrider.circuit k join postrider.consumer c on c.id = k.consumer_id where c.channel = 'retired');
    assert (select held_handlers is null from postrider.consumer where channel = 'retired');
    insert into postrider.circuit (consumer_id, handler, state, openings, probe_at, allowed)
    select id, 'a.x', 'open', 1, clock_timestamp(), 1 from postrider.consumer where channel = 'retired';
    perform postrider.mark_held(id, 'a.x', true) from postrider.consumer where channel = 'retired';
    commit;
    assert promise.run(w, 10, 'transient') = 1;
    commit;
    assert promise.run(w, 10, 'delivered') = 4, 'what it owed stays with it';
    assert (select held_handlers is null from postrider.consumer where channel = 'retired');
end
$$;

-- a failure that is reported twice is one
do $$
declare
    w uuid := promise.worker('twice', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 9,
                                         "circuit": {"failures": 5}}]');
begin
    perform promise.publish('twice', 3);
    commit;
    call promise.settle_some(w, 3, 3);
    perform postrider.settle_due(w, (
        select jsonb_agg(jsonb_build_object('delivery', d.delivery_id, 'token', d.lease_token, 'outcome', 'transient'))
        from postrider.claim_due(w, 1) d, generate_series(1, 2)));
    assert promise.circuit('twice') = 'closed 4 0 0 0', promise.circuit('twice');
end
$$;

-- a probe that crashes, or is a suspect and lost with its worker, has failed: the next one waits longer
do $$
declare
    w uuid := promise.worker('lost', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_crashes": 9,
                                        "max_attempts": 9, "circuit": {"failures": 2, "open_ms": 60000}}]');
begin
    perform promise.publish('lost', 4);
    commit;
    call promise.settle_some(w, 4, 4);
    perform promise.probe_now('lost');
    for i in 1..2 loop
        -- The first loss is not charged: the slot of the probe is free again.
        assert promise.circuit('lost') = 'open 4 1 1 0', promise.circuit('lost');
        assert (select count(*) from postrider.claim_due(w, 4, p_hold => 100)) = 1;
        update postrider.delivery set deadline = clock_timestamp() - interval '1 second', available_at = '-infinity'
        where channel = 'lost' and status = 'in_flight';
        commit;
        assert (select deliveries from postrider.reap()) = 1;
        update postrider.delivery set available_at = '-infinity' where channel = 'lost' and suspect;
    end loop;
    assert promise.circuit('lost') = 'open 4 2 1 0', promise.circuit('lost');
    assert (select circuit_error_class = 'lease_expired' and probe_at > clock_timestamp() + interval '110 seconds'
            from postrider.handlers where channel = 'lost');
    update postrider.circuit k set openings = 1 from postrider.consumer c where c.id = k.consumer_id and c.channel = 'lost';
    perform promise.probe_now('lost');
    assert promise.run(w, 10, 'delivered') = 1;
    assert promise.run(w, 10, 'crashed') > 0;
    assert promise.circuit('lost') = 'trial 0 1 0 0', promise.circuit('lost');
end
$$;
