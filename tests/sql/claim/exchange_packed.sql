-- Promises of exchange_packed():
--   it hands out the same messages as exchange(), each as the binary form of a row, and settles like it
--   messages that have to wait are parked, late committers come first, large messages come in pieces
--   it rejects the same arguments as exchange()
--   a worker that moves to another consumer claims for that one
\ir ../include/promises.sql

-- packed(worker): the expected form of the newest lease of the worker's consumer.
create function promise.packed(p_worker uuid) returns bytea
    language sql
    as $$
    select string_agg(
               case when num_nonnulls(m.target, m.workspace_id, m.headers, m.idempotency_key, m.ordering_key, m.partition_key,
                                      m.trace_context, m.content_class, m.generation, m.max_attempts) = 0 and m.event_version = 1
                    then record_send(row(m.seq, m.id, m.event_type, m.occurred_at, m.source, m.payload))
                    else record_send(row(
                        m.seq, m.id, m.event_type, m.event_version, m.occurred_at, m.source, m.target, m.workspace_id,
                        m.payload, m.headers, m.idempotency_key, m.ordering_key, m.partition_key, m.trace_context,
                        m.content_class, m.generation, m.max_attempts)) end, '' order by s.n)
    from unnest((promise.newest_lease(p_worker)).members) with ordinality as s(seq, n)
    join postrider.message m on m.seq = s.seq
    $$;

-- it hands out the same messages as exchange(), and settles like it
do $$
declare
    w uuid := promise.worker('packed');
    a postrider.handed_out;
    b postrider.handed_out;
    l postrider.lease;
begin
    a := postrider.exchange_packed(w, 3);
    assert a.messages is null and a.lease_id is null and a.settled is null and a.parked = 0, a;
    perform promise.publish('packed', 3);
    perform postrider.publish(
        'a.b', '{"n": 4}', 'shop', null, 'packed', null, 3, '2026-01-02 03:04:05Z',
        '11111111-1111-1111-1111-111111111111', 'key', 'order', 'part', '{"h": 1}', '{"m": 1}', 'trace', 'class', 42);
    commit;
    a := postrider.exchange_packed(w, 3);
    l := promise.newest_lease(w);
    assert (a.lease_id, a.lease_token, a.parked) = (l.id, l.token, 0) and a.settled is null, a;
    assert cardinality(l.members) = 3 and a.messages = promise.packed(w), a;
    b := postrider.exchange_packed(w, 3, a.lease_id, a.lease_token);
    assert b.settled = 'settled' and b.lease_id > a.lease_id, b;
    assert cardinality((promise.newest_lease(w)).members) = 1 and b.messages = promise.packed(w), b;
    commit;
    a := postrider.exchange_packed(w, 3, b.lease_id, gen_random_uuid());
    assert a.settled = 'lost_lease' and a.lease_id is null and a.messages is null, a;
    a := postrider.exchange_packed(w, 3, b.lease_id + 1000, b.lease_token);
    assert a.settled = 'lost_lease' and a.lease_id is null, a;
    a := postrider.exchange_packed(w, 0, b.lease_id, b.lease_token);
    assert a.settled = 'settled' and a.lease_id is null, a;
    a := postrider.exchange_packed(w, 0);
    assert a.settled is null and a.parked = 0, a;
end
$$;

-- many messages come in several values, under one lease
do $$
declare
    w uuid := promise.worker('many');
    r record;
    h record;
begin
    perform promise.publish('many', 999);
    commit;
    for r in select * from (values (450, 3, 450), (400, 2, 400), (1000, 1, 149)) as x(asked, pieces, got) loop
        select count(*) as pieces, string_agg(e.messages, '') as messages, max(e.lease_id) as lease,
               count(e.lease_id) as leases, count(e.parked) as summaries
        into h from postrider.exchange_packed(w, r.asked) e;
        assert (h.pieces, h.leases, h.summaries) = (r.pieces, 1, 1), h.pieces;
        assert h.lease = (promise.newest_lease(w)).id and cardinality((promise.newest_lease(w)).members) = r.got, r;
        assert h.messages = promise.packed(w), r;
    end loop;
end
$$;

-- a piece whose messages have to be checked one by one ends the batch before it
do $$
declare
    w uuid := promise.worker('interrupted');
    r record;
    h record;
begin
    perform promise.publish('interrupted', 250);
    perform postrider.publish('a', to_jsonb(repeat('x', 10000)), p_channel => 'interrupted');
    perform promise.publish('interrupted', 20);
    commit;
    for r in select * from (values (200, 0), (71, 0), (0, 0)) as x(got, parked) loop
        select string_agg(e.messages, '') as messages, sum(e.parked) as parked, max(e.lease_id) as lease
        into h from postrider.exchange_packed(w, 1000) e;
        assert h.parked = r.parked, h.parked;
        assert r.got = 0 and h.lease is null and h.messages is null
            or cardinality((promise.newest_lease(w)).members) = r.got and h.messages = promise.packed(w), r;
        commit;
    end loop;
end
$$;

-- a lease that does not exist settles nothing and does not prevent a claim
do $$
declare
    w uuid := promise.worker('bogus');
    h postrider.handed_out;
begin
    perform promise.publish('bogus', 2);
    commit;
    h := postrider.exchange_packed(w, 5, 9223372036854775807, gen_random_uuid());
    assert h.settled = 'lost_lease' and cardinality((promise.newest_lease(w)).members) = 2, h;
    assert h.messages = promise.packed(w), h;
end
$$;

-- messages that have to wait are passed over, and the ones behind them are handed out
do $$
declare
    w uuid := promise.worker('waits');
    h postrider.handed_out;
begin
    perform postrider.publish('a', p_channel => 'waits', p_priority => 1);
    perform postrider.publish('a', p_channel => 'waits', p_target => 'reader');
    perform postrider.publish('a', p_channel => 'waits');
    commit;
    h := postrider.exchange_packed(w, 10);
    assert h.parked = 0 and cardinality((promise.newest_lease(w)).members) = 2, h;
    assert h.messages = promise.packed(w), h;
end
$$;

-- late committers come first
do $$ begin perform set_config('promise.worker', promise.worker('late')::text, false); end $$;
begin;
insert into postrider.message (channel, event_type) values ('late', 'slow'), ('late', 'slow');
prepare transaction 'packed_slow';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    perform promise.publish('late', 2);
    commit;
    perform postrider.exchange_packed(w, 10);
    assert cardinality((promise.newest_lease(w)).members) = 2;
end
$$;
commit prepared 'packed_slow';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    h postrider.handed_out;
begin
    perform promise.publish('late', 1);
    commit;
    h := postrider.exchange_packed(w, 10);
    assert (select array_agg(m.event_type) from postrider.message m
            where m.seq = any ((promise.newest_lease(w)).members)) = '{slow,slow}', h;
    assert h.messages = promise.packed(w), h;
    h := postrider.exchange_packed(w, 10);
    assert cardinality((promise.newest_lease(w)).members) = 1 and h.messages = promise.packed(w), h;
end
$$;

-- large messages come in pieces
do $$
declare
    w uuid := promise.worker('large');
    v_got int := 0;
    h postrider.handed_out;
begin
    insert into postrider.message (channel, event_type, payload)
    select 'large', 'x', to_json(repeat('x', 1000000)) from generate_series(1, 30);
    commit;
    for i in 1..2 loop
        h := postrider.exchange_packed(w, 100);
        assert octet_length(h.messages) < 20000000 and h.messages = promise.packed(w);
        v_got := v_got + cardinality((promise.newest_lease(w)).members);
    end loop;
    assert v_got = 30, v_got;
end
$$;

-- it rejects the same arguments as exchange()
do $$
declare
    w uuid := promise.worker('guards');
begin
    commit;
    perform promise.raises(format('select postrider.exchange_packed(%L, 1)', gen_random_uuid()), 'PR004');
    perform promise.raises(format('select postrider.exchange_packed(%L, 10001)', w), 'PR001');
    perform promise.raises(format('select postrider.exchange_packed(%L, null)', w), 'PR001');
    perform postrider.exchange_packed(w, 1);
    commit;
    perform postrider.unregister_worker(w);
    perform promise.raises(format('select postrider.exchange_packed(%L, 1)', w), 'PR004');
end
$$;

-- a worker that moves to another consumer claims for that one
do $$
declare
    w uuid := promise.worker('moves', p_consumer => 'one');
    h postrider.handed_out;
begin
    perform promise.publish('moves', 2);
    commit;
    h := postrider.exchange_packed(w, 1);
    assert h.lease_id is not null, h;
    perform postrider.settle(w, h.lease_id, h.lease_token);
    perform postrider.register_worker(w, 'two', '[{"name": "test.all", "event_types": ["*"]}]', 'moves',
                                      p_from_beginning => true);
    commit;
    h := postrider.exchange_packed(w, 10);
    assert (select c.name from postrider.lease l join postrider.consumer c on c.id = l.consumer_id
            where l.id = h.lease_id) = 'two', h;
    assert cardinality((promise.newest_lease(w)).members) = 2, h;
end
$$;

-- plans are kept in the session, and only there
do $$
declare
    w uuid := promise.worker('plans');
begin
    perform postrider.exchange(w, 1);
    assert current_setting('enable_seqscan') = 'off', 'set by a promise above';
    set enable_seqscan to default;
    perform postrider.exchange(w, 1);
    assert current_setting('enable_seqscan') = 'on', 'exchange() leaves settings alone';
    perform postrider.exchange_packed(w, 1);
    assert current_setting('enable_seqscan') = 'off';
end
$$;

-- a wrong token settles nothing, also when there is something to claim
do $$
declare
    w uuid := promise.worker('fenced');
    a postrider.handed_out;
    b postrider.handed_out;
begin
    commit;
    perform promise.publish('fenced', 2);
    commit;
    a := postrider.exchange_packed(w, 1);
    commit;
    b := postrider.exchange_packed(w, 1, a.lease_id, gen_random_uuid());
    assert b.settled = 'lost_lease' and b.lease_id > a.lease_id, b;
    assert exists (select from postrider.lease where id = a.lease_id and finished_at is null), 'it is still open';
    assert postrider.settle(w, a.lease_id, a.lease_token) = 'settled';
end
$$;
