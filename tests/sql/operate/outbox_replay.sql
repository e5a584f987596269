-- Promises about outbox_replay():
--   a dead letter gets a new cycle: due at once, counters and errors cleared, id, idempotency key and payload kept
--   the cycle that died becomes one entry of failure_history, which keeps the last 20 and counts the others
--   every handler that is dead is replayed, no other one is touched
--   a generation moves it to that generation's channel and consumer; null leaves it where it is; the old consumer
--   gets it no second time
--   a delivery that is not dead is rejected, and so is one without a handler
--   the inbox keeps its entries
\ir ../include/promises.sql

-- said(channel, n): publishes n messages. Returns their ids.
create function promise.said(p_channel text, p_count int) returns uuid[]
    language sql
    as $$
    select array_agg(postrider.publish('a', jsonb_build_object('n', n), p_channel => p_channel, p_idempotency_key => 'key ' || n,
                                       p_generation => 1))
    from generate_series(1, p_count) n
    $$;

-- die(worker, handler): makes all messages dead letters at their first attempt.
create procedure promise.die(p_worker uuid, p_handler text default null)
    language plpgsql
    as $$
declare
    l postrider.lease;
begin
    perform postrider.claim(p_worker, 1000);
    l := promise.newest_lease(p_worker);
    perform postrider.settle(p_worker, l.id, l.token, null, (
        select jsonb_agg(jsonb_build_object('seq', s, 'handler', p_handler, 'outcome', 'terminal', 'error', 'no user ' || s,
                                            'error_class', 'missing'))
        from unnest(l.members) s));
    commit;
end
$$;

-- run(worker, outcome): claims due deliveries and reports the same outcome of each. Returns how many.
create function promise.run(p_worker uuid, p_outcome text) returns bigint
    language sql
    as $$
    with due as materialized (select * from postrider.claim_due(p_worker))
    select count(s.*) from (select jsonb_agg(jsonb_build_object('delivery', d.delivery_id, 'token', d.lease_token, 'outcome', p_outcome)) as all
                            from due d) o
    cross join lateral postrider.settle_due(p_worker, coalesce(o.all, '[]')) s
    $$;

-- a new cycle
do $$
declare
    w uuid := promise.worker('again');
    v_ids uuid[];
    before postrider.delivery;
    after postrider.delivery;
    h jsonb;
begin
    v_ids := promise.said('again', 1);
    commit;
    call promise.die(w);
    select * into before from postrider.delivery where channel = 'again';
    assert (before.status, before.fingerprint) = ('failed', postrider.fingerprint('missing', 'no user 1')), before;
    assert postrider.outbox_replay(v_ids[1], null, 'ann@example.com') = 2;
    select * into after from postrider.delivery where channel = 'again';
    assert (after.status, after.cycle, after.attempts, after.failures, after.crashes, after.interruptions, after.attempts_total)
         = ('pending', 2, 0, 0, 0, 0, 1), after;
    assert num_nonnulls(after.last_error, after.error_class, after.fingerprint, after.first_failed_at, after.dead_at,
                        after.outcome, after.replay_id, after.claimed_at) = 0, after;
    assert (after.id, after.message_id, after.idempotency_key, after.payload::text, after.seq, after.generation, after.channel)
         = (before.id, before.message_id, before.idempotency_key, before.payload::text, before.seq, before.generation, before.channel);
    assert after.available_at <= clock_timestamp() and after.cycle_started_at > before.dead_at;
    assert jsonb_array_length(after.failure_history) = 1;
    h := after.failure_history -> 0;
    assert h @> jsonb_build_object('cycle', 1, 'status', 'failed', 'outcome', 'terminal', 'attempts', 1, 'failures', 1, 'crashes', 0,
        'interruptions', 0, 'error_class', 'missing', 'last_error', before.last_error, 'fingerprint', before.fingerprint,
        'channel', 'again', 'generation', 1, 'replayed_by', 'ann@example.com', 'replay', null), h;
    assert (h ->> 'first_failed_at')::timestamptz = before.first_failed_at
       and (h ->> 'ended_at')::timestamptz = before.dead_at and (h ->> 'replayed_at')::timestamptz = after.cycle_started_at;
    commit;
    assert (select (c.attempts, c.cycle, c.id, c.idempotency_key) = (1, 2, v_ids[1], 'key 1') from postrider.claim_due(w) c);
    assert (select (actor, action, filter -> 'ids' ->> 0) = ('ann@example.com', 'outbox_replay', v_ids[1]::text)
            from postrider.audits order by audit desc limit 1);
end
$$;

-- only dead letters; a missing one has another error
do $$
declare
    w uuid := promise.worker('states');
    v_ids uuid[];
    c record;
begin
    v_ids := promise.said('states', 1);
    commit;
    perform promise.raises(format('select postrider.outbox_replay(%L, null, ''x'')', v_ids[1]), 'PR012');
    call promise.die(w);
    perform promise.raises(format('select postrider.outbox_replay(%L, null, null)', v_ids[1]), 'PR001');
    perform promise.raises(format('select postrider.outbox_replay(%L, null, '' '')', v_ids[1]), 'PR001');
    perform postrider.outbox_replay(v_ids[1], null, 'x');
    perform promise.raises(format('select postrider.outbox_replay(%L, null, ''x'')', v_ids[1]), 'PR012');
    select * into c from postrider.claim_due(w);
    perform promise.raises(format('select postrider.outbox_replay(%L, null, ''x'')', v_ids[1]), 'PR012');
    perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token,
                                                                         'outcome', 'delivered')));
    perform promise.raises(format('select postrider.outbox_replay(%L, null, ''x'')', v_ids[1]), 'PR012');
    perform promise.raises(format('select postrider.outbox_replay(%L, null, ''x'')', gen_random_uuid()), 'PR014');
    perform promise.raises('select postrider.outbox_replay(null, null, ''x'')', 'PR014');
end
$$;

-- every handler that is dead, no other one
do $$
declare
    w uuid := promise.worker('several', '[{"name": "a.x", "event_types": ["*"]}, {"name": "b.x", "event_types": ["*"]},
                                          {"name": "c.x", "event_types": ["*"]}]');
    other uuid := promise.worker('several', p_consumer => 'other');
    v_ids uuid[];
    l postrider.lease;
begin
    v_ids := promise.said('several', 1);
    commit;
    call promise.die(other);
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'handler', 'a.x', 'outcome', 'terminal'),
        jsonb_build_object('seq', l.members[1], 'handler', 'b.x', 'outcome', 'transient')));
    commit;
    assert postrider.outbox_replay(v_ids[1], null, 'x') = 2;
    assert (select array_agg(handler || ' ' || cycle || ' ' || status order by consumer_id, handler) from postrider.delivery
            where channel = 'several') = '{"a.x 2 pending","b.x 1 pending","test.all 2 pending"}';
end
$$;

-- a generation moves it
do $$
declare
    w uuid := promise.worker('outbox_gen_1', p_consumer => 'moved');
    n uuid;
    v_ids uuid[];
    v_rows text[];
begin
    v_ids := promise.said('outbox_gen_1', 1);
    commit;
    call promise.die(w);
    perform promise.raises(format('select postrider.outbox_replay(%L, 2, ''x'')', v_ids[1]), 'PR003');
    n := promise.worker('outbox_gen_2', '[{"name": "other.all", "event_types": ["*"]}]', 'moved');
    commit;
    perform promise.raises(format('select postrider.outbox_replay(%L, 2, ''x'')', v_ids[1]), 'PR011');
    n := promise.worker('outbox_gen_2', p_consumer => 'moved');
    commit;
    assert postrider.outbox_replay(v_ids[1], 2, 'x') = 2;
    commit;
    assert (select count(*) from postrider.claim_due(w)) = 0, 'the old generation has it still';
    select array_agg(o.channel || ' ' || o.consumer || ' ' || o.status || ' ' || o.generation) into v_rows
    from postrider.outbox o where o.id = v_ids[1];
    assert v_rows = '{"outbox_gen_2 moved pending 2"}', v_rows;
    assert (select (c.generation, c.id) = (2, v_ids[1]) from postrider.claim_due(n) c);
    update postrider.delivery set status = 'failed', dead_at = clock_timestamp(), claimed_at = null, worker_id = null,
        lease_token = null where message_id = v_ids[1];
    perform postrider.outbox_replay(v_ids[1], 1, 'x');
    assert (select (c.generation, c.cycle) = (1, 3) from postrider.claim_due(w) c), 'and back';
    assert (select count(*) from postrider.outbox o where o.id = v_ids[1]) = 1;
end
$$;

-- the old consumer gets no second delivery: by no redelivery
do $$
declare
    w uuid := promise.worker('outbox_gen_1', p_consumer => 'once');
    n uuid := promise.worker('outbox_gen_2', p_consumer => 'once');
    v_ids uuid[];
begin
    v_ids := promise.said('outbox_gen_1', 1);
    commit;
    call promise.die(w);
    perform postrider.outbox_replay(v_ids[1], 2, 'x');
    commit;
    assert postrider.lease_successes(promise.newest_lease(w), '{test.all}') = '{}', 'it died there';
    perform promise.raises(
        format($q$select postrider.redeliver(%L, 'once', 'test.all', false, 'x', 'y', 'outbox_gen_1')$q$, v_ids[1]), 'PR012');
    assert promise.run(n, 'delivered') = 1;
    assert postrider.redeliver(v_ids[1], 'once', 'test.all', false, 'x', 'y', 'outbox_gen_1') = 3;
    assert (select array_agg(channel || ' ' || status || ' ' || cycle) from postrider.delivery where message_id = v_ids[1])
         = '{"outbox_gen_2 pending 3"}', 'it stays where it is';
end
$$;

-- nor when a lease is reaped, or its members are classified again
do $$
declare
    v_handlers jsonb := '[{"name": "s.a", "event_types": ["*"]}, {"name": "s.b", "event_types": ["*"]}]';
    a uuid;
    b uuid;
    n uuid := promise.worker('outbox_gen_2', v_handlers, 'apart');
    v_consumer int;
    v_ids uuid[];
    v_rows text[];
begin
    a := promise.worker('outbox_gen_1', v_handlers, 'apart');
    a := promise.worker('outbox_gen_1', v_handlers - 1, 'apart');
    b := promise.worker('outbox_gen_1', v_handlers - 0, 'apart');
    v_consumer := (select consumer_id from postrider.worker where id = a);
    v_ids := promise.said('outbox_gen_1', 1);
    commit;
    assert (select count(*) from postrider.claim(a)) = 1;
    commit;
    assert promise.run(b, 'terminal') = 1, 'it was set aside for s.b';
    perform postrider.outbox_replay(v_ids[1], 2, 'x');
    commit;
    assert (select postrider.park(v_consumer, m.channel, array[m.xid], array[m.seq], '{s.b}', m.published_at, m.published_at)
            from postrider.message m where m.id = v_ids[1]) = 0, 'parked again';
    perform postrider.unregister_worker(a);
    perform postrider.reap();
    commit;
    select array_agg(channel || ' ' || handler order by channel, handler) into v_rows
    from postrider.delivery where message_id = v_ids[1];
    assert v_rows = '{"outbox_gen_1 s.a","outbox_gen_2 s.b"}', v_rows;
end
$$;

-- the history is capped
do $$
declare
    w uuid := promise.worker('long');
    v_ids uuid[];
    d postrider.delivery;
begin
    v_ids := promise.said('long', 1);
    commit;
    call promise.die(w);
    for i in 1..23 loop
        assert postrider.outbox_replay(v_ids[1], null, 'x') = i + 1;
        perform postrider.settle_due(w, jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome',
            'terminal', 'error', repeat('x', 8192)))) from postrider.claim_due(w) c;
    end loop;
    select * into d from postrider.delivery where channel = 'long';
    assert (jsonb_array_length(d.failure_history), d.history_dropped, d.attempts_total, d.cycle) = (20, 3, 24, 24), d;
    assert (d.failure_history -> 0 ->> 'cycle', d.failure_history -> 19 ->> 'cycle') = ('4', '23');
    assert pg_column_size(d.failure_history) < 20 * 2000;
end
$$;

-- the inbox keeps its entries
do $$
declare
    w uuid := promise.worker('inbox');
    v_ids uuid[];
begin
    v_ids := promise.said('inbox', 1);
    commit;
    call promise.die(w);
    perform postrider.handle_once(row('reader', 'test.all', '', 'key 1'));
    perform postrider.outbox_replay(v_ids[1], null, 'x');
    assert not postrider.handle_once(row('reader', 'test.all', '', 'key 1'));
end
$$;

-- a replay rings
do $$
declare
    w uuid := promise.worker('rung');
    v_ids uuid[];
begin
    v_ids := promise.said('rung', 1);
    commit;
    call promise.die(w);
    perform postrider.outbox_replay(v_ids[1], null, 'x');
    assert promise.bell_shared('rung'), 'the bell is neither shared nor rung';
end
$$;
