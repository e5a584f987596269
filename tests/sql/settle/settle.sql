-- Promises of settle(), release() and exchange():
--   settling all finishes the lease; settling some leaves the rest in the lease; settling again is 'settled'
--   each outcome of a message has its effect, per handler
--   a wrong token, a lease taken back: 'lost_lease', and nothing changes
--   release() returns messages that were not started, uncharged
--   exchange() settles and claims in one step and reports the result of the settle
\ir ../include/promises.sql
\ir ../include/long_scans.sql

-- settling all, some, and again
do $$
declare
    w uuid := promise.worker('all');
    l postrider.lease;
begin
    perform promise.publish('all', 5);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    assert postrider.settle(w, l.id, l.token, l.members[1:2]) = 'open';
    l := promise.newest_lease(w);
    assert cardinality(l.members) = 3 and l.finished_at is null, l;
    assert postrider.settle(w, l.id, l.token, array[-1, l.members[1]]) = 'open', 'strangers are ignored';
    assert postrider.settle(w, l.id, l.token, '{}') = 'open', 'nothing reported, nothing changed';
    l := promise.newest_lease(w);
    assert cardinality(l.members) = 2, l;
    assert postrider.settle(w, l.id, l.token) = 'settled';
    l := promise.newest_lease(w);
    assert l.members = '{}' and l.finished_at is not null and l.reaped_at is null, l;
    assert postrider.settle(w, l.id, l.token) = 'settled', 'saying it twice is no error';
    assert postrider.settle(w, l.id, l.token, '{1}', '[{"seq": 1, "outcome": "transient"}]') = 'settled';
    assert not exists (select from postrider.delivery where channel = 'all'), 'what went well leaves no row';
end
$$;

-- reporting everything one by one finishes the lease
do $$
declare
    w uuid := promise.worker('each');
    l postrider.lease;
begin
    perform promise.publish('each', 2);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    assert postrider.settle(w, l.id, l.token, l.members[1:1]) = 'open';
    assert postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(
        jsonb_build_object('seq', l.members[2], 'outcome', 'terminal'))) = 'settled';
end
$$;

-- each outcome has its effect
do $$
declare
    w uuid := promise.worker('outcomes', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 2,
                                            "retry": {"curve": "fixed", "base_ms": 60000}}]');
    v_outcomes text[] := '{delivered,transient,terminal,crashed,snooze,interrupted}';
    l postrider.lease;
    d record;
    v_now timestamptz;
begin
    perform promise.publish('outcomes', 7);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    v_now := clock_timestamp();
    assert postrider.settle(w, l.id, l.token, null, (
        select jsonb_agg(jsonb_build_object('seq', l.members[i], 'outcome', v_outcomes[i], 'delay_ms',
                                            case v_outcomes[i] when 'snooze' then 5000 end,
                                            'error', 'because ' || i, 'error_class', 'class ' || i))
        from generate_series(1, 6) i)) = 'settled';
    for d in
        select v_outcomes[array_position(l.members, x.seq)] as outcome, x.*,
               round(extract(epoch from x.available_at - v_now)) as seconds
        from postrider.delivery x where x.channel = 'outcomes' order by x.seq
    loop
        assert d.seq <> l.members[7], 'not named, so delivered';
        assert d.last_error like 'because _' and d.error_class like 'class _', d;
        assert num_nonnulls(d.claimed_at, d.worker_id, d.lease_token, d.deadline) = 0, d;
        assert concat_ws(' ', d.status, d.attempts, d.attempts_total, d.failures, d.crashes, d.interruptions) =
            case d.outcome when 'delivered' then 'delivered 1 1 0 0 0'
                           when 'transient' then 'pending 1 1 1 0 0'
                           when 'terminal' then 'failed 1 1 1 0 0'
                           when 'crashed' then 'pending 1 1 0 1 0'
                           when 'snooze' then 'pending 0 0 0 0 0'
                           when 'interrupted' then 'pending 0 0 0 0 1' end, d;
        assert d.seconds = case d.outcome when 'transient' then 60 when 'crashed' then 60 when 'snooze' then 5 else 0 end
            or d.status in ('delivered', 'failed'), d;
        assert (d.first_failed_at is not null) = (d.outcome in ('transient', 'terminal', 'crashed')), d;
        assert (d.dead_at is not null) = (d.outcome = 'terminal'), d;
    end loop;
    assert (select count(*) from postrider.delivery where channel = 'outcomes') = 6;
end
$$;

-- a failure names its handler, or stands for all of them; the others are done
do $$
declare
    w uuid := promise.worker('named', '[{"name": "a.x", "event_types": ["*"]}, {"name": "b.x", "event_types": ["*"]}]');
    l postrider.lease;
begin
    perform promise.publish('named', 3);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    assert postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'transient', 'handler', 'b.x'),
        jsonb_build_object('seq', l.members[2], 'outcome', 'transient'),
        jsonb_build_object('seq', l.members[2], 'outcome', 'transient'),
        jsonb_build_object('seq', -5, 'outcome', 'transient'))) = 'settled';
    assert (select array_agg(d.payload ->> 'n' || ' ' || d.handler || ' ' || d.attempts order by d.seq, d.handler)
            from postrider.delivery d where d.channel = 'named') = '{"1 b.x 1","2 a.x 1","2 b.x 1"}';
end
$$;

-- max_attempts of 1 means that the first failure is the last, also of the first run from the log
do $$
declare
    w uuid := promise.worker('once', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 1}]');
    l postrider.lease;
begin
    perform promise.publish('once', 1);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'transient', 'error', repeat('x', 100000))));
    assert (select status from postrider.delivery where channel = 'once') = 'failed';
    assert (select length(last_error) from postrider.delivery where channel = 'once') = 8192, 'errors are cut';
end
$$;

-- an unknown outcome is rejected, and nothing changes
do $$
declare
    w uuid := promise.worker('unknown');
    l postrider.lease;
begin
    perform promise.publish('unknown', 2);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token,
        jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'exploded'))), 'PR001');
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token,
        jsonb_build_array(jsonb_build_object('seq', l.members[1]))), 'PR001');
    assert l::text = promise.newest_lease(w)::text;
    assert not exists (select from postrider.delivery where channel = 'unknown');
    perform promise.raises(format('select postrider.settle(%L, %s, %L)', gen_random_uuid(), l.id, l.token), 'PR004');
end
$$;

-- a wrong token, another consumer's worker, a lease taken back: lost, and nothing changes
do $$
declare
    w uuid := promise.worker('lost');
    stranger uuid := promise.worker('lost', p_consumer => 'stranger');
    l postrider.lease;
    v_before postrider.lease;
    v_failures jsonb;
begin
    perform promise.publish('lost', 2);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    v_failures := jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'transient'));
    assert postrider.settle(w, l.id, gen_random_uuid()) = 'lost_lease';
    assert postrider.settle(w, l.id, null) = 'lost_lease';
    assert postrider.settle(w, l.id + 1000, l.token) = 'lost_lease';
    assert postrider.settle(stranger, l.id, l.token, null, v_failures) = 'lost_lease';
    assert postrider.settle(w, l.id, gen_random_uuid(), null, v_failures) = 'lost_lease';
    assert postrider.release(w, l.id, gen_random_uuid()) = 'lost_lease';
    assert postrider.extend(w, l.id, gen_random_uuid(), '1 hour') = 'lost_lease';
    assert (select settled from postrider.exchange(w, 0, l.id, gen_random_uuid())) = 'lost_lease';
    assert (select settled from postrider.exchange(stranger, 0, l.id, l.token)) = 'lost_lease';
    assert l::text = promise.newest_lease(w)::text, 'the lease was changed';
    assert not exists (select from postrider.delivery where channel = 'lost');

    update postrider.lease set deadline = clock_timestamp() - interval '1 second' where id = l.id;
    perform postrider.reap();
    v_before := promise.newest_lease(w);
    assert v_before.reaped_at is not null, v_before;
    assert postrider.settle(w, l.id, l.token) = 'lost_lease';
    assert postrider.settle(w, l.id, l.token, l.members, v_failures) = 'lost_lease';
    assert postrider.release(w, l.id, l.token) = 'lost_lease';
    assert postrider.extend(w, l.id, l.token, '1 hour') = 'lost_lease';
    assert (select settled from postrider.exchange(w, 0, l.id, l.token)) = 'lost_lease';
    assert v_before::text = promise.newest_lease(w)::text;
    assert (select array_agg(status || failures) from postrider.delivery where channel = 'lost') = '{pending0,pending0}';
end
$$;

-- release() returns messages that were not started, uncharged, all or some
do $$
declare
    w uuid := promise.worker('release');
    l postrider.lease;
begin
    perform promise.publish('release', 4);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    assert postrider.release(w, l.id, l.token, l.members[2:2] || '{-1}') = 'open';
    assert postrider.release(w, l.id, l.token, '{}') = 'open';
    assert cardinality((promise.newest_lease(w)).members) = 3;
    assert postrider.settle(w, l.id, l.token, l.members[1:1]) = 'open';
    assert postrider.release(w, l.id, l.token) = 'settled';
    assert postrider.release(w, l.id, l.token) = 'settled';
    assert (select array_agg(d.payload ->> 'n' order by d.seq) from postrider.delivery d
            where d.channel = 'release' and d.status = 'pending' and d.attempts = 0 and d.failures = 0
              and d.interruptions = 1 and d.available_at <= clock_timestamp()) = '{2,3,4}';
    assert (select count(*) from postrider.claim_due(w)) = 3;
end
$$;

-- exchange() settles and claims in one step
do $$
declare
    w uuid := promise.worker('exchange');
    r record;
    s record;
    v_rows int := 0;
begin
    perform promise.publish('exchange', 5);
    commit;
    for r in select * from postrider.exchange(w, 2) loop
        v_rows := v_rows + 1;
        if r.seq is not null then
            assert num_nonnulls(r.settled, r.parked, r.lease_id, r.lease_token) = 0, r;
            assert r.payload ->> 'n' = v_rows::text and r.idempotency_key is null, r;
        end if;
    end loop;
    assert v_rows = 3 and r.seq is null and r.parked = 0 and r.settled is null, 'the summary comes last';
    commit;
    select array_agg(e.payload ->> 'n') filter (where e.seq is not null) as numbers, max(e.settled) as settled,
           max(e.lease_id) as lease_id, max(e.lease_token::text)::uuid as lease_token, max(e.parked) as parked
    into s from postrider.exchange(w, 2, r.lease_id, r.lease_token) e;
    assert s.numbers = '{3,4}' and s.settled = 'settled' and s.lease_id > r.lease_id, s;
    assert (select finished_at is not null and members = '{}' from postrider.lease where id = r.lease_id);
    commit;
    -- A lost lease is reported as lost, and the claim continues.
    select array_agg(e.payload ->> 'n') filter (where e.seq is not null) as numbers, max(e.settled) as settled
    into r from postrider.exchange(w, 2, s.lease_id, gen_random_uuid()) e;
    assert r.numbers = '{5}' and r.settled = 'lost_lease', r;
    commit;
    -- With failures, and nothing to claim.
    select * into strict r from postrider.exchange(w, 0, s.lease_id, s.lease_token, '{}', (
        select jsonb_build_array(jsonb_build_object('seq', members[1], 'outcome', 'terminal'))
        from postrider.lease where id = s.lease_id));
    assert r.settled = 'open' and r.lease_id is null and r.seq is null, r;
    select * into strict r from postrider.exchange(w, 1, s.lease_id, s.lease_token);
    assert r.settled = 'settled' and r.lease_id is null and r.lease_token is null and r.parked = 0, r;
    assert (select array_agg(payload ->> 'n' || status) from postrider.delivery where channel = 'exchange') = '{3failed}';
end
$$;

-- a worker that only settles claims no messages, also in its first call
\setenv PGDATABASE :DBNAME
do $$
begin
    perform set_config('promise.worker', promise.worker('settle_only')::text, false);
end
$$;
\setenv SETTLE_ONLY 'select count(*) from postrider.exchange((select id from postrider.worker order by started_at desc limit 1), 0)'
\set rows `psql -XqAt -c "$SETTLE_ONLY"`
select promise.raises(format('do $q$ begin assert %L = %L; end $q$', :'rows', '1'), '00000');

-- failed messages are found anywhere in the lease: at its ends, in one of few transactions or of many, named twice or
-- unknown, with its handler or without
create procedure promise.finds_failed_messages(p_channel text, p_handler text)
    language plpgsql
    as $$
declare
    w uuid := promise.worker(p_channel);
    l postrider.lease;
begin
    for i in 1..3 loop
        perform promise.publish(p_channel, case i when 2 then 1 else 600 end);
        commit;
    end loop;
    perform promise.numbers(w, 100);
    l := promise.newest_lease(w);
    assert postrider.settle(w, l.id, l.token) = 'settled';
    commit;
    perform promise.numbers(w, 1000);
    l := promise.newest_lease(w);
    assert cardinality(l.members) = 1000 and l.from_xid < l.to_xid, format('%s of %s to %s', cardinality(l.members), l.from_xid, l.to_xid);
    assert postrider.settle(w, l.id, l.token, '{}', (
        select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient', 'handler', p_handler))
        from unnest(array[l.members[1], l.members[500], l.members[502], l.members[1000], l.members[502]]) s)) = 'open';
    assert postrider.settle(w, l.id, l.token, '{}', (
        select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient', 'handler', p_handler))
        from unnest(array[l.members[2], l.members[501], l.members[999], 0, l.members[1]]) s)) = 'open';
    assert (select array_agg((d.payload ->> 'n')::int order by d.seq) from postrider.delivery d where d.channel = p_channel)
         = '{101,102,600,1,1,498,499}';
    assert cardinality((promise.newest_lease(w)).members) = 993;
    assert postrider.settle(w, l.id, l.token) = 'settled';
end
$$;
call promise.finds_failed_messages('few', null);
call promise.finds_failed_messages('few_named', 'test.all');
