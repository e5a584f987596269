-- Promises about the classification of failures (terminal or transient) and their limits:
--   an error class is terminal or transient by the handler's lists, then by the default table; the longest entry wins
--   honour_terminal false: only the ceilings end a cycle
--   a failure of an outage class spends no attempt, of a first attempt or a retry, and counts for the circuit
--   the message's ceiling goes before the handler's, that before the settings'
--   a retry that would come after max_age_ms is not made; a replay resets the age
--   the arguments of register_worker() are checked
\ir ../include/promises.sql

-- run(worker, outcome, class): claims one due delivery and reports; returns the new status and the run's number.
create function promise.run(p_worker uuid, p_outcome text, p_class text default null) returns text
    language plpgsql
    as $$
declare
    c record;
    v_result text;
begin
    select * into c from postrider.claim_due(p_worker, 1);
    if not found then
        return 'nothing';
    end if;
    select result into v_result from postrider.settle_due(p_worker, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', p_outcome, 'error_class', p_class)));
    return v_result || ' ' || c.attempts;
end
$$;

-- the default table and the lists, as a function
do $$
declare
    p record;
begin
    for p in select * from (values
        ('transient', null, '{}', true, 'transient'),
        ('transient', 'timeout', '{}', true, 'transient'),
        ('terminal', 'timeout', '{}', true, 'terminal'),
        ('terminal', null, '{}', true, 'terminal'),
        ('transient', 'sqlstate:22P02', '{}', true, 'terminal'),
        ('transient', 'sqlstate:23505', '{}', true, 'terminal'),
        ('transient', 'sqlstate:40001', '{}', true, 'transient'),
        ('transient', 'sqlstate:40P01', '{}', true, 'transient'),
        ('transient', 'sqlstate:08006', '{}', true, 'transient'),
        ('transient', 'sqlstate:57P01', '{}', true, 'transient'),
        ('transient', 'sqlstate:53300', '{}', true, 'transient'),
        ('transient', 'sqlstate:24000', '{}', true, 'transient'),
        ('transient', 'http:404', '{"terminal": ["http:4*"]}', true, 'terminal'),
        ('transient', 'http:429', '{"terminal": ["http:4*"], "transient": ["http:429"]}', true, 'transient'),
        ('transient', 'http:404', '{"terminal": ["http:404"], "transient": ["http:4*"]}', true, 'terminal'),
        ('transient', 'http:500', '{"terminal": ["http:4*"]}', true, 'transient'),
        ('transient', 'sqlstate:23505', '{"transient": ["sqlstate:23505"]}', true, 'transient'),
        ('terminal', 'http:503', '{"transient": ["http:5*"]}', true, 'transient'),
        ('terminal', 'http:404', '{"transient": ["http:5*"]}', true, 'terminal'),
        ('transient', 'http', '{"terminal": ["http*"]}', true, 'terminal'),
        ('terminal', 'x', '{"terminal": ["x"]}', false, 'transient'),
        ('transient', 'sqlstate:23505', '{}', false, 'transient'),
        ('crashed', 'x', '{"terminal": ["x"]}', true, 'crashed'),
        ('delivered', 'x', '{"terminal": ["x"]}', true, 'delivered'),
        ('snooze', 'x', '{"terminal": ["x"]}', true, 'snooze'),
        ('interrupted', 'x', '{"terminal": ["x"]}', true, 'interrupted')) v(outcome, class, classes, honour, expected)
    loop
        assert postrider.classify(p.outcome, p.class, p.classes::jsonb, p.honour) = p.expected, p;
    end loop;
end
$$;

-- the handler's lists count for first attempts and for retries, in any language
do $$
declare
    w uuid := promise.worker('lists', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"},
        "classes": {"terminal": ["bad*"], "transient": ["sqlstate:23*"]}}]');
    l postrider.lease;
begin
    perform promise.publish('lists', 3);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'transient', 'error_class', 'bad_payload'),
        jsonb_build_object('seq', l.members[2], 'outcome', 'transient', 'error_class', 'sqlstate:23505'),
        jsonb_build_object('seq', l.members[3], 'outcome', 'transient', 'error_class', 'sqlstate:22003')));
    commit;
    assert (select array_agg(status || ' ' || outcome order by seq) from postrider.delivery where channel = 'lists')
         = '{"failed terminal","pending transient","failed terminal"}';
    assert promise.run(w, 'transient', 'bad') = 'failed 2';
end
$$;

-- honour_terminal false: no worker can declare a message dead
do $$
declare
    w uuid := promise.worker('humble', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 3,
                                          "retry": {"curve": "immediate"}, "honour_terminal": false}]');
begin
    perform postrider.publish('a', p_channel => 'humble', p_priority => 1);
    commit;
    perform promise.park(w);
    commit;
    assert array[promise.run(w, 'terminal'), promise.run(w, 'terminal'), promise.run(w, 'terminal'), promise.run(w, 'terminal')]
         = '{"pending 1","pending 2","failed 3",nothing}';
end
$$;

-- outage classes: uncharged from the first attempt on, and the circuit counts them
do $$
declare
    w uuid := promise.worker('away', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 1, "retry": {"curve": "immediate"},
        "classes": {"outage": ["away*"]}, "circuit": {"failures": 3}}]');
    l postrider.lease;
begin
    perform promise.publish('away', 2);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'transient', 'error_class', 'away:now'),
        jsonb_build_object('seq', l.members[2], 'outcome', 'transient', 'error_class', 'other')));
    commit;
    assert (select array_agg(concat_ws(' ', status, attempts, failures) order by seq) from postrider.delivery where channel = 'away')
         = '{pending 0 1,failed 1 1}';
    assert promise.run(w, 'transient', 'away') = 'pending 1';
    assert (select attempts = 0 from postrider.delivery where channel = 'away' and status = 'pending');
    assert (select circuit_state = 'open' from postrider.handlers where channel = 'away');
end
$$;

-- message, handler, settings, default
do $$
declare
    w uuid;
begin
    update postrider.setting set value = case name when 'max_attempts' then '7' when 'max_crashes' then '9'
        when 'retry' then '{"curve": "fixed", "base_ms": 5000}' when 'circuit' then '{"failures": 3}' end
    where name in ('max_attempts', 'max_crashes', 'retry', 'circuit');
    w := promise.worker('levels', '[{"name": "a.env", "event_types": ["*"]},
        {"name": "a.own", "event_types": ["*"], "max_attempts": 2, "max_crashes": 4, "retry": {"curve": "linear"},
         "circuit": {"failures": 0}}]');
    perform postrider.publish('a', p_channel => 'levels', p_priority => 1);
    perform postrider.publish('a', p_channel => 'levels', p_priority => 1, p_max_attempts => 11);
    commit;
    perform promise.park(w);
    assert (select array_agg(concat_ws(' ', handler, max_attempts, max_crashes, retry ->> 'curve') order by seq, handler)
            from postrider.delivery where channel = 'levels')
         = '{a.env 7 9 fixed,a.own 2 4 linear,a.env 11 9 fixed,a.own 11 4 linear}';
    assert (select array_agg(circuit ->> 'failures' order by handler) from postrider.handlers where channel = 'levels') = '{3,0}';
    -- From here on without any of these settings.
    delete from postrider.setting where name in ('max_attempts', 'max_crashes', 'retry', 'circuit');
    w := promise.worker('levels2');
    assert (select (max_attempts, max_crashes, retry, circuit) = (5, 3, '{}', '{}') from postrider.handlers where channel = 'levels2');
end
$$;

-- max_age_ms: from publication, and never a retry that would come later than that
do $$
declare
    w uuid := promise.worker('aged', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 100,
        "retry": {"curve": "fixed", "base_ms": 1000, "max_age_ms": 60000}}]');
    v_id uuid;
    v_got text;
begin
    v_id := postrider.publish('a', p_channel => 'aged', p_priority => 1);
    commit;
    perform promise.park(w);
    assert promise.run(w, 'transient') = 'pending 1';
    perform promise.due_now('aged');
    update postrider.delivery set published_at = clock_timestamp() - interval '59.5 seconds' where channel = 'aged';
    assert promise.run(w, 'transient') = 'failed 2', 'the next run would come after a minute';
    commit;
    perform postrider.outbox_replay(v_id, null, 'test');
    assert promise.run(w, 'transient') = 'pending 1', 'a replay resets the age';
    perform promise.due_now('aged');
    update postrider.delivery set cycle_started_at = clock_timestamp() - interval '1 hour' where channel = 'aged';
    v_got := promise.run(w, 'snooze');
    assert v_got = 'pending 2', 'not now is not a failure: ' || v_got;
    perform promise.due_now('aged');
    assert promise.run(w, 'crashed') = 'failed 2';
end
$$;

-- a first attempt that comes too late dies at once, too
do $$
declare
    w uuid := promise.worker('late', '[{"name": "a.x", "event_types": ["*"], "retry": {"max_age_ms": 0}}]');
    l postrider.lease;
begin
    perform promise.publish('late', 1);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'transient')));
    assert (select status || ' ' || outcome from postrider.delivery where channel = 'late') = 'failed transient';
end
$$;

-- a delay beyond the maximum is reduced to it, and no delay is negative
do $$
declare
    v_now timestamptz := clock_timestamp();
    v_outcome text;
begin
    foreach v_outcome in array array['transient', 'snooze', 'interrupted'] loop
        assert (select array_agg(extract(epoch from v.available_at - v_now) order by d.n)
                from unnest('{-1e15,0,1500,1e30,Infinity,NaN}'::float8[]) with ordinality as d(ms, n)
                cross join lateral postrider.decide(row(
                    v_outcome, null, d.ms, 1, 5, 0, 3, postrider.retry_policy('{}'), v_now, '{}', true, false, false)::postrider.run,
                    v_now, 0.5) v)
             = '{0,0,1.5,1000000000,1000000000,1000000000}', v_outcome;
    end loop;
end
$$;

-- arguments are checked
do $$
declare
    v_key text;
begin
    foreach v_key in array array[
        '"retry": {"max_age_ms": -1}', '"retry": {"max_age_ms": "1"}', '"classes": []', '"classes": {"dead": []}',
        '"classes": {"terminal": "x"}', '"classes": {"terminal": ["*"]}', '"classes": {"terminal": ["a*b"]}',
        '"classes": {"outage": "x"}', '"classes": {"terminal": ["a"], "outage": ["a"]}',
        '"classes": {"terminal": [1]}', '"classes": {"terminal": ["a"], "transient": ["b", "a"]}', '"circuit": true',
        '"circuit": {"failures": -1}', '"circuit": {"open_ms": 0}', '"circuit": {"x": 1}', '"circuit": {"ramp": "1"}',
        '"max_attempts": 0', '"max_crashes": 1001'] loop
        perform promise.raises(format('select promise.worker(''checked'', %L)',
            format('[{"name": "a.x", "event_types": ["*"], %s}]', v_key)), 'PR001');
    end loop;
    perform promise.worker('checked', '[{"name": "a.x", "event_types": ["*"], "retry": null, "classes": null, "circuit": null,
                                         "honour_terminal": null, "max_attempts": null}]');
end
$$;
