-- Promises about outages:
--   enough transient failures in a row open a handler's circuit; a success in between, a terminal error or a crash does not,
--   nor the success of another handler prevents it
--   while it is open no run of the handler starts and failures cost no attempt; other handlers continue
--   then one probe at a time, at growing intervals while they fail; after a success 2, 4 … at once, then it is closed
--   if no delivery is due as a probe, first attempts are on trial, until as many have failed in a row as opened it
--   messages that always fail do not keep it open: a delivery that has not failed is the first probe, and first attempts are on trial
--   when the first probe has failed, although more that fail are before those that succeed, and others wait with a high priority
--   a decision of an operator takes precedence
--   successes write nothing
\ir ../include/promises.sql
\ir ../include/dead.sql
\ir ../include/circuits.sql

-- also in leases that contain messages of another handler
do $$
declare
    w uuid := promise.worker('beside', '[{"name": "a.x", "event_types": ["mail"], "circuit": {"failures": 5}},
                                         {"name": "a.y", "event_types": ["book"]}]');
begin
    for i in 1..3 loop
        perform promise.publish('beside', 2, 'mail');
        perform promise.publish('beside', 2, 'book');
        commit;
        call promise.settle_some(w, 4, 2);
    end loop;
    assert promise.circuit('beside') = 'open 6 1 1 0', promise.circuit('beside');
    assert promise.circuit('beside', 'a.y') like 'closed 0 0 %', promise.circuit('beside', 'a.y');
end
$$;

-- first attempts open it; meanwhile nothing is handed out and nothing is charged
do $$
declare
    w uuid := promise.worker('down', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 2,
                                        "circuit": {"failures": 5, "open_ms": 60000, "cap_ms": 150000, "ramp": 4}}]');
    v_due timestamptz;
begin
    perform promise.publish('down', 40);
    commit;
    call promise.settle_some(w, 4, 4);
    assert promise.circuit('down') = 'closed 4 0 0 0', promise.circuit('down');
    call promise.settle_some(w, 2, 2);
    assert promise.circuit('down') = 'open 6 1 1 0', promise.circuit('down');
    assert (select (held, held_handlers) = (true, '{a.x}') from postrider.consumers where channel = 'down');
    assert (select array_agg(kind || ' ' || handler_name || ' ' || last_error) from postrider.alerts where channel = 'down')
         = '{"circuit_opened a.x down"}';
    assert promise.numbers(w) = '{}', 'no first attempts';
    assert (select count(*) from postrider.claim_due(w)) = 0, 'no retries';
    v_due := postrider.next_due(w);
    assert v_due between clock_timestamp() + interval '50 seconds' and clock_timestamp() + interval '60 seconds', v_due;
    commit;
    -- a probe fails: uncharged, and the next one has to wait twice as long, but never longer than the cap
    perform promise.probe_now('down');
    assert postrider.next_due(w) < clock_timestamp();
    assert (select count(*) from postrider.claim_due(w, 10)) = 1, 'one probe';
    commit;
    assert (select count(*) from postrider.claim_due(w, 10)) = 0, 'at a time';
    assert promise.circuit('down') = 'open 6 1 1 1';
    perform postrider.settle_due(w, jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'transient')))
    from postrider.delivery d where d.channel = 'down' and d.status = 'in_flight';
    commit;
    assert promise.circuit('down') = 'open 6 2 1 0', promise.circuit('down');
    assert (select probe_at - clock_timestamp() between interval '115 s' and interval '120 s' from postrider.handlers where channel = 'down');
    -- then first attempts are on trial, uncharged as well
    perform promise.probe_now('down');
    assert promise.run(w, 10, 'transient') = 0, 'those that have failed wait';
    call promise.settle_some(w, 4, 4);
    assert promise.circuit('down') = 'trial 4 2 0 0', promise.circuit('down');
    call promise.settle_some(w, 1, 1);
    assert promise.circuit('down') = 'open 5 3 1 0', promise.circuit('down');
    assert (select probe_at - clock_timestamp() between interval '145 s' and interval '150 s' from postrider.handlers where channel = 'down');
    update postrider.delivery set available_at = now() where channel = 'down' and status = 'pending';
    assert (select array_agg(distinct attempts || ' ' || status) from postrider.delivery where channel = 'down') = '{"0 pending","1 pending"}',
        (select array_agg(distinct attempts || ' ' || status) from postrider.delivery where channel = 'down');
    -- up again before the first probe: one, after its success 2 at once, then 4, then all
    update postrider.circuit set openings = 1 where handler = 'a.x';
    perform promise.probe_now('down');
    assert promise.run(w, 10, 'delivered') = 1;
    assert promise.circuit('down') = 'ramp 5 1 2 0', promise.circuit('down');
    assert postrider.next_due(w) <= clock_timestamp(), 'and no probe is waited for';
    assert promise.numbers(w) = '{}';
    assert promise.run(w, 10, 'delivered') = 2;
    assert promise.circuit('down') = 'ramp 5 1 4 0';
    assert promise.run(w, 10, 'delivered') = 4, 'eleven had failed';
    assert promise.circuit('down') = 'closed 0 0 0 0', promise.circuit('down');
    commit;
    assert cardinality(promise.numbers(w)) = 29;
    assert (select count(*) from postrider.alerts where channel = 'down') = 1;
end
$$;

-- a delivery that has not failed is the probe before those that have, whatever their priority
do $$
declare
    w uuid := promise.worker('mixed', '[{"name": "a.x", "event_types": ["mail"], "retry": {"curve": "immediate"}, "circuit": {"failures": 3, "ramp": 1}},
                                        {"name": "a.y", "event_types": ["book"]}]');
begin
    perform promise.publish('mixed', 5, 'mail');
    commit;
    call promise.settle_some(w, 5, 5);
    update postrider.delivery set priority = 5 where channel = 'mixed';
    perform promise.publish('mixed', 1, 'mail');
    perform promise.publish('mixed', 1, 'book');
    commit;
    call promise.settle_some(w, 2, 0);
    assert (select count(*) from postrider.delivery where channel = 'mixed' and failures = 0) = 1, 'it waits for the outage to end';
    perform promise.probe_now('mixed');
    assert promise.run(w, 10, 'delivered') = 1;
    assert (select failures = 0 from postrider.delivery where channel = 'mixed' and status = 'delivered');
    assert promise.circuit('mixed') = 'closed 0 0 0 0', promise.circuit('mixed');
end
$$;

-- and first attempts are on trial when the first probe has failed; one that succeeds closes it, although others have failed before
do $$
declare
    w uuid := promise.worker('poison', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "circuit": {"failures": 3}}]');
begin
    perform promise.publish('poison', 7);
    commit;
    call promise.settle_some(w, 3, 3);
    insert into postrider.message (channel, event_type, payload, priority) select 'poison', 'a', '{}', 9 from generate_series(1, 3);
    commit;
    perform promise.park(w);
    perform promise.probe_now('poison');
    assert promise.run(w, 10, 'transient') = 1;
    commit;
    assert promise.circuit('poison') = 'open 3 2 1 0', promise.circuit('poison');
    perform promise.probe_now('poison');
    assert promise.run(w, 2, 'transient') <= 2;
    assert promise.circuit('poison') like 'trial %', promise.circuit('poison');
    call promise.settle_some(w, 10, 1);
    update postrider.delivery set available_at = now() where channel = 'poison' and status = 'pending';
    assert promise.run(w, 1, 'transient') = 1;
    assert promise.circuit('poison') like 'closed %', promise.circuit('poison');
end
$$;

-- a failure while it ramps up puts it on trial: others have succeeded
do $$
declare
    w uuid := promise.worker('relapse', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "circuit": {"failures": 3}}]');
begin
    perform promise.publish('relapse', 9);
    commit;
    call promise.settle_some(w, 9, 9);
    perform promise.probe_now('relapse');
    assert promise.run(w, 10, 'delivered') = 1;
    assert promise.run(w, 10, 'transient') = 2;
    assert promise.circuit('relapse') = 'trial 0 1 0 0', promise.circuit('relapse');
end
$$;

-- a report of deliveries in which one succeeded counts as a success of the handler, whatever the other outcomes
do $$
declare
    w uuid := promise.worker('both', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 9,
                                        "circuit": {"failures": 5}}]');
begin
    perform promise.publish('both', 4);
    commit;
    call promise.settle_some(w, 4, 4);
    assert promise.circuit('both') = 'closed 4 0 0 0', promise.circuit('both');
    perform postrider.settle_due(w, (
        select jsonb_agg(jsonb_build_object('delivery', d.delivery_id, 'token', d.lease_token,
                                            'outcome', case d.n when 2 then 'delivered' else 'transient' end))
        from (select *, row_number() over () as n from postrider.claim_due(w, 4)) d));
    commit;
    assert promise.circuit('both') = 'closed 0 0 0 0', promise.circuit('both');
end
$$;

-- in a row: a success in between resets the count, however it is reported
do $$
declare
    w uuid := promise.worker('mixed', '[{"name": "a.x", "event_types": ["a"], "retry": {"curve": "immediate"}, "max_attempts": 100,
                                         "circuit": {"failures": 5}},
                                        {"name": "b.x", "event_types": ["b"], "circuit": {"failures": 5}}]');
    l postrider.lease;
begin
    -- in the same report
    perform promise.publish('mixed', 20, 'a');
    commit;
    call promise.settle_some(w, 20, 10);
    assert promise.circuit('mixed') ~ '^closed', promise.circuit('mixed');
    -- of another handler it does not count
    perform promise.publish('mixed', 5, 'b');
    commit;
    call promise.settle_some(w, 4, 0);
    perform promise.drain(w);
    update postrider.delivery set status = 'delivered', delivered_at = clock_timestamp() where channel = 'mixed';
    delete from postrider.circuit;
    commit;
    -- in a lease that was settled without failures
    for i in 1..3 loop
        perform promise.publish('mixed', 6, 'a');
        commit;
        call promise.settle_some(w, 3, 3);
        perform postrider.exchange(w, 0, e.lease_id, e.lease_token) from (
            select lease_id, lease_token from postrider.claim(w, 3) limit 1) e;
        commit;
    end loop;
    assert promise.circuit('mixed') ~ '^closed', promise.circuit('mixed');
    -- in a lease that is settled bit by bit
    perform promise.drain(w);
    delete from postrider.circuit;
    perform promise.publish('mixed', 60, 'a');
    commit;
    perform postrider.claim(w, 60);
    l := promise.newest_lease(w);
    commit;
    for i in 1..10 loop
        perform postrider.settle(w, l.id, l.token, l.members[i * 5:i * 5 + 2]);
        perform postrider.settle(w, l.id, l.token, '{}', (select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient'))
                                                          from unnest(l.members[i * 5 + 3:i * 5 + 4]) s));
        commit;
    end loop;
    assert promise.circuit('mixed') ~ '^closed', promise.circuit('mixed');
    perform postrider.settle(w, l.id, l.token);
    commit;
    -- in a retry
    delete from postrider.circuit;
    for i in 1..4 loop
        assert promise.run(w, 2, 'transient') = 2;
        assert promise.run(w, 1, 'delivered') = 1;
        assert promise.circuit('mixed') ~ '^closed 0', promise.circuit('mixed');
        commit;
    end loop;
    -- and without one first attempts are on trial, but not by messages that failed before first attempts succeeded
    assert promise.run(w, 17, 'transient') = 17;
    assert promise.circuit('mixed') ~ '^closed', promise.circuit('mixed');
    assert promise.run(w, 5, 'transient') = 5;
    assert promise.circuit('mixed') = 'trial 0 0 0 0', promise.circuit('mixed');
    perform promise.publish('mixed', 5, 'a');
    commit;
    call promise.settle_some(w, 5, 5);
    assert promise.circuit('mixed') ~ '^open', promise.circuit('mixed');
    assert promise.circuit('mixed', 'b.x') ~ '^closed';
    -- the other handler continues; messages of the handler in an outage are set aside
    perform promise.publish('mixed', 2, 'b');
    perform promise.publish('mixed', 2, 'a');
    commit;
    assert promise.numbers(w, 10) = '{1,2}', 'of b alone';
    assert (select count(*) from postrider.delivery where channel = 'mixed' and handler = 'a.x' and attempts_total = 0
            and status = 'pending' and outcome is null) = 2;
end
$$;

-- a terminal error or a crash does not open it
do $$
declare
    w uuid := promise.worker('others', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 2}}]');
begin
    perform promise.publish('others', 10);
    commit;
    call promise.settle_some(w, 5, 5, 'terminal');
    call promise.settle_some(w, 5, 5, 'crashed');
    assert promise.circuit('others') = 'closed 0 0 0 0', promise.circuit('others');
end
$$;

-- a message that another handler takes too is not run twice for it
do $$
declare
    w uuid := promise.worker('shared', '[{"name": "a.x", "event_types": ["*"]}, {"name": "b.x", "event_types": ["*"]}]');
begin
    perform postrider.hold_handler('reader', 'a.x', 'x', 'y', 'shared');
    perform promise.publish('shared', 1);
    commit;
    assert promise.numbers(w) = '{}';
    assert (select array_agg(handler order by handler) from postrider.delivery where channel = 'shared') = '{a.x,b.x}';
    commit;
    assert (select array_agg(handler) from postrider.claim_due(w)) = '{b.x}';
end
$$;

-- nothing to probe with: the next first attempts are the probe
do $$
declare
    w uuid := promise.worker('trial', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 2}}]');
begin
    perform promise.publish('trial', 12);
    commit;
    call promise.settle_some(w, 2, 2);
    assert promise.circuit('trial') ~ '^open';
    perform postrider.bury(array(select id from postrider.delivery where channel = 'trial'), 'x', 'y');
    perform promise.probe_now('trial');
    commit;
    assert postrider.next_due(w) < clock_timestamp();
    assert (select count(*) from postrider.claim_due(w)) = 0;
    assert promise.circuit('trial') = 'trial 0 1 0 0', promise.circuit('trial');
    commit;
    call promise.settle_some(w, 3, 3);
    assert promise.circuit('trial') = 'open 3 2 1 0', promise.circuit('trial');
    assert (select array_agg(distinct attempts) from postrider.delivery where channel = 'trial' and status = 'pending') = '{0}', 'uncharged';
    perform postrider.bury(array(select id from postrider.delivery where channel = 'trial' and status = 'pending'), 'x', 'y');
    perform promise.probe_now('trial');
    perform postrider.claim_due(w);
    commit;
    call promise.settle_some(w, 2, 0);
    perform postrider.claim_due(w);
    assert promise.circuit('trial') = 'closed 0 0 0 0', promise.circuit('trial');
    commit;
    call promise.settle_some(w, 1, 1);
    assert promise.circuit('trial') = 'closed 1 0 0 0', promise.circuit('trial');
    assert (select attempts from postrider.delivery where channel = 'trial' and status = 'pending') = 1, 'charged';
end
$$;

-- decisions of an operator
do $$
declare
    w uuid := promise.worker('forced', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "circuit": {"failures": 2}}]');
    c record;
begin
    perform promise.raises($q$select postrider.hold_handler('absent', 'a.x', 'x', 'y', 'forced')$q$, 'PR003');
    perform promise.raises($q$select postrider.hold_handler('reader', 'b.x', 'x', 'y', 'forced')$q$, 'PR011');
    perform promise.raises($q$select postrider.hold_handler('reader', 'a.x', 'x', '', 'forced')$q$, 'PR001');
    perform promise.publish('forced', 10);
    commit;
    perform postrider.hold_handler('reader', 'a.x', 'ann', 'the bank closes at six', 'forced');
    assert promise.numbers(w) = '{}' and postrider.next_due(w) is null;
    perform postrider.force_handler('reader', 'a.x', 'ann', 'run it all', 'forced');
    commit;
    call promise.settle_some(w, 5, 5);
    assert promise.circuit('forced') = 'closed 0 0 0 0';
    perform postrider.hold_handler('reader', 'a.x', 'ann', 'no', 'forced');
    assert (select count(*) from postrider.claim_due(w)) = 0;
    perform postrider.release_handler('reader', 'a.x', 'ann', 'as it likes', 'forced');
    commit;
    assert promise.run(w, 10, 'delivered') = 1, 'probed at once';
    assert (select array_agg(concat_ws(' ', action, before ->> 'mode', after ->> 'mode') order by audit) from postrider.audits
            where after ? 'mode' and filter ->> 'channel' = 'forced')
         = '{"hold_handler automatic held","force_handler held forced","hold_handler forced held","release_handler held automatic"}';
    -- a handler that is retired holds nothing up
    perform postrider.hold_handler('reader', 'a.x', 'ann', 'no', 'forced');
    perform postrider.retire_handler('reader', 'a.x', 'forced');
    assert (select held_handlers is null and handlers = '{}' from postrider.consumer where channel = 'forced');
end
$$;

-- off
do $$
declare
    w uuid := promise.worker('off', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 0}}]');
begin
    perform promise.publish('off', 100);
    commit;
    call promise.settle_some(w, 100, 100);
    assert promise.circuit('off') = 'closed 0 0 0 0' and not exists (
        select from postrider.circuit k join postrider.consumer c on c.id = k.consumer_id where c.channel = 'off');
end
$$;

-- by default twenty failures open it, and successes write nothing
do $$
declare
    w uuid := promise.worker('default', '[{"name": "a.x", "event_types": ["*"]}]');
    v_version text;
begin
    perform promise.publish('default', 60);
    commit;
    call promise.settle_some(w, 19, 19);
    assert promise.circuit('default') = 'closed 19 0 0 0';
    call promise.settle_some(w, 10, 5);
    select k.xmin::text || k.ctid into v_version from postrider.circuit k join postrider.consumer c on c.id = k.consumer_id
    where c.channel = 'default';
    assert promise.circuit('default') = 'closed 0 0 0 0', promise.circuit('default');
    call promise.settle_some(w, 10, 0);
    call promise.settle_some(w, 10, 1);
    assert (select k.xmin::text || k.ctid from postrider.circuit k join postrider.consumer c on c.id = k.consumer_id
            where c.channel = 'default') = v_version;
end
$$;
