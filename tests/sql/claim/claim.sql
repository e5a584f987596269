-- Promises of claiming from the log:
--   messages come in log order, at most as many as asked for, each once
--   a claim needs a known worker (PR004), READ COMMITTED (PR005) and a sensible limit (PR001)
--   a message is for a consumer by its target or by its type; patterns are 'a.b', 'a.*' and '*', and LIKE's
--     wildcards in them are plain characters
--   every consumer sees every message; a new one from now on, or from the beginning
--   a paused consumer gets nothing and loses nothing
--   skipped messages move the cursor and are not read again
--   late committers are handed out when they commit, and block no other message
\ir ../include/promises.sql

-- messages come in log order, at most as many as asked for, each once
do $$
declare
    w uuid := promise.worker('order');
    v_all int[];
begin
    perform promise.publish('order', 25);
    commit;
    assert promise.numbers(w, 10) = (select array_agg(n) from generate_series(1, 10) n);
    assert promise.numbers(w, 10) = (select array_agg(n) from generate_series(11, 20) n);
    assert promise.numbers(w, 1) = '{21}';
    assert promise.numbers(w) = '{22,23,24,25}';
    assert promise.numbers(w) = '{}';
    assert (select count(*) from postrider.claim(w)) = 0;
end
$$;

-- a claimed message carries its envelope, its lease, and the id as key when it has no other
do $$
declare
    w uuid := promise.worker('envelope');
    v_id uuid := postrider.publish(
        'a.b', '{"x": 1}', 'shop', 'reader', 'envelope', null, 3, '2026-01-02 03:04:05Z',
        '11111111-1111-1111-1111-111111111111', null, 'order', 'part', '{"h": 1}', '{"m": 1}', 'trace', 'class', 42);
    c record;
    l postrider.lease;
begin
    commit;
    select * into strict c from postrider.claim(w, 10, interval '2 minutes');
    assert c.id = v_id and c.idempotency_key = v_id::text, c;
    assert (c.event_type, c.payload::text, c.source, c.target, c.event_version, c.occurred_at, c.workspace_id)
         = ('a.b', '{"x": 1}', 'shop', 'reader', 3, '2026-01-02 03:04:05Z',
            '11111111-1111-1111-1111-111111111111'), c;
    assert (c.ordering_key, c.partition_key, c.headers::text, c.trace_context, c.content_class, c.generation)
         = ('order', 'part', '{"h": 1}', 'trace', 'class', 42), c;
    l := promise.newest_lease(w);
    assert (l.id, l.token, l.worker_id, l.members) = (c.lease_id, c.lease_token, w, array[c.seq]), l;
    assert l.deadline = l.claimed_at + interval '2 minutes' and l.finished_at is null, l;
end
$$;

-- without a deadline the consumer's is taken, then 15 minutes
do $$
declare
    w uuid := promise.worker('deadline');
    l postrider.lease;
begin
    perform promise.publish('deadline', 2);
    commit;
    perform postrider.claim(w, 1);
    l := promise.newest_lease(w);
    assert l.deadline = l.claimed_at + interval '15 minutes', l;
    update postrider.consumer set lease_deadline = '1 hour' where channel = 'deadline';
    perform postrider.claim(w, 1);
    l := promise.newest_lease(w);
    assert l.deadline = l.claimed_at + interval '1 hour', l;
end
$$;

-- a claim needs a known worker, READ COMMITTED and a sensible limit
do $$
declare
    w uuid := promise.worker('guards');
begin
    perform promise.publish('guards', 3);
    commit;
    perform promise.raises(format('select postrider.claim(%L)', gen_random_uuid()), 'PR004');
    perform promise.raises('select postrider.claim(null)', 'PR004');
    perform promise.raises(format('select postrider.claim(%L, -1)', w), 'PR001');
    perform promise.raises(format('select postrider.claim(%L, null)', w), 'PR001');
    perform promise.raises(format('select postrider.claim(%L, 10001)', w), 'PR001');
    assert promise.numbers(w, 0) = '{}';
    perform set_config('promise.worker', w::text, false);
end
$$;
begin isolation level repeatable read;
select promise.raises(format('select postrider.claim(%L)', current_setting('promise.worker')), 'PR005');
commit;
begin isolation level serializable;
select promise.raises(format('select postrider.claim(%L)', current_setting('promise.worker')), 'PR005');
select promise.raises($$select postrider.create_consumer('late_reader', 'guards')$$, 'PR005');
commit;
begin isolation level read uncommitted;
do $$
begin
    assert promise.numbers(current_setting('promise.worker')::uuid) = '{1,2,3}';
end
$$;
commit;

-- a transaction does not claim its own messages; later claims do
do $$
declare
    w uuid := promise.worker('own');
begin
    commit;
    perform promise.publish('own', 2);
    assert promise.numbers(w) = '{}', 'it must be invisible before the commit';
    commit;
    assert promise.numbers(w) = '{1,2}';
end
$$;

-- a claim that is rolled back never happened
do $$
declare
    w uuid := promise.worker('undone');
begin
    perform promise.publish('undone', 2);
    commit;
    assert promise.numbers(w) = '{1,2}';
    rollback;
    assert promise.numbers(w) = '{1,2}';
    commit;
    assert promise.numbers(w) = '{}';
end
$$;

-- target and type decide for whom a message is
do $$
declare
    a uuid := promise.worker('routing', '[{"name": "a.x", "event_types": ["user.created", "order.*"]}]', 'a');
    b uuid := promise.worker('routing', '[{"name": "b.all", "event_types": ["*"]}]', 'b');
begin
    perform postrider.publish(m.event_type, jsonb_build_object('n', m.n), p_target => m.target, p_channel => 'routing')
    from (values (1, 'user.created', null), (2, 'user.created2', null), (3, 'order.paid', null), (4, 'order', null),
                 (5, 'orders.paid', null), (6, 'order.', null), (7, 'user.created', 'a'), (8, 'user.created', 'b'),
                 (9, 'user.created', 'absent'), (10, 'user', null)) as m(n, event_type, target)
    order by m.n;
    commit;
    assert promise.numbers(a) = '{1,3,6,7}';
    assert promise.numbers(b) = '{1,2,3,4,5,6,8,10}';
end
$$;

-- LIKE's wildcards in a prefix are plain characters
do $$
declare
    v_patterns text[] := array['a_b.*', 'c%.*', 'd\.*', 'e\%_f.*', '%.*', '_.*', 'g_', '%', 'ü_.*', 'h''"{},.*'];
    v_types text[] := array['a_b.x', 'axb.x', 'c%.x', 'czz.x', 'c.x', 'd\.x', 'd.x', 'dx.x', 'e\%_f.x', 'eqqf.x',
                            '%.x', 'zz.x', '_.x', 'q.x', 'g_', 'gx', '%', 'anything', 'ü_.x', 'üx.x', 'h''"{},.x'];
    w uuid := promise.worker('wildcards',
        jsonb_build_array(jsonb_build_object('name', 'a.x', 'event_types', to_jsonb(v_patterns))));
    v_got text[];
    v_expected text[];
begin
    perform postrider.publish(t, p_channel => 'wildcards') from unnest(v_types) t;
    commit;
    select array_agg(c.event_type order by c.event_type) into v_got from postrider.claim(w, 100) c;
    select array_agg(t order by t) into v_expected from unnest(v_types) t where postrider.matches(t, v_patterns);
    assert v_got = v_expected, format('%s instead of %s', v_got, v_expected);
    assert v_got @> '{a_b.x,c%.x,%.x,_.x,g_,%}' and not v_got && '{axb.x,czz.x,zz.x,q.x,gx,anything}', v_got;
end
$$;

-- matches() knows exact types, prefixes and everything
do $$
begin
    assert postrider.matches('a.b', '{a.b}') and not postrider.matches('a.bc', '{a.b}');
    assert postrider.matches('a.b.c', '{a.*}') and not postrider.matches('ab.c', '{a.*}');
    assert not postrider.matches('a', '{a.*}') and postrider.matches('x', '{"*"}');
    assert postrider.matches('a', '{b,a}') and not postrider.matches('a', '{}');
    assert not postrider.matches('A.b', '{a.*}'), 'types are case sensitive';
end
$$;

-- every consumer sees every message; a new one from now on, or from the beginning
do $$
declare
    a uuid := promise.worker('broadcast', p_consumer => 'a');
    b uuid := promise.worker('broadcast', p_consumer => 'b');
    later uuid;
    from_beginning uuid;
begin
    perform promise.publish('broadcast', 3);
    commit;
    later := promise.worker('broadcast', p_consumer => 'later');
    from_beginning := promise.worker('broadcast', p_consumer => 'from_beginning', p_from_beginning => true);
    commit;
    assert promise.numbers(a) = '{1,2,3}';
    assert promise.numbers(b) = '{1,2,3}';
    assert promise.numbers(later) = '{}';
    assert promise.numbers(from_beginning, 2) = '{1,2}';
    perform postrider.publish('x', '{"n": 4}', p_channel => 'broadcast');
    commit;
    assert promise.numbers(later) = '{4}';
    assert promise.numbers(from_beginning) || promise.numbers(from_beginning) = '{3,4}';
    assert promise.numbers(a) = '{4}';
end
$$;

-- the workers of one consumer share its messages
do $$
declare
    a uuid := promise.worker('shared');
    b uuid := promise.worker('shared');
begin
    perform promise.publish('shared', 4);
    commit;
    assert promise.numbers(a, 1) = '{1}';
    assert promise.numbers(b, 2) = '{2,3}';
    assert promise.numbers(a, 2) = '{4}';
    assert promise.numbers(b, 2) = '{}';
end
$$;

-- channels do not mix, and the same consumer name on two channels is two consumers
do $$
declare
    a uuid := promise.worker('mix_a');
    b uuid := promise.worker('mix_b');
begin
    perform promise.publish('mix_a', 1);
    perform promise.publish('mix_b', 2);
    commit;
    assert promise.numbers(a) = '{1}';
    assert promise.numbers(b) = '{1,2}';
end
$$;

-- a paused consumer gets nothing and loses nothing
do $$
declare
    w uuid := promise.worker('paused');
begin
    perform promise.publish('paused', 2);
    commit;
    perform postrider.pause_consumer('reader', true, 'paused');
    assert promise.numbers(w) = '{}';
    perform postrider.pause_consumer('reader', false, 'paused');
    assert promise.numbers(w) = '{1,2}';
    perform promise.raises($q$select postrider.pause_consumer('absent', true, 'paused')$q$, 'PR003');
    perform promise.raises($q$select postrider.pause_consumer('reader', true, 'no_channel')$q$, 'PR003');
end
$$;

-- skipped messages move the cursor and are not read again
do $$
declare
    w uuid := promise.worker('passed', '[{"name": "a.x", "event_types": ["wanted"]}]');
    v_lease postrider.lease;
begin
    perform promise.publish('passed', 3000, 'unwanted');
    commit;
    assert promise.numbers(w) = '{}';
    commit;
    v_lease := promise.newest_lease(w);
    assert v_lease.members = '{}' and v_lease.finished_at is not null and v_lease.worker_id is null, v_lease;
    assert (select bool_and(postrider.covers(postrider.cursor_of(v_lease.consumer_id), m.xid, m.seq))
            from postrider.message m where m.channel = 'passed');
    assert promise.buffers(format('select * from postrider.exchange(%L, 10)', w)) < 170,
        'the second look is as expensive as the first';
    perform promise.publish('passed', 2, 'wanted');
    commit;
    assert promise.numbers(w) = '{1,2}';
end
$$;

-- an idle consumer writes no lease with every look
do $$
declare
    w uuid := promise.worker('idle');
    v_before postrider.lease;
    v_open int;
begin
    commit;
    -- The first claims of a new consumer write its position.
    for i in 1..2 loop
        assert promise.numbers(w) = '{}';
        commit;
    end loop;
    v_before := promise.newest_lease(w);
    -- A transaction that was open then, in any database of the cluster, is searched for once when it ends.
    v_open := (select count(*) from pg_snapshot_xip(v_before.open_snapshot));
    for i in 1..5 + v_open loop
        assert promise.numbers(w) = '{}';
        commit;
    end loop;
    assert (select count(*) from postrider.lease l
            where l.consumer_id = v_before.consumer_id and l.id > v_before.id) <= v_open;
end
$$;
