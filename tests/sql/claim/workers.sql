-- Promises about workers, consumers and handlers:
--   register_worker() creates missing consumers and handlers and is idempotent; malformed names are refused (PR013)
--   the broker of a handler is stored without credentials, and shown after its workers are gone
--   heartbeat() extends the time a worker counts as alive and returns the leases it lost; after unregister_worker() it raises PR004
--   has_peer() finds another live worker of the consumer with one of the same handlers
--   extend() moves a lease's deadline
--   reap() takes back the messages of dead workers and overdue leases, uncharged, as suspects; a suspect is charged with a crash, until the
--     ceiling of crashes makes it a dead letter
--   a retired handler gets no new messages and keeps its deliveries
\ir ../include/promises.sql

-- register_worker() creates missing consumers and handlers and is idempotent
do $$
declare
    v_worker uuid := gen_random_uuid();
    v_handlers jsonb := '[{"name": "a.x", "event_types": ["a.*", "b"], "retry": {"curve": "fixed"},
                           "max_attempts": 3, "max_crashes": 2}, {"name": "a.y", "event_types": ["*"]}]';
    v_id int := postrider.register_worker(v_worker, 'billing', v_handlers, 'register', 7, '10 seconds', 'host', '1.0');
    w postrider.worker;
    h postrider.handler;
    v_registered timestamptz;
begin
    commit;
    assert exists (select from postrider.channels where channel = 'register' and wake = 'doorbell');
    assert exists (select from postrider.consumer c where c.id = v_id and c.name = 'billing' and c.handlers = '{a.x,a.y}'
                   and c.all_types and c.exact_types = '{b}' and c.type_prefixes = '{a.%}' and not c.paused);
    select * into strict w from postrider.worker where id = v_worker;
    assert (w.consumer_id, w.handlers, w.generation, w.host, w.version, w.alive_for)
         = (v_id, '{a.x,a.y}'::text[], 7, 'host', '1.0', interval '10 seconds'), w;
    assert w.alive_until between clock_timestamp() + interval '5 seconds' and clock_timestamp() + interval '10 seconds';
    select * into strict h from postrider.handler where consumer_id = v_id and name = 'a.x';
    assert (h.event_types, h.retry, h.max_attempts, h.max_crashes)
         = ('{a.*,b}'::text[], '{"curve": "fixed"}'::jsonb, 3::smallint, 2::smallint), h;
    select * into strict h from postrider.handler where consumer_id = v_id and name = 'a.y';
    assert (h.retry, h.max_attempts, h.max_crashes) = ('{}'::jsonb, 5::smallint, 3::smallint), h;
    v_registered := h.registered_at;
    -- Again, and by a second worker with a changed handler.
    assert v_id = postrider.register_worker(v_worker, 'billing', v_handlers, 'register');
    assert v_id = postrider.register_worker(gen_random_uuid(), 'billing',
        '[{"name": "a.y", "event_types": ["c"], "max_attempts": 9}]', 'register');
    commit;
    select * into strict h from postrider.handler where consumer_id = v_id and name = 'a.y' and retired_at is null;
    assert h.event_types = '{c}' and h.max_attempts = 9 and h.revision = 2 and h.registered_at > v_registered, h;
    assert exists (select from postrider.consumer c where c.id = v_id and not c.all_types and c.exact_types = '{b,c}');
    assert v_id = postrider.create_consumer('billing', 'register');
    assert v_id <> postrider.create_consumer('billing', 'register2');
end
$$;

-- malformed names and missing handlers are refused
do $$
declare
    v_name text;
begin
    foreach v_name in array array['', 'A', 'a b', repeat('x', 64), '-a', '.a', 'é', E'a\n'] loop
        perform promise.raises(format('select postrider.create_consumer(%L)', v_name), 'PR013');
    end loop;
    perform promise.raises('select postrider.create_consumer(null)', 'PR013');
    perform promise.raises($q$select postrider.create_consumer('a', '')$q$, 'PR013');
    perform promise.raises($q$select postrider.create_consumer('a', repeat('x', 64))$q$, 'PR013');
    foreach v_name in array array['', 'a', 'a.', '.a', 'A.b', 'a..b', 'a.b c', repeat('x', 63) || '.' || repeat('x', 64), E'a.b\n'] loop
        perform promise.raises(format('select promise.worker(''n'', %L)', jsonb_build_array(
            jsonb_build_object('name', v_name, 'event_types', '["*"]'::jsonb))), 'PR013');
    end loop;
    perform promise.raises($q$select promise.worker('n', '[{"event_types": ["*"]}]')$q$, 'PR013');
    foreach v_name in array array['a*', '**', '*.a', 'a.*.b', '', '.*', repeat('x', 256)] loop
        perform promise.raises(format('select promise.worker(''n'', %L)', jsonb_build_array(
            jsonb_build_object('name', 'a.x', 'event_types', jsonb_build_array(v_name)))), 'PR013');
    end loop;
    perform promise.raises($q$select promise.worker('n', '[{"name": "a.x", "event_types": []}]')$q$, 'PR013');
    perform promise.raises($q$select promise.worker('n', '[{"name": "a.x"}]')$q$, 'PR013');
    perform promise.raises($q$select promise.worker('n', '[{"name": "a.x", "event_types": [null]}]')$q$, 'PR013');
    perform promise.raises($q$select promise.worker('n', '[]')$q$, 'PR001');
    perform promise.raises($q$select promise.worker('n', '{}')$q$, 'PR001');
    perform promise.raises($q$select promise.worker('n', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.register_worker(null, 'a', '[{"name": "a.x", "event_types": ["*"]}]')$q$, 'PR001');
    perform promise.raises($q$select postrider.register_worker(gen_random_uuid(), 'a',
        '[{"name": "a.x", "event_types": ["*"]}]', p_alive_for => '0')$q$, 'PR001');
    perform promise.raises($q$select postrider.register_worker(gen_random_uuid(), 'a',
        '[{"name": "a.x", "event_types": ["*"]}]', p_alive_for => '2 days')$q$, 'PR001');
    assert not exists (select from postrider.consumer where channel = 'n'), 'a refused worker leaves nothing behind';
end
$$;

-- heartbeat() extends the time a worker counts as alive and returns the leases it lost
do $$
declare
    w uuid := promise.worker('beat');
    other uuid := promise.worker('beat');
    a bigint;
    b bigint;
    c bigint;
begin
    perform promise.publish('beat', 3);
    commit;
    perform postrider.claim(w, 1);
    a := (promise.newest_lease(w)).id;
    perform postrider.claim(w, 1);
    b := (promise.newest_lease(w)).id;
    perform postrider.claim(other, 1);
    c := (promise.newest_lease(w)).id;
    update postrider.worker set alive_until = '2020-01-01' where id in (w, other);
    assert not exists (select from postrider.heartbeat(w, array[a, b]));
    assert (select alive_until > clock_timestamp() + interval '20 seconds' from postrider.worker where id = w);
    assert (select alive_until = '2020-01-01' from postrider.worker where id = other), 'one lives by its own heartbeat';
    assert (select array_agg(h order by h) from postrider.heartbeat(w, array[a, b, c, -1]) h) = array[-1, c],
        'what others hold is not ours';
    update postrider.lease set deadline = clock_timestamp() - interval '1 second' where id = b;
    perform postrider.reap();
    assert (select array_agg(h) from postrider.heartbeat(w, array[a, b], '1 hour') h) = array[b];
    assert (select alive_for = '1 hour' and alive_until > clock_timestamp() + interval '59 minutes'
            from postrider.worker where id = w);
    assert not exists (select from postrider.heartbeat(w, null));
    perform postrider.unregister_worker(w);
    perform promise.raises(format('select postrider.heartbeat(%L)', w), 'PR004');
    perform promise.raises(format('select postrider.claim(%L)', w), 'PR004');
    perform promise.raises(format('select postrider.claim_due(%L)', w), 'PR004');
    perform promise.raises(format('select postrider.settle_due(%L, ''[]'')', w), 'PR004');
    perform promise.raises(format('select postrider.extend(%L, 1, null, ''1 hour'')', w), 'PR004');
    perform promise.raises(format('select postrider.release(%L, 1, null)', w), 'PR004');
    perform postrider.unregister_worker(w);
end
$$;

-- has_peer() finds another live worker of the consumer with one of the same handlers
do $$
declare
    w uuid := promise.worker('peer');
    stranger uuid := promise.worker('not_peer');
    other uuid := gen_random_uuid();
begin
    assert not postrider.has_peer(w) and not postrider.has_peer(gen_random_uuid());
    perform postrider.register_worker(other, c.name, '[{"name": "other.one", "event_types": ["x"]}]', c.channel)
    from postrider.worker o join postrider.consumer c on c.id = o.consumer_id where o.id = w;
    assert not postrider.has_peer(w), 'it has none of the handlers';
    update postrider.worker set handlers = handlers || (select handlers from postrider.worker where id = w) where id = other;
    assert postrider.has_peer(w) and postrider.has_peer(other) and not postrider.has_peer(stranger);
    update postrider.worker set alive_until = clock_timestamp() - interval '1 second' where id = other;
    assert not postrider.has_peer(w), 'it is dead';
end
$$;

-- extend() moves a lease's deadline
do $$
declare
    w uuid := promise.worker('extend');
    l postrider.lease;
begin
    perform promise.publish('extend', 1);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    assert postrider.extend(w, l.id, l.token, '2 hours') = 'extended';
    assert (promise.newest_lease(w)).deadline > clock_timestamp() + interval '119 minutes';
    -- From now, not from the deadline it had.
    assert postrider.extend(w, l.id, l.token, '2 hours') = 'extended';
    assert (promise.newest_lease(w)).deadline <= clock_timestamp() + interval '2 hours';
    perform postrider.settle(w, l.id, l.token);
    assert postrider.extend(w, l.id, l.token, '2 hours') = 'lost_lease';
end
$$;

-- reap() keeps the leases of live workers, and takes back those of dead workers and expired ones
do $$
declare
    alive uuid := promise.worker('reap');
    dead uuid := promise.worker('reap');
    gone uuid := promise.worker('reap');
    slow uuid := promise.worker('reap');
    r record;
begin
    perform promise.publish('reap', 8);
    commit;
    assert promise.numbers(alive, 2) || promise.numbers(dead, 2) || promise.numbers(gone, 2)
        || promise.numbers(slow, 2) = '{1,2,3,4,5,6,7,8}';
    commit;
    perform postrider.reap();
    select * into strict r from postrider.reap();
    assert (r.leases, r.deliveries) = (0, 0), r;
    update postrider.worker set alive_until = clock_timestamp() - interval '1 second' where id = dead;
    perform postrider.unregister_worker(gone);
    update postrider.lease set deadline = clock_timestamp() - interval '1 second' where worker_id = slow;
    commit;
    select * into strict r from postrider.reap(1);
    assert r.leases = 1, 'the limit is kept';
    select * into strict r from postrider.reap();
    assert (r.leases, r.deliveries) = (2, 0), r;
    commit;
    assert (select array_agg(concat_ws(' ', d.payload ->> 'n', d.error_class) order by d.seq)
            from postrider.delivery d
            where d.channel = 'reap' and d.status = 'pending' and d.attempts = 0 and d.attempts_total = 0
              and d.failures = 0 and d.crashes = 0 and d.interruptions = 1 and d.available_at <= clock_timestamp())
        = '{3 worker_lost,4 worker_lost,5 worker_lost,6 worker_lost,7 lease_expired,8 lease_expired}';
    assert (select count(*) from postrider.lease where worker_id = alive and finished_at is null) = 1;
    assert (select array_agg(x.status order by x.seq) from postrider.outbox x where x.channel = 'reap')
        = '{in_flight,in_flight,pending,pending,pending,pending,pending,pending}';
    select * into strict r from postrider.reap();
    assert (r.leases, r.deliveries) = (0, 0), 'what was taken back is not taken back again';
end
$$;

-- a delivery is returned uncharged at first; from then on it is charged with each crash, and dead at the ceiling of crashes
do $$
declare
    w uuid;
    v_handlers jsonb := '[{"name": "a.x", "event_types": ["*"], "max_attempts": 100, "max_crashes": 3}]';
    d postrider.delivery;
    r record;
begin
    w := promise.worker('crash', v_handlers);
    perform postrider.publish('a', p_channel => 'crash', p_priority => 1);
    commit;
    perform promise.park(w);
    for i in 0..3 loop
        perform promise.due_now('crash');
        assert (select count(*) from postrider.claim_due(w)) = 1;
        commit;
        if i = 2 then
            update postrider.delivery set deadline = clock_timestamp() - interval '1 second' where channel = 'crash';
        else
            perform postrider.unregister_worker(w);
        end if;
        select * into strict r from postrider.reap();
        assert (r.leases, r.deliveries) = (0, 1), r;
        select * into strict d from postrider.delivery where channel = 'crash';
        assert (d.crashes, d.attempts, d.attempts_total, d.failures, d.interruptions, d.suspect) = (i, i, i, 0, 1, true), d;
        assert d.error_class = case when i = 2 then 'lease_expired' else 'worker_lost' end, d;
        assert d.status = case when i = 3 then 'failed' else 'pending' end, d;
        w := promise.worker('crash', v_handlers);
        commit;
    end loop;
    perform promise.due_now('crash');
    assert (select count(*) from postrider.claim_due(w)) = 0, 'a dead letter is never claimed';
end
$$;

-- a late report about a reaped delivery is rejected
do $$
declare
    w uuid := promise.worker('too_late');
    c record;
    v_before postrider.delivery;
begin
    perform postrider.publish('a', p_channel => 'too_late', p_priority => 1);
    commit;
    perform promise.park(w);
    select * into strict c from postrider.claim_due(w);
    update postrider.delivery set deadline = clock_timestamp() - interval '1 second' where channel = 'too_late';
    perform postrider.reap();
    select * into strict v_before from postrider.delivery where channel = 'too_late';
    assert (select result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered')))) = 'lost_lease';
    assert to_jsonb(v_before) = (select to_jsonb(d) from postrider.delivery d where d.channel = 'too_late');
end
$$;

-- a retired handler gets no new messages and keeps its deliveries; registered again it goes on from there
do $$
declare
    v_two jsonb := '[{"name": "a.x", "event_types": ["*"]}, {"name": "b.x", "event_types": ["b"]}]';
    w uuid := promise.worker('retire', v_two);
begin
    perform postrider.publish('b', p_channel => 'retire', p_priority => 1);
    commit;
    perform promise.park(w);
    commit;
    perform postrider.retire_handler('reader', 'a.x', 'retire');
    commit;
    assert (select c.handlers = '{b.x}' and not c.all_types from postrider.consumer c where c.channel = 'retire');
    perform postrider.publish('a', '{"n": 1}', p_channel => 'retire');
    perform postrider.publish('b', '{"n": 2}', p_channel => 'retire');
    commit;
    assert promise.numbers(w) = '{2}';
    assert (select array_agg(c.handler order by c.handler) from postrider.claim_due(w) c) = '{a.x,b.x}';
    perform promise.raises($q$select postrider.retire_handler('reader', 'a.x', 'retire')$q$, 'PR011');
    perform promise.raises($q$select postrider.retire_handler('absent', 'a.x', 'retire')$q$, 'PR011');
    w := promise.worker('retire', v_two);
    perform postrider.publish('a', '{"n": 3}', p_channel => 'retire');
    commit;
    assert promise.numbers(w) = '{3}';
end
$$;

-- the broker of a handler is stored without credentials, and shown after its workers are gone
do $$
declare
    v_worker uuid := gen_random_uuid();
    v_handlers jsonb := '[{"name": "a.relay", "event_types": ["*"], "broker": {"direction": "to", "address": "nats://me:pass@word@host:4222/x?token=t",
                            "name": "orders.{event_type}"}}, {"name": "a.plain", "event_types": ["*"]}]';
    b postrider.brokers;
begin
    perform postrider.register_worker(v_worker, 'relay', v_handlers, 'brokers');
    select * into strict b from postrider.brokers where channel = 'brokers';
    assert (b.handler, b.direction, b.address, b.name, b.workers, b.circuit_state) = ('a.relay', 'to', 'nats://host:4222/x', 'orders.{event_type}', 1, 'closed'), b;
    perform postrider.register_worker(v_worker, 'relay', jsonb_set(v_handlers, '{0,broker,address}', '"me:pass@host:9092"'), 'brokers');
    assert (select address from postrider.brokers where channel = 'brokers') = 'host:9092', 'without a scheme, too';
    perform postrider.unregister_worker(v_worker);
    assert (select workers from postrider.brokers where channel = 'brokers') = 0, 'a relay that stopped is shown';
    perform promise.raises(format('select postrider.register_worker(%L, ''relay'', %L, ''brokers'')', v_worker, jsonb_set(v_handlers, '{0,broker,direction}', '"up"')), 'PR001');
    perform promise.raises(format('select postrider.register_worker(%L, ''relay'', %L, ''brokers'')', v_worker, jsonb_set(v_handlers, '{0,broker,password}', '"x"')), 'PR001');
    perform postrider.register_worker(v_worker, 'relay', v_handlers #- '{0,broker}', 'brokers');
    assert not exists (select from postrider.brokers where channel = 'brokers'), 'it is no relay any more';
end
$$;
