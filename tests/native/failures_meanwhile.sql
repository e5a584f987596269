-- Promises of exchange_native() about failures and what happens beside them:
--   where a circuit counts, or a lease or a handler has changed since the claim, settle() looks closer
--   it refuses what settle() refuses
--   when a message is due again first_retry() says, and chance; a policy that has changed holds at once
\ir include/failures.sql

-- everything has failed: the circuit counts
select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed')) as failures from generate_series(1, 10) n \gset
call promise.fail('everything fails', :'failures', false);
-- and is at rest only when something has succeeded again
do $$
declare
    w uuid;
    l postrider.lease;
    v_types text;
    v_helped bigint;
begin
    foreach v_types in array array['*', 'test.*'] loop
        w := promise.worker('rest ' || v_types, jsonb_build_array(jsonb_build_object(
            'name', 'test.all', 'event_types', jsonb_build_array(v_types))));
        perform promise.publish('rest ' || v_types, 40);
        commit;
        foreach v_helped in array array[1, 1, 0] loop
            l := promise.claim(w, 4, true);
            commit;
            assert v_helped = promise.report(l, (
                select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed'))
                from generate_series(1, case when exists (select from postrider.circuit where consumer_id = l.consumer_id)
                                             then 1 else 4 end) n));
            commit;
        end loop;
        assert (select failures = 0 and state = 'closed' from postrider.circuit where consumer_id = l.consumer_id);
    end loop;
end
$$;
-- Of a handler of which settle() does not know that, the count stays. One that is not closed is always looked at.
do $$
declare
    w uuid := promise.worker('counted', '[{"name": "test.some", "event_types": ["test.*"]}, {"name": "test.all", "event_types": ["*"]}]');
    l postrider.lease;
    v_state text;
begin
    perform promise.publish('counted', 40);
    insert into postrider.circuit (consumer_id, handler, failures, failing_since)
    select consumer_id, 'test.some', 3, now() from postrider.worker where id = w;
    commit;
    foreach v_state in array array['closed', 'trial'] loop
        l := promise.claim(w, 4, true);
        update postrider.circuit set state = v_state where consumer_id = l.consumer_id;
        commit;
        assert (v_state <> 'closed')::int = promise.report(l, '[{"n": 2, "handler": "test.some", "outcome": "failed"}]'), v_state;
        commit;
        assert v_state <> 'closed' or 3 = (select failures from postrider.circuit where consumer_id = l.consumer_id);
    end loop;
end
$$;

-- a message that has a delivery already; a lease that was extended, that is another session's, or taken back
do $$
declare
    w uuid;
    l postrider.lease;
    v_case text;
begin
    foreach v_case in array array['as it was', 'delivery', 'extended', 'partly', 'older', 'revised', 'retired'] loop
        w := promise.worker(v_case);
        perform promise.publish(v_case, 10);
        commit;
        l := promise.claim(w, 4, true);
        commit;
        case v_case
            when 'delivery' then
                insert into postrider.delivery (consumer_id, handler, crashes_max, available_at, seq, published_at, message_id, channel,
                    event_type, event_version, occurred_at, source, payload, idempotency_key, priority)
                select l.consumer_id, 'test.all', 3, now(), m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version,
                       m.occurred_at, m.source, '{}', m.id::text, 0
                from postrider.message m where m.seq = l.members[2];
            when 'extended' then
                assert postrider.extend(w, l.id, l.token, interval '1 hour') = 'extended';
            when 'partly' then
                perform postrider.settle(w, l.id, l.token, l.members[1:1]);
            when 'older' then
                for i in 1 .. 5 loop
                    perform promise.claim(w, 1, true);
                    commit;
                end loop;
            when 'revised' then  -- the message is one of the revision before
                perform promise.worker(v_case, '[{"name": "test.all", "event_types": ["test.*"]}]');
            when 'retired' then
                perform postrider.retire_handler('reader', 'test.all', v_case);
            else null;
        end case;
        commit;
        assert (v_case <> 'as it was')::int = promise.report(l, '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]'),
            v_case;
        assert (select count(*) = 1 and min(last_error) is not distinct from case when v_case <> 'delivery' then 'no' end
                from postrider.delivery where seq = l.members[2]), v_case;
        commit;
    end loop;
end
$$;

-- what settle() refuses
do $$
declare
    w uuid := promise.worker('refused', '[{"name": "test.all", "event_types": ["*"]}, {"name": "test.rare", "event_types": ["rare.*", "test", "x"]}]');
    l postrider.lease;
begin
    perform promise.publish('refused', 2), promise.publish('refused', 1, 'rare.one'), promise.publish('refused', 1, 'rarest');
    commit;
    l := promise.claim(w, 4, true);
    commit;
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token, promise.of(l, f)), expected)
    from (values ('[{"n": 2, "handler": "test.other", "outcome": "failed"}]'::jsonb, 'PR011'),
                 ('[{"n": 2, "handler": "test.rare", "outcome": "failed"}]', 'PR011'),
                 ('[{"n": 4, "handler": "test.rare", "outcome": "failed"}]', 'PR011'),
                 ('[{"n": 2, "handler": "test.all", "outcome": "gone"}]', 'PR001'),
                 ('[{"n": 2, "handler": "test.all"}]', 'PR001'),
                 ('[{"handler": "test.all", "outcome": "failed"}]', 'PR001'),
                 ('[{"seq": 1.5, "handler": "test.all", "outcome": "failed"}]', 'PR001'),
                 ('[{"seq": "one", "handler": "test.all", "outcome": "failed"}]', 'PR001'),
                 ('[1]', 'PR001')) v(f, expected);
    assert postrider.settle(w, l.id, gen_random_uuid(), null, promise.of(l,
        '[{"n": 2, "handler": "test.all", "outcome": "failed"}]')) = 'lost_lease';
    assert promise.deliveries(l) is null;
end
$$;

-- chance: full jitter spreads the first delay evenly, and never below the floor
do $$
declare
    w uuid := promise.worker('chance', '[{"name": "test.all", "event_types": ["*"],
                                          "retry": {"base_ms": 10000, "floor_ms": 1000}}]');
    l postrider.lease;
    v_waits float8[];
    v_most jsonb := (select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed',
                                                         'error_class', 'sqlstate:40001')) from generate_series(1, 1000) n);
begin
    perform promise.publish('chance', 1001);
    commit;
    l := promise.claim(w, 1001, true);
    commit;
    assert 0 = promise.report(l, v_most);
    rollback;
    assert 1 = promise.report(l, jsonb_set(v_most, '{500,error_class}', '"sqlstate:22001"')), 'one of another class';
    rollback;
    assert 0 = promise.report(l, v_most);
    v_waits := array(select extract(epoch from d.available_at - d.first_failed_at) from postrider.delivery d
                     where d.consumer_id = l.consumer_id order by 1);
    assert cardinality(v_waits) = 1000 and v_waits[1] >= 1 and v_waits[1000] <= 10, v_waits;
    assert (select count(distinct x) from unnest(v_waits) x) > 850, 'they are not the same few';
    for i in 2 .. 9 loop  -- each tenth of the range but the first, which the floor cuts
        assert (select count(*) from unnest(v_waits) x where x >= i and x < i + 1) between 50 and 150, i;
    end loop;
end
$$;

-- a policy that was changed holds from the next report on, and so does a function
do $$
declare
    w uuid;
    l postrider.lease;
    v_wait interval;
begin
    foreach v_wait in array array['1 second', '7 seconds']::interval[] loop
        w := promise.worker('changed', jsonb_build_array(jsonb_build_object(
            'name', 'test.all', 'event_types', '["*"]'::jsonb, 'retry', jsonb_build_object(
                'curve', 'fixed', 'jitter', 'none', 'base_ms', extract(epoch from v_wait) * 1000))));
        for i in 1 .. 2 loop
            perform promise.publish('changed', 3);
            commit;
            l := promise.claim(w, 3, true);
            commit;
            assert 0 = promise.report(l, '[{"n": 2, "handler": "test.all", "outcome": "failed"}]');
            assert (promise.deliveries(l) -> 0 ->> 'wait')::interval = v_wait, promise.deliveries(l);
            commit;
        end loop;
    end loop;
end
$$;
