-- Promises about trials, in which first attempts of a handler run and deliveries that have failed wait:
--   retries alone put a handler on trial, as often as it takes, and their attempts are not charged
--   a new message that succeeds, or an operator, ends it; as many first attempts that fail as for an outage open the circuit
--   deliveries that have failed take turns, so that one that would succeed is not behind those that always fail
--   a trial ends soon after a success, but a claim does not search long for one, whatever the number of handlers and messages
\ir ../include/promises.sql
\ir ../include/dead.sql
\ir ../include/circuits.sql

-- retries alone do not open it: they wait uncharged while first attempts are on trial, as often as it takes; one that succeeds closes it
do $$
declare
    w uuid := promise.worker('retries', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 4,
                                           "circuit": {"failures": 5, "open_ms": 60000}}]');
begin
    for i in 1..4 loop
        perform promise.publish('retries', 4);
        commit;
        call promise.settle_some(w, 4, 2);
    end loop;
    for i in 1..2 loop
        assert promise.run(w, 8, 'transient') = 8;
        commit;
    end loop;
    assert promise.circuit('retries') = 'trial 0 0 0 0', promise.circuit('retries');
    assert not exists (select from postrider.alerts where channel = 'retries'), 'some messages may fail always';
    for i in 1..3 loop
        assert promise.run(w, 8, 'transient') = 0, 'the retries wait';
        assert (select count(*) = 8 and min(available_at) > clock_timestamp() + interval '50 seconds' and max(attempts) = 3
                from postrider.delivery where channel = 'retries'), 'uncharged';
        perform promise.probe_now('retries');
        assert promise.run(w, 8, 'transient') = 8;
        assert promise.circuit('retries') = 'trial 0 1 0 0', promise.circuit('retries');
        commit;
    end loop;
    assert (select count(*) from postrider.alerts where channel = 'retries') = 1;
    perform promise.publish('retries', 3);
    commit;
    call promise.settle_some(w, 1, 1);
    call promise.settle_some(w, 2, 0);
    perform promise.probe_now('retries');
    assert promise.run(w, 8, 'transient') = 8;
    assert promise.circuit('retries') ~ '^closed', promise.circuit('retries');
    assert (select count(*) from postrider.dead_letters where channel = 'retries') = 8;
end
$$;

-- the trial ends, and the others run, when a new message succeeds, although that writes nothing, or when an operator says so
do $$
declare
    w uuid := promise.worker('ended', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 9,
                                         "circuit": {"failures": 3, "open_ms": 60000}}]');
begin
    for i in 1..3 loop
        perform promise.publish('ended', 4);
        commit;
        call promise.settle_some(w, 4, 2);
    end loop;
    for how in 1..3 loop
        assert promise.run(w, 6, 'transient') = 6;
        commit;
        assert promise.run(w, 6, 'transient') in (0, 6);
        commit;
        assert promise.circuit('ended') = 'trial 0 0 0 0', promise.circuit('ended');
        assert promise.run(w, 6, 'transient') = 0;
        assert postrider.next_due(w) < clock_timestamp() + interval '2 seconds', 'the worker looks again';
        if how = 1 then
            perform promise.publish('ended', 2);
            commit;
            perform promise.drain(w);
            perform set_config('postrider.search_at', '', false);  -- a claim searches for a tenth of its time
            commit;
            assert promise.run(w, 6, 'interrupted') = 6, 'the claim that ends it';
        elsif how = 2 then
            perform postrider.release_handler('reader', 'a.x', 'ann', 'it works', 'ended');
        else
            perform postrider.force_handler('reader', 'a.x', 'ann', 'it works', 'ended');
        end if;
        commit;
        assert promise.circuit('ended') like 'closed 0 %', promise.circuit('ended');
        assert (select count(*) = 6 and max(available_at) <= clock_timestamp() from postrider.delivery
                where channel = 'ended' and status = 'pending');
        commit;
    end loop;
end
$$;

-- a worker without retries looks for the end, too
do $$
declare
    w uuid := promise.worker('idle', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 3}}]');
begin
    insert into postrider.circuit (consumer_id, handler, state, openings, opened_at, failing_since)
    select id, 'a.x', 'trial', 2, now(), now() from postrider.consumer where channel = 'idle';
    commit;
    assert postrider.next_due(w) between clock_timestamp() and clock_timestamp() + interval '5 seconds', postrider.next_due(w);
    perform promise.publish('idle', 1);
    commit;
    perform promise.drain(w);
    perform set_config('postrider.search_at', '', false);  -- a claim searches for a tenth of its time
    perform postrider.claim_due(w);
    assert promise.circuit('idle') ~ '^closed', promise.circuit('idle');
end
$$;

-- all of them wait, however many end together
do $$
declare
    w uuid := promise.worker('batches', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 9,
                                           "circuit": {"failures": 3}}]');
begin
    for i in 1..4 loop
        perform promise.publish('batches', 6);
        commit;
        call promise.settle_some(w, 6, 5);
    end loop;
    assert promise.run(w, 20, 'transient') = 20;
    commit;
    create temporary table two as
        select c.*, 1 as n from postrider.claim_due(w, 10) c;
    insert into two select c.*, 2 from postrider.claim_due(w, 10) c;
    for i in 1..2 loop
        perform postrider.settle_due(w, jsonb_agg(jsonb_build_object('delivery', t.delivery_id, 'token', t.lease_token, 'outcome', 'transient')))
        from two t where t.n = i;
        commit;
    end loop;
    assert promise.circuit('batches') = 'trial 0 0 0 0', promise.circuit('batches');
    assert promise.run(w, 20, 'transient') = 0;
end
$$;

-- nor when an operator stops the handler meanwhile and starts it again
do $$
declare
    w uuid := promise.worker('stopped', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 9,
                                           "circuit": {"failures": 3}}]');
begin
    for i in 1..3 loop
        perform promise.publish('stopped', 4);
        commit;
        call promise.settle_some(w, 4, 2);
    end loop;
    while promise.circuit('stopped') !~ '^trial' loop
        assert promise.run(w, 6, 'transient') = 6;
        commit;
    end loop;
    perform postrider.hold_handler('reader', 'a.x', 'ann', 'wait', 'stopped');
    assert promise.run(w, 6, 'transient') = 0;
    perform postrider.force_handler('reader', 'a.x', 'ann', 'go on', 'stopped');
    commit;
    assert promise.run(w, 6, 'transient') = 6;
    perform postrider.release_handler('reader', 'a.x', 'ann', 'as it likes', 'stopped');
    commit;
    while promise.circuit('stopped') !~ '^trial' loop
        assert promise.run(w, 6, 'transient') = 6;
        commit;
    end loop;
    perform postrider.retire_handler('reader', 'a.x', 'stopped');
    perform postrider.register_worker(w, 'reader', '[{"name": "a.x", "event_types": ["*"]}]', 'stopped');
    commit;
    assert promise.run(w, 6, 'interrupted') = 6, 'after a retirement, too';
end
$$;

-- the runs of one message are one first attempt
do $$
declare
    w uuid := promise.worker('runs', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 9,
                                        "circuit": {"failures": 5}}]');
    l postrider.lease;
begin
    for i in 1..2 loop
        perform promise.publish('runs', 1);
        commit;
        perform postrider.claim(w, 1);
        l := promise.newest_lease(w);
        perform postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(jsonb_build_object(
            'seq', l.members[1], 'outcome', 'transient', 'error', 'no', 'earlier', '[{"error": "no"}, {"error": "no"}]'::jsonb)));
        commit;
    end loop;
    assert promise.circuit('runs') ~ '^closed [1-6] ', promise.circuit('runs');
    assert (select sum(attempts) = 6 from postrider.delivery where channel = 'runs');
end
$$;

-- messages that are not handed out yet are no success, although leases of their time are settled
do $$
declare
    w uuid := promise.worker('late', '[{"name": "a.x", "event_types": ["x"]}, {"name": "a.y", "event_types": ["y"]}]');
    v_consumer int := (select id from postrider.consumer where channel = 'late');
begin
    create extension dblink;
    commit;
    perform dblink_connect('late', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                          current_setting('port'), current_user, current_database()));
    perform dblink_exec('late', 'begin; set client_min_messages = warning');
    perform * from dblink('late', $q$select postrider.publish('x', p_channel => 'late')$q$) as t(id text);
    perform promise.publish('late', 2, 'y');
    commit;
    perform promise.drain(w);
    commit;
    perform dblink_exec('late', 'commit'), dblink_disconnect('late');
    assert postrider.succeeded_since(v_consumer, '{a.x,a.y}', '{-infinity,-infinity}', 'infinity') = '{a.y}';
    perform promise.drain(w);
    commit;
    assert postrider.succeeded_since(v_consumer, '{a.x,a.y}', '{-infinity,-infinity}', 'infinity') @> '{a.x,a.y}';
end
$$;

-- the search reads a lease, and not the transaction that it ends in
do $$
declare
    w uuid := promise.worker('large', '[{"name": "a.x", "event_types": ["x"]}, {"name": "a.y", "event_types": ["y"]}]');
    l postrider.lease;
begin
    insert into postrider.message (channel, event_type, payload) select 'large', 'y', '{}' from generate_series(1, 30000);
    commit;
    perform postrider.claim(w, 100);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token);
    commit;
    assert promise.buffers(format($q$select postrider.succeeded_since(%s, '{a.x}', '{-infinity}', 'infinity')$q$, l.consumer_id)) < 250,
        promise.buffers(format($q$select postrider.succeeded_since(%s, '{a.x}', '{-infinity}', 'infinity')$q$, l.consumer_id));
end
$$;

-- first attempts that fail meanwhile open it
do $$
declare
    w uuid := promise.worker('firsts', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "circuit": {"failures": 5}}]');
begin
    perform promise.publish('firsts', 6);
    commit;
    call promise.settle_some(w, 3, 2);
    call promise.settle_some(w, 3, 2);
    for i in 1..3 loop
        perform promise.run(w, 4, 'transient');
        commit;
    end loop;
    assert promise.circuit('firsts') ~ '^trial [0-4] 0 0 0', promise.circuit('firsts');
    for i in 1..6 loop
        perform promise.publish('firsts', 1);
        commit;
        call promise.settle_some(w, 1, 1);
    end loop;
    assert promise.circuit('firsts') ~ '^open [5-9] 1 1 0', promise.circuit('firsts');
end
$$;


-- run_mixed(worker, limit, good): claims due deliveries; those of p_good are delivered, the others fail. Returns how many were delivered.
create function promise.run_mixed(p_worker uuid, p_limit int, p_good bigint[]) returns int
    language plpgsql
    as $$
declare
    v_outcomes jsonb := (select jsonb_agg(jsonb_build_object(
                             'delivery', c.delivery_id, 'token', c.lease_token,
                             'outcome', case when c.delivery_id = any (p_good) then 'delivered' else 'transient' end))
                         from postrider.claim_due(p_worker, p_limit) c);
begin
    perform postrider.settle_due(p_worker, v_outcomes) where v_outcomes is not null;
    return (select count(*) from jsonb_array_elements(v_outcomes) o where o ->> 'outcome' = 'delivered');
end
$$;

-- deliveries that have failed take turns, also in reports of a part of them; three that would succeed are behind forty that fail always
do $$
declare
    w uuid := promise.worker('turns', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}, "max_attempts": 999,
                                         "circuit": {"failures": 5}}]');
    v_good bigint[];
    v_delivered int := 0;
    v_trials int := 0;
begin
    for i in 1..43 loop
        perform promise.publish('turns', 2);
        commit;
        call promise.settle_some(w, 2, 1);
    end loop;
    while promise.circuit('turns') !~ '^trial' loop
        assert promise.run(w, 5, 'transient') = 5;
        commit;
    end loop;
    v_good := array(select id from postrider.delivery where channel = 'turns' order by id desc limit 3);
    while v_delivered < 3 and v_trials < 20 loop
        for i in 1..30 loop
            v_delivered := v_delivered + promise.run_mixed(w, 2, v_good);
            commit;
            exit when promise.circuit('turns') ~ '^trial 0';
        end loop;
        v_trials := v_trials + 1;
        perform promise.probe_now('turns');
        commit;
    end loop;
    assert v_delivered = 3 and v_trials <= 12, format('%s delivered in %s trials', v_delivered, v_trials);
end
$$;

-- a claim does not search long for a success, whatever the number of handlers and messages
do $$
declare
    c_handlers constant int := 20;
    w uuid := promise.worker('many', (
        select jsonb_agg(jsonb_build_object('name', 'h.' || n, 'event_types', jsonb_build_array('t.' || n))) || '[{"name": "h.other", "event_types": ["*"]}]'
        from generate_series(1, c_handlers) n));
    v_start timestamptz;
begin
    insert into postrider.circuit (consumer_id, handler, state, openings, opened_at, failing_since, probe_at)
    select c.id, 'h.' || n, 'trial', 1, now(), now(), now() + interval '1 hour'
    from postrider.consumer c, generate_series(1, c_handlers) n where c.channel = 'many';
    insert into postrider.message (channel, event_type, payload) select 'many', 'u.' || n % 200, '{}' from generate_series(1, 98000) n;
    commit;
    perform promise.drain(w);
    commit;
    v_start := clock_timestamp();
    for i in 1..10 loop
        perform postrider.claim_due(w, 10);
        commit;
    end loop;
    assert clock_timestamp() - v_start < interval '5 seconds', clock_timestamp() - v_start;
    -- and finds one within seconds
    perform promise.publish('many', 1, 't.20');
    commit;
    perform promise.drain(w);
    commit;
    while promise.circuit('many', 'h.20') !~ '^closed' loop
        assert clock_timestamp() - v_start < interval '60 seconds', 'the trial goes on';
        perform postrider.claim_due(w, 10);
        commit;
        perform pg_sleep(0.05);
    end loop;
    assert clock_timestamp() - v_start < interval '20 seconds', clock_timestamp() - v_start;
end
$$;
