-- Promises about deliveries, messages with a row of their own:
--   claim_due() hands them out by priority, then by due time, never before they are due, never to a worker
--     without the handler, never more than asked for, whatever the statistics say
--   in a report about several deliveries each has its own result
--   the run is counted when it starts; after max_attempts runs a delivery is dead, not one run earlier or later
--   terminal is dead at once; snooze and interrupted cost nothing
--   a delivery that crashed its worker runs alone
--   deliveries that a handler takes in one run count as one and come together
--   a worker that claims counts as alive: its delivery is not reaped and charged at once
--   next_due() says when to look again
\ir ../include/promises.sql

-- by priority, then by due time, never before they are due
do $$
declare
    w uuid := promise.worker('sorted');
begin
    perform postrider.publish('a', jsonb_build_object('n', m.n), p_channel => 'sorted', p_priority => m.priority,
                              p_available_at => clock_timestamp() + m.due)
    from (values (1, -5, interval '0'), (2, 5, interval '-1 hour'), (3, 9, interval '1 hour'), (4, 5, interval '-2 hours'),
                 (5, 100, interval '-1 second'), (6, -100, interval '-1 day'), (7, 1, interval '-1 day'))
         as m(n, priority, due);
    commit;
    perform promise.park(w);
    perform postrider.publish('a', '{"n": 8}', p_channel => 'sorted', p_available_at => clock_timestamp() + interval '50 ms');
    commit;
    perform promise.park(w);
    commit;
    assert (select array_agg((c.payload ->> 'n')::int) from postrider.claim_due(w, 3) c) = '{5,4,2}';
    perform pg_sleep_until((select available_at from postrider.delivery where channel = 'sorted' and payload ->> 'n' = '8'));
    assert (select array_agg((c.payload ->> 'n')::int) from postrider.claim_due(w) c) = '{7,8,1,6}';
    assert (select count(*) from postrider.claim_due(w)) = 0, 'the one in an hour has to wait';
    assert postrider.next_due(w) = (select available_at from postrider.delivery
                                    where channel = 'sorted' and payload ->> 'n' = '3');
end
$$;

-- a claimed delivery carries its envelope, its token and its run
do $$
declare
    w uuid := promise.worker('carried');
    v_id uuid := postrider.publish(
        'a.b', '{"x": 1}', 'shop', 'reader', 'carried', null, 3, '2026-01-02 03:04:05Z',
        '11111111-1111-1111-1111-111111111111', null, 'order', 'part', '{"h": 1}', '{"m": 1}', 'trace', 'class', 42,
        p_priority => 1);
    c record;
    d postrider.delivery;
begin
    commit;
    perform promise.park(w);
    select * into strict c from postrider.claim_due(w, 1, '1 minute');
    select * into strict d from postrider.delivery where id = c.delivery_id;
    assert (d.status, d.worker_id, d.lease_token, d.deadline, d.attempts, d.cycle)
         = ('in_flight', w, c.lease_token, c.deadline, 1, 1), d;
    assert d.deadline = d.claimed_at + interval '1 minute', d;
    assert (c.handler, c.attempts, c.cycle, c.alone, c.id, c.idempotency_key)
         = ('test.all', 1, 1, false, v_id, v_id::text), c;
    assert (c.event_type, c.payload::text, c.source, c.target, c.event_version, c.occurred_at, c.workspace_id)
         = ('a.b', '{"x": 1}', 'shop', 'reader', 3, '2026-01-02 03:04:05Z',
            '11111111-1111-1111-1111-111111111111'), c;
    assert (c.ordering_key, c.partition_key, c.headers::text, c.trace_context, c.content_class, c.generation)
         = ('order', 'part', '{"h": 1}', 'trace', 'class', 42), c;
    perform promise.raises(format('select postrider.claim_due(%L, 0)', w), 'PR001');
    perform promise.raises(format('select postrider.claim_due(%L, 10001)', w), 'PR001');
    perform promise.raises(format('select postrider.claim_due(%L, null)', w), 'PR001');
end
$$;

-- deliveries that a handler takes in one run count as one and come together; the others are counted one by one
do $$
declare
    w uuid := promise.worker('batches', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["b"]},
                                          {"name": "c.x", "event_types": ["c"]}]');
begin
    perform postrider.publish(m.type, jsonb_build_object('n', m.n), p_channel => 'batches', p_priority => 1)
    from unnest('{a,b,c,a,b,c,a,b,c,a,b,c}'::text[]) with ordinality as m(type, n) order by m.n;
    commit;
    perform promise.park(w);
    commit;
    assert (select string_agg(c.event_type || (c.payload ->> 'n'), ' ')
            from postrider.claim_due(w, 4, p_batches => '{"b.x": 3, "c.x": 2}') c) = 'a1 b2 b5 b8 c3 c6 a4';
    assert (select string_agg(c.event_type || (c.payload ->> 'n'), ' ')
            from postrider.claim_due(w, 1, p_batches => '{"a.x": 9, "gone.x": 5}') c) = 'a7 a10';
    assert (select string_agg(c.event_type || (c.payload ->> 'n'), ' ') from postrider.claim_due(w) c) = 'c9 b11 c12';
    perform promise.raises(format('select postrider.claim_due(%L, 1, p_batches => %L)', w, b), 'PR001')
    from unnest('{[],1,null,"\"x\"","{\"a.x\": 0}","{\"a.x\": -1}","{\"a.x\": \"x\"}","{\"a.x\": null}","{\"a.x\": 100000}"}'::text[]) b;
    perform promise.raises(format('select postrider.claim_due(%L, 1, p_batches => null)', w), 'PR001');
end
$$;

-- a worker that claims counts as alive: its delivery is not reaped and charged at once
do $$
declare
    w uuid := promise.worker('late');
    v_alive timestamptz;
begin
    perform postrider.publish('a', p_channel => 'late', p_priority => 1) from generate_series(1, 2);
    commit;
    perform promise.park(w);
    update postrider.worker set alive_until = clock_timestamp() - interval '1 second' where id = w;
    commit;
    assert (select count(*) from postrider.claim_due(w, 1)) = 1;
    commit;
    perform postrider.reap();
    assert (select count(*) from postrider.delivery where worker_id = w and crashes = 0) = 1;
    -- A heartbeat that is recent enough is not written again.
    select alive_until into v_alive from postrider.worker where id = w;
    assert (select count(*) from postrider.claim_due(w, 1)) = 1;
    assert (select alive_until = v_alive and v_alive > clock_timestamp() + alive_for / 2 from postrider.worker where id = w);
end
$$;

-- a paused consumer gets no deliveries
do $$
declare
    w uuid := promise.worker('due_paused');
begin
    perform postrider.publish('a', p_channel => 'due_paused', p_priority => 1);
    commit;
    perform promise.park(w);
    perform postrider.pause_consumer('reader', true, 'due_paused');
    assert (select count(*) from postrider.claim_due(w)) = 0;
    perform postrider.pause_consumer('reader', false, 'due_paused');
    assert (select count(*) from postrider.claim_due(w)) = 1;
end
$$;

-- dead after exactly max_attempts runs
do $$
declare
    w uuid := promise.worker('exactly', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 4,
                                           "retry": {"curve": "immediate"}}]');
    c record;
    v_runs int := 0;
    v_result text;
begin
    perform postrider.publish('a', p_channel => 'exactly', p_priority => 1);
    perform postrider.publish('a', p_channel => 'exactly', p_priority => 1, p_max_attempts => 2);
    commit;
    perform promise.park(w);
    for i in 1..10 loop
        for c in select * from postrider.claim_due(w) loop
            v_runs := v_runs + 1;
            assert c.attempts = i, c;
            select result into strict v_result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
                'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'transient', 'error', 'run ' || i)));
            assert v_result in ('pending', 'failed');
        end loop;
        commit;
    end loop;
    assert v_runs = 4 + 2, v_runs;
    assert (select array_agg(concat_ws(' ', d.status, d.attempts, d.attempts_total, d.failures, d.last_error) order by d.seq)
            from postrider.delivery d where d.channel = 'exactly') = '{"failed 4 4 4 run 4","failed 2 2 2 run 2"}';
    assert (select bool_and(d.dead_at is not null and d.first_failed_at < d.dead_at) from postrider.delivery d
            where d.channel = 'exactly');
end
$$;

-- terminal is dead at once; snooze and interrupted cost nothing; delivered is delivered
do $$
declare
    w uuid := promise.worker('verdicts', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 1}]');
    c record;
    v_result text;
begin
    perform postrider.publish('a', jsonb_build_object('n', n), p_channel => 'verdicts', p_priority => 1)
    from generate_series(1, 4) n;
    commit;
    perform promise.park(w);
    for i in 1..3 loop
        for c in select d.*, (d.payload ->> 'n')::int as n from postrider.claim_due(w) d loop
            assert c.attempts = 1, 'a run that cost nothing was charged';
            select result into strict v_result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
                'delivery', c.delivery_id, 'token', c.lease_token, 'outcome',
                (array['delivered', 'terminal', 'snooze', 'interrupted'])[c.n], 'delay_ms',
                case c.n when 3 then 0 end)));
            assert v_result = (array['delivered', 'failed', 'pending', 'pending'])[c.n];
            assert (select result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
                'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered')))) = 'lost_lease',
                'one run, one outcome';
        end loop;
        commit;
    end loop;
    assert (select array_agg(concat_ws(' ', d.status, d.attempts, d.attempts_total, d.failures, d.interruptions) order by d.seq)
            from postrider.delivery d where d.channel = 'verdicts')
        = '{"delivered 1 1 0 0","failed 1 1 1 0","pending 0 0 0 0","pending 0 0 0 3"}';
end
$$;

-- a reported delay goes before the policy's
do $$
declare
    w uuid := promise.worker('delayed', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "fixed", "base_ms": 1000}}]');
    c record;
begin
    perform postrider.publish('a', p_channel => 'delayed', p_priority => 1) from generate_series(1, 2);
    commit;
    perform promise.park(w);
    for c in select d.*, row_number() over (order by d.delivery_id) as n from postrider.claim_due(w) d loop
        perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
            'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'transient', 'delay_ms',
            case c.n when 2 then 500000 end)));
    end loop;
    assert (select array_agg(round(extract(epoch from d.available_at - clock_timestamp())) order by d.id)
            from postrider.delivery d where d.channel = 'delayed') = '{1,500}';
end
$$;

-- settle_due() rejects an unknown outcome, and answers for an unknown delivery
do $$
declare
    w uuid := promise.worker('odd');
begin
    perform promise.raises(format('select postrider.settle_due(%L, %L)', w, '[{"delivery": 1, "outcome": "x"}]'), 'PR001');
    assert (select result from postrider.settle_due(w, '[{"delivery": -1, "outcome": "delivered"}]')) = 'lost_lease';
    assert not exists (select from postrider.settle_due(w, '[]'));
end
$$;

-- in a report about several deliveries each has its own result, regardless of the others
do $$
declare
    w uuid := promise.worker('several');
    c bigint[];
    v_token uuid;
begin
    perform postrider.publish('a', jsonb_build_object('n', n), p_channel => 'several', p_priority => 1)
    from generate_series(1, 6) n;
    commit;
    perform promise.park(w);
    commit;
    select array_agg(d.delivery_id), (array_agg(d.lease_token))[1] into c, v_token from postrider.claim_due(w, 6) d;
    assert (select array_agg(r.result order by r.delivery_id) from postrider.settle_due(w, (
                select jsonb_agg(jsonb_build_object('delivery', o.id, 'token', o.token, 'outcome', o.outcome, 'error', o.error))
                from (values (c[1], v_token, 'delivered', null), (c[2], v_token, 'transient', 'no'),
                             (c[3], gen_random_uuid(), 'delivered', null), (c[4], v_token, 'terminal', 'never'),
                             (c[5], v_token, 'delivered', 'with a scratch'), (c[6], v_token, 'snooze', null))
                     as o(id, token, outcome, error))) r)
         = '{delivered,pending,lost_lease,failed,delivered,pending}';
    assert (select array_agg(concat_ws(' ', d.status, d.outcome, d.last_error, d.attempts) order by d.id)
            from postrider.delivery d where d.id = any (c))
         = '{delivered delivered 1,pending transient no 1,in_flight 1,failed terminal never 1,'
           'delivered delivered with a scratch 1,pending snooze 0}';
    assert (select bool_and((d.delivered_at is not null, d.lease_token is null, d.worker_id is null)
                            = (d.status = 'delivered', d.status <> 'in_flight', d.status <> 'in_flight'))
            from postrider.delivery d where d.id = any (c));
    -- reported again, it is no longer this worker's
    assert (select array_agg(r.result) from postrider.settle_due(w, (
                select jsonb_agg(jsonb_build_object('delivery', o.id, 'token', v_token, 'outcome', 'delivered'))
                from unnest(c[1:2]) as o(id))) r) = '{lost_lease,lost_lease}';
end
$$;

-- a delivery that crashed its worker runs alone, in its turn, and only when nothing else runs
do $$
declare
    w uuid := promise.worker('alone', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}},
                                        {"name": "b.x", "event_types": ["b"]}]');
    c record;
    v_got text[];
begin
    perform postrider.publish('a', jsonb_build_object('n', n), p_channel => 'alone', p_priority => 5 - n)
    from generate_series(1, 4) n;
    commit;
    perform promise.park(w);
    update postrider.delivery set crashes = 1 where channel = 'alone' and payload ->> 'n' in ('1', '3');
    commit;
    assert (select array_agg(d.payload ->> 'n') from postrider.claim_due(w, 10, p_alone => false) d) = '{2,4}';
    rollback;
    select array_agg(d.payload ->> 'n' || d.alone) into v_got from postrider.claim_due(w, 10) d;
    assert v_got = '{1true}', v_got;
    commit;
    assert (select array_agg(d.payload ->> 'n' || d.alone) from postrider.claim_due(w, 10) d) = '{2false,4false}';
    commit;
    assert (select array_agg(d.payload ->> 'n' || d.alone) from postrider.claim_due(w, 10) d) = '{3true}';
end
$$;

-- exactly as many as asked for, however wrong the statistics
do $$
declare
    w uuid := promise.worker('stale', '[{"name": "a.x", "event_types": ["*"]}, {"name": "b.x", "event_types": ["*"]}]');
    v_count int;
begin
    perform postrider.publish('a', p_channel => 'stale', p_priority => 1);
    commit;
    perform promise.park(w);
    delete from postrider.delivery where channel <> 'stale' or handler = 'b.x';
    commit;
    analyze postrider.delivery;
    perform postrider.publish('a', p_channel => 'stale', p_priority => n % 3 + 1) from generate_series(1, 40) n;
    commit;
    perform promise.park(w);
    commit;
    assert (select count(*) from postrider.delivery where channel = 'stale' and status = 'pending') = 81;
    for i in 1..40 loop
        select count(*) into v_count from postrider.claim_due(w, 2);
        assert v_count = 2, format('round %s: %s', i, v_count);
        assert (select count(*) from postrider.delivery where channel = 'stale' and status = 'in_flight') = 2 * i;
        commit;
    end loop;
    assert (select count(*) from postrider.claim_due(w, 2)) = 1;
    assert (select max(attempts) from postrider.delivery where channel = 'stale') = 1;
end
$$;

-- next_due(): the earliest of all priorities and handlers of the worker, nothing when nothing waits
do $$
declare
    a uuid := promise.worker('next', '[{"name": "a.x", "event_types": ["a"]}]');
    b uuid := promise.worker('next', '[{"name": "b.x", "event_types": ["b"]}]');
    v_now timestamptz := clock_timestamp();
begin
    assert postrider.next_due(a) is null;
    perform postrider.publish('a', p_channel => 'next', p_priority => 9, p_available_at => v_now + interval '3 hours');
    perform postrider.publish('a', p_channel => 'next', p_priority => -9, p_available_at => v_now + interval '2 hours');
    perform postrider.publish('b', p_channel => 'next', p_available_at => v_now + interval '1 hour');
    commit;
    perform promise.park(a);
    assert postrider.next_due(a) = v_now + interval '2 hours';
    assert postrider.next_due(b) = v_now + interval '1 hour';
end
$$;

-- a delivery due at infinity waits until it is rescheduled, and next_due() never returns infinity
do $$
declare
    w uuid := promise.worker('infinite');
    v_ids bigint[];
begin
    perform postrider.publish('a', p_channel => 'infinite', p_available_at => 'infinity');
    commit;
    perform promise.park(w);
    assert postrider.next_due(w) is null;
    v_ids := array(select id from postrider.delivery where channel = 'infinite');
    perform postrider.publish('a', p_channel => 'infinite', p_priority => -1, p_available_at => '2100-01-01Z');
    commit;
    perform promise.park(w);
    assert postrider.next_due(w) = '2100-01-01Z';
    perform postrider.reschedule(v_ids, '-infinity', 'ann', 'long ago');
    commit;
    assert postrider.next_due(w) between now() and clock_timestamp();
    assert (select array_agg(delivery_id) from postrider.claim_due(w)) = v_ids;
end
$$;
