-- Promises about immediate retries:
--   a worker may repeat runs of a lease as often as the policy makes a message due again without a delay, at most three times
--   a policy with a delay, with an age or beside a rate limit allows none; an attempt that would be the last one is not repeated
--   a failure that is reported with the runs before it has the attempts, failures and history of all of them, and dies at max_attempts
--   the circuit counts every run; during an outage none of them is charged
--   malformed earlier runs are refused (PR001)
\ir ../include/promises.sql

-- allowed(retry, max_attempts): what immediate_retries() allows for such a handler.
create function promise.allowed(p_retry jsonb, p_max_attempts int default 5) returns int
    language plpgsql
    as $$
declare
    v_worker uuid := promise.worker('policies', jsonb_build_array(jsonb_build_object(
        'name', 'test.all', 'event_types', '["*"]'::jsonb, 'retry', p_retry, 'max_attempts', p_max_attempts)));
begin
    return (select i.retries from postrider.immediate_retries(v_worker) i where i.handler = 'test.all');
end
$$;

-- report(worker, outcome, earlier): reports the next message of a worker.
create function promise.report(p_worker uuid, p_outcome text, p_earlier jsonb, p_error_class text default 'timeout') returns text
    language plpgsql
    as $$
declare
    m record;
begin
    select * into m from postrider.claim(p_worker, 1);
    return postrider.settle(p_worker, m.lease_id, m.lease_token, p_failures => jsonb_build_array(jsonb_build_object(
        'seq', m.seq, 'handler', 'test.all', 'outcome', p_outcome, 'error', 'last', 'error_class', p_error_class, 'duration_ms', 3,
        'earlier', p_earlier)));
end
$$;

-- as often as the policy has no delay
do $$
begin
    assert promise.allowed('{"curve": "immediate"}') = 3;
    assert promise.allowed('{"curve": "immediate"}', 1) = 0;
    assert promise.allowed('{"curve": "immediate"}', 2) = 1;
    assert promise.allowed('{"curve": "immediate"}', 4) = 3;
    assert promise.allowed('{"curve": "immediate", "floor_ms": 1}') = 0;
    assert promise.allowed('{"curve": "immediate", "max_age_ms": 60000}') = 0;
    assert promise.allowed('{}') = 0;
    assert promise.allowed('{"curve": "fixed", "base_ms": 1, "floor_ms": 0, "jitter": "full"}') = 0;
    assert promise.allowed('{"curve": "fixed", "base_ms": 0, "floor_ms": 0}') = 3;
    assert promise.allowed('{"curve": "list", "delays_ms": [0, 0, 1000], "floor_ms": 0}') = 2;
    assert promise.allowed('{"curve": "list", "delays_ms": [1000, 0], "floor_ms": 0}') = 0;
end
$$;

-- a rate limit counts starts, a limit of runs at once does not
do $$
declare
    v_worker uuid := promise.worker('rated', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"},
                                                "circuit": {"failures": 7}}]');
begin
    assert (select row(i.retries, i.failures) = row(3, 7) from postrider.immediate_retries(v_worker) i);
    perform postrider.set_limit('reader', 'test.all', '{"concurrency": 5}', 'tester', 'for a test', 'rated');
    assert (select i.retries = 3 from postrider.immediate_retries(v_worker) i);
    perform postrider.set_limit('reader', 'test.all', '{"rate": {"starts": 5, "period": "1 second"}}', 'tester', 'for a test', 'rated');
    assert (select i.retries = 0 from postrider.immediate_retries(v_worker) i);
    perform promise.raises(format('select postrider.immediate_retries(%L)', gen_random_uuid()), 'PR004');
end
$$;

-- all runs are attempts, and in the history
do $$
declare
    v_worker uuid := promise.worker('spent', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 4}]');
    d postrider.delivery;
    v_seen text[];
begin
    perform promise.publish('spent', 4);
    commit;
    assert promise.report(v_worker, 'transient', '[{"error": "first", "error_class": "busy", "duration_ms": 1.5, "ago_ms": 60000},
                                                   {"error": "second", "duration_ms": 2, "ago_ms": 10}]') = 'settled';
    select * into d from postrider.delivery where channel = 'spent';
    assert row(d.status, d.attempts, d.attempts_total, d.failures, d.last_error) = row('pending', 3, 3, 3, 'last'), d;
    select array_agg(format('%s %s %s %s %s %s', a.cycle, a.attempt, a.outcome, a.error, a.error_class, a.duration_ms) order by a.at) into v_seen
    from postrider.attempts a where a.channel = 'spent' and a.worker = v_worker;
    assert v_seen = '{"1 1 transient first busy 1.5","1 2 transient second  2","1 3 transient last timeout 3"}', v_seen;
    assert (select max(a.at) - min(a.at) = interval '1 minute' from postrider.attempts a where a.channel = 'spent');
    delete from postrider.delivery where channel = 'spent';
    -- The fourth run is the last.
    perform promise.report(v_worker, 'transient', '[{}, {}, {}]');
    select * into d from postrider.delivery where channel = 'spent';
    assert row(d.status, d.attempts, d.failures) = row('failed', 4, 4) and d.fingerprint is not null, d;
    delete from postrider.delivery where channel = 'spent';
    -- A run that was interrupted is not charged, the one before it is.
    perform promise.report(v_worker, 'interrupted', '[{}]', 'stopped');
    select * into d from postrider.delivery where channel = 'spent';
    assert row(d.status, d.attempts, d.failures, d.interruptions) = row('pending', 1, 1, 1), d;
    delete from postrider.delivery where channel = 'spent';
    -- null is none.
    perform promise.report(v_worker, 'transient', null);
    select * into d from postrider.delivery where channel = 'spent';
    assert row(d.status, d.attempts, d.failures) = row('pending', 1, 1), d;
end
$$;

-- the circuit counts every run, and an outage charges none
do $$
declare
    v_worker uuid := promise.worker('down', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"},
                                               "circuit": {"failures": 6}}]');
begin
    perform promise.publish('down', 3);
    commit;
    perform promise.report(v_worker, 'transient', '[{}, {}]');
    assert (select c.failures = 3 and c.state = 'closed' from postrider.circuit c join postrider.consumer o on o.id = c.consumer_id
            where o.channel = 'down');
    perform promise.report(v_worker, 'transient', '[{}]');
    assert (select c.failures = 5 and c.state = 'closed' from postrider.circuit c join postrider.consumer o on o.id = c.consumer_id
            where o.channel = 'down');
    perform promise.report(v_worker, 'transient', '[{}]');
    assert (select c.state = 'open' from postrider.circuit c join postrider.consumer o on o.id = c.consumer_id where o.channel = 'down');
end
$$;
do $$
declare
    v_worker uuid := promise.worker('outage', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"},
                                                 "max_attempts": 2}]');
    m record;
begin
    perform promise.publish('outage', 1);
    commit;
    select * into m from postrider.claim(v_worker, 1);
    insert into postrider.circuit (consumer_id, handler, state, failures, opened_at, probe_at, openings, allowed)
    select c.id, 'test.all', 'open', 20, clock_timestamp(), clock_timestamp() + interval '1 hour', 1, 1
    from postrider.consumer c where c.channel = 'outage';
    perform postrider.settle(v_worker, m.lease_id, m.lease_token, p_failures => jsonb_build_array(jsonb_build_object(
        'seq', m.seq, 'handler', 'test.all', 'outcome', 'transient', 'earlier', '[{}]'::jsonb)));
    assert (select row(d.status, d.attempts, d.failures) = row('pending', 0, 2) from postrider.delivery d where d.channel = 'outage');
end
$$;

-- malformed ones
do $$
declare
    v_worker uuid := promise.worker('malformed', '[{"name": "test.all", "event_types": ["*"]}]');
    v_earlier text;
begin
    perform promise.publish('malformed', 1);
    commit;
    foreach v_earlier in array array['{}', '"x"', '1', '[1]', '[null]', '[[]]', '[{"errors": "x"}]', '[{"duration_ms": -1}]', '[{"ago_ms": "1"}]',
                                     '[{"duration_ms": 1e13}]', '[{"ago_ms": true}]', '[{"error": {}}]'] loop
        perform promise.raises(format('select promise.report(%L, ''transient'', %L)', v_worker, v_earlier), 'PR001');
    end loop;
    perform promise.raises(format(
        $q$select promise.report(%L, 'transient', (select jsonb_agg('{}'::jsonb) from generate_series(1, 1001)))$q$, v_worker), 'PR001');
    -- Behind a failure that has none.
    perform promise.raises($q$select postrider.require_earlier((
        select jsonb_build_array('{}'::jsonb, jsonb_build_object('earlier', jsonb_agg('{}'::jsonb))) from generate_series(1, 1001)))$q$, 'PR001');
    perform promise.raises(format($q$select postrider.settle_due(%L, '[{"delivery": 1, "token": "%s", "outcome": "transient", "earlier": []}]')$q$,
                                  v_worker, v_worker), 'PR001');
end
$$;
