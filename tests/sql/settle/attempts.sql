-- Promises about attempts, groups and rollouts:
--   a failed run is in the view attempts with its error, duration and worker; snoozed, interrupted and delivered ones are not
--   a run that was lost with its worker has that worker, and the time since it was claimed
--   a delivery keeps the newest 20, over all cycles
--   a viewer sees no error texts; a duration must be a number that is not negative (PR001)
--   group_shown() counts deaths over time, also of dead letters that were replayed, and marks rollouts
--   group_fields() says which payload fields are the same, and writes it into the audit
\ir ../include/promises.sql

-- settle_all(worker, outcome, error, duration): claims due deliveries and reports them.
create function promise.settle_all(p_worker uuid, p_outcome text, p_error text, p_duration float8) returns int
    language plpgsql
    as $$
declare
    v_outcomes jsonb;
begin
    select jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', p_outcome, 'error', p_error,
                                        'error_class', 'timeout', 'duration_ms', p_duration))
    into v_outcomes from postrider.claim_due(p_worker, 10) c;
    perform postrider.settle_due(p_worker, coalesce(v_outcomes, '[]'));
    return coalesce(jsonb_array_length(v_outcomes), 0);
end
$$;

-- failed runs are recorded with error, duration and worker
do $$
declare
    v_worker uuid := promise.worker('attempts', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 40, "circuit": {"failures": 0}}]');
    v_seen text[];
    m record;
begin
    perform promise.publish('attempts', 1);
    commit;
    select * into m from postrider.claim(v_worker, 10);
    perform postrider.settle(v_worker, m.lease_id, m.lease_token, p_failures => jsonb_build_array(jsonb_build_object(
        'seq', m.seq, 'handler', 'test.all', 'outcome', 'transient', 'error', 'first', 'error_class', 'timeout', 'duration_ms', 12.5)));
    commit;
    perform promise.due_now('attempts');
    assert promise.settle_all(v_worker, 'snooze', 'not now', 1) = 1;
    perform promise.due_now('attempts');
    assert promise.settle_all(v_worker, 'transient', 'second', null) = 1;
    select array_agg(format('%s %s %s %s %s', a.cycle, a.attempt, a.outcome, a.error, a.duration_ms >= 0) order by a.at) into v_seen
    from postrider.attempts a where a.channel = 'attempts' and a.worker = v_worker;
    assert v_seen = '{"1 1 transient first t","1 2 transient second t"}', v_seen;
    assert (select a.duration_ms from postrider.attempts a where a.channel = 'attempts' and a.error = 'first') = 12.5;
    -- Its worker dies while it runs. A suspect is charged.
    update postrider.delivery set suspect = true where channel = 'attempts';
    perform promise.due_now('attempts');
    perform postrider.claim_due(v_worker, 1);
    update postrider.worker set alive_until = clock_timestamp() - interval '1 second' where id = v_worker;
    perform postrider.reap();
    select array_agg(format('%s %s', a.outcome, a.worker = v_worker) order by a.at) into v_seen
    from postrider.attempts a where a.channel = 'attempts' and a.outcome = 'crashed';
    assert v_seen = '{"crashed t"}', v_seen;
end
$$;

-- a delivery keeps the newest 20
do $$
declare
    v_worker uuid := promise.worker('bounded', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 40, "circuit": {"failures": 0}}]');
    m record;
begin
    perform promise.publish('bounded', 1);
    commit;
    select * into m from postrider.claim(v_worker, 10);
    perform postrider.settle(v_worker, m.lease_id, m.lease_token, p_failures => jsonb_build_array(jsonb_build_object(
        'seq', m.seq, 'outcome', 'transient', 'error', repeat('x', 3000))));
    for n in 2 .. 25 loop
        perform promise.due_now('bounded');
        assert promise.settle_all(v_worker, 'transient', 'again', 1) = 1;
    end loop;
    assert (select count(*) = 20 and min(a.attempt) = 6 and max(a.attempt) = 25 from postrider.attempts a where a.channel = 'bounded');
    perform promise.raises(format($q$select postrider.settle_due(%L, '[{"delivery": 1, "token": "%s", "outcome": "transient", "duration_ms": -1}]')$q$,
                                  v_worker, v_worker), 'PR001');
    perform promise.raises(format($q$select postrider.settle_due(%L, '[{"delivery": 1, "token": "%s", "outcome": "transient", "duration_ms": "long"}]')$q$,
                                  v_worker, v_worker), 'PR001');
end
$$;

-- a viewer sees no error texts
do $$
begin
    set local role postrider_viewer;
    perform a.duration_ms, a.worker from postrider.attempts a;
    perform promise.raises('select error from postrider.attempts', '42501');
    perform postrider.group_shown('reader', 'x', 'y', 'z');
end
$$;
reset role;

-- groups: deaths over time, rollouts, payload fields
do $$
declare
    v_worker uuid := gen_random_uuid();
    v_group text;
    g jsonb;
    f jsonb;
    m record;
begin
    perform postrider.register_worker(v_worker, 'reader', '[{"name": "test.all", "event_types": ["*"]}]', 'groups', 7, p_version => '1.2.3');
    perform postrider.register_worker(v_worker, 'reader', '[{"name": "test.all", "event_types": ["*"]}]', 'groups', 7, p_version => '1.2.3');
    perform postrider.publish('a.b', jsonb_build_object('country', 'DE', 'order', jsonb_build_object('id', n, 'kind', 'gift')),
                              p_channel => 'groups') from generate_series(1, 3) n;
    perform postrider.publish('a.b', '{"country": "DE", "order": {"id": 4, "kind": "gift"}, "extra": [1]}', p_channel => 'groups');
    commit;
    for m in select c.lease_id, c.lease_token, jsonb_agg(jsonb_build_object(
                 'seq', c.seq, 'outcome', 'terminal', 'error', 'no gift ' || c.seq, 'error_class', 'gift')) as failures
             from postrider.claim(v_worker, 10) c group by 1, 2
    loop
        perform postrider.settle(v_worker, m.lease_id, m.lease_token, p_failures => m.failures);
    end loop;
    commit;
    select fingerprint into strict v_group from postrider.dead_letter_groups where channel = 'groups';
    perform postrider.outbox_replay((select id from postrider.dead_letters where channel = 'groups' limit 1), null, 'ann');
    g := postrider.group_shown('reader', 'groups', 'test.all', v_group, 'hour');
    assert g #>> '{group,count}' = '3', g;
    assert (select sum((b ->> 'died')::int) from jsonb_array_elements(g -> 'buckets') b) = 4, g -> 'buckets';
    assert jsonb_array_length(g -> 'rollouts') = 1 and g #>> '{rollouts,0,generation}' = '7' and g #>> '{rollouts,0,version}' = '1.2.3', g;
    assert postrider.group_shown('reader', 'groups', 'test.all', 'none') is null;
    perform promise.raises(format($q$select postrider.group_shown('reader', 'groups', 'test.all', %L, 'year')$q$, v_group), 'PR001');
    f := postrider.group_fields('reader', 'groups', 'test.all', v_group, 'ann', 'compare');
    assert f ->> 'sample' = '3', f;
    assert f -> 'shared' = '[{"field": "country", "value": "DE"}, {"field": "order.kind", "value": "gift"}]', f;
    assert (select array_agg(d ->> 'field') from jsonb_array_elements(f -> 'differing') d) @> '{order.id}', f;
    assert exists (select from postrider.audits a where a.action = 'reveal' and a.actor = 'ann'
                   and jsonb_array_length(a.filter -> 'deliveries') = 3);
    perform promise.raises($q$select postrider.group_fields('reader', 'groups', 'test.all', 'none', 'ann', 'compare')$q$, 'PR014');
end
$$;

-- the rollouts that are kept are bounded
do $$
declare
    v_consumer int := postrider.create_consumer('many', 'rollouts');
begin
    perform postrider.note_rollout(v_consumer, n, '') from generate_series(1, 80) n;
    assert (select count(*) = 50 and max(r.generation) = 80 from postrider.rollouts r where r.consumer = 'many');
end
$$;
