-- Promises about the compatibility views (sql/compat), which use the state names and policies of other systems:
--   the views name every state as those systems do, and agree with outbox
--   in every view a query for dead letters reads dead letters only
--   a profile is a handler that register_worker takes, and two of its heartbeats can get lost
\ir ../include/promises.sql

-- One message in every state, per handler.
do $$
declare
    w uuid := promise.worker('words');
    other uuid := promise.worker('words', p_consumer => 'slow');
    l postrider.lease;
    c record;
begin
    perform promise.publish('words', 6);
    commit;
    perform postrider.claim(w, 4);
    l := promise.newest_lease(w);
    -- 1 delivered, 2 dead, 3 fails and waits, 4 stays in flight, 5 and 6 are not claimed
    perform postrider.settle(w, l.id, l.token, l.members[1:1], jsonb_build_array(
        jsonb_build_object('seq', l.members[2], 'outcome', 'terminal', 'error', 'never'),
        jsonb_build_object('seq', l.members[3], 'outcome', 'transient', 'error', 'not now')));
end
$$;

-- the views name every state as those systems do
do $$
begin
    assert (select array_agg(n || state order by n) from (
                select payload ->> 'n' as n, state from postrider.v_open_outbox where consumer = 'reader') x)
        = '{1PUBLISHED,2DEAD,3PENDING,4CLAIMED,5PENDING,6PENDING}';
    assert (select array_agg(n || status order by n) from (
                select payload ->> 'n' as n, status from postrider.v_pulse where consumer = 'reader') x)
        = '{1COMPLETED,2DEAD_LETTERED,3RETRYING,4RUNNING,5PENDING,6PENDING}';
    assert (select array_agg(payload ->> 'n') from postrider.v_pgmq) = '{2}';
end
$$;

-- the invariants of their columns
do $$
begin
    assert not exists (select from postrider.v_open_outbox where (claimed_at is not null) <> (state = 'CLAIMED')
                       or (claimed_by is not null) <> (state = 'CLAIMED')
                       or (published_at is not null) <> (state = 'PUBLISHED') or created_at is null or attempts is null);
    assert (select (attempts, last_error) = (1, 'never') from postrider.v_open_outbox where state = 'DEAD');
    assert not exists (select from postrider.v_pulse where (locked_by is not null) <> (status = 'RUNNING')
                       or (lease_until is not null) <> (status = 'RUNNING')
                       or (completed_at is not null) <> (status in ('COMPLETED', 'DEAD_LETTERED')));
    assert (select next_run_at > clock_timestamp() - interval '1 hour' and attempts = 1 and max_attempts = 5
            from postrider.v_pulse where status = 'RETRYING');
    assert (select array_agg(attname::text order by attnum) from pg_attribute
            where attrelid = 'postrider.v_pgmq'::regclass and attnum between 1 and 9)
        = '{queue_name,original_msg_id,payload,step,recording_id,read_ct,last_error,first_seen,dead_at}';
    assert (select count(*) from postrider.v_open_outbox) = (select count(*) from postrider.outbox where deleted_at is null);
    assert (select count(*) from postrider.v_pulse) = (select count(*) from postrider.outbox where deleted_at is null);
    assert (select count(*) from postrider.v_pgmq_queue)
        = (select count(*) from postrider.outbox where status in ('pending', 'in_flight'));
end
$$;
do $$
begin
    update postrider.delivery set dead_at = dead_at - interval '31 days' where status = 'failed';
    assert not exists (select from postrider.v_pgmq), 'it shows 30 days';
    update postrider.delivery set deleted_at = clock_timestamp(), dead_at = clock_timestamp() where status = 'failed';
    assert not exists (select from postrider.v_pgmq) and not exists (select from postrider.v_pulse where status = 'DEAD_LETTERED')
        and not exists (select from postrider.v_open_outbox where state = 'DEAD');
    update postrider.delivery set deleted_at = null;
end
$$;

-- a question about dead letters touches dead letters only
do $$
declare
    v_buffers bigint;
    v_query text;
begin
    insert into postrider.message (channel, event_type) select 'words', 'x' from generate_series(1, 20000);
    commit;
    perform promise.drain(id) from postrider.worker w where w.handlers = '{test.all}' order by id limit 1;
    insert into postrider.delivery (consumer_id, handler, max_crashes, available_at, seq, published_at, message_id, channel,
        event_type, event_version, occurred_at, source, payload, idempotency_key, priority, status, delivered_at)
    select consumer_id, handler, 3, available_at, -n, published_at, message_id, channel, event_type, 1, occurred_at, source,
           payload, idempotency_key, 0, case when n % 2 = 0 then 'pending' else 'delivered' end,
           case when n % 2 = 1 then clock_timestamp() end
    from postrider.delivery, generate_series(1, 10000) n where status = 'failed';
    commit;
    foreach v_query in array array[
        $q$select * from postrider.v_open_outbox where state = 'DEAD'$q$,
        $q$select * from postrider.v_pulse where status = 'DEAD_LETTERED'$q$,
        $q$select * from postrider.v_pgmq order by dead_at desc$q$] loop
        perform promise.buffers(v_query);
        v_buffers := promise.buffers(v_query);
        assert v_buffers <= 10, format('%s touches %s buffers', v_query, v_buffers);
    end loop;
end
$$;

-- a profile is a handler that register_worker takes
do $$
declare
    v_name text;
    v jsonb;
begin
    foreach v_name in array '{spectral,open-outbox,pulse,pgmq-pipeline}'::text[] loop
        v := postrider.profile(v_name);
        perform postrider.register_worker(
            gen_random_uuid(), 'p', jsonb_build_array(v -> 'handler' || '{"name": "p.all", "event_types": ["*"]}'),
            'profile.' || v_name, p_alive_for => make_interval(secs => (v #>> '{worker,alive_ms}')::int / 1000));
        assert (select (h.retry, h.max_attempts, h.max_crashes)
                    = (v #> '{handler,retry}', (v #>> '{handler,max_attempts}')::smallint, (v #>> '{handler,max_crashes}')::smallint)
                from postrider.handler h join postrider.consumer c on c.id = h.consumer_id
                where c.channel = 'profile.' || v_name), v_name;
        assert (v #>> '{worker,heartbeat_ms}')::int * 3 <= (v #>> '{worker,alive_ms}')::int, v_name;
        assert (v #>> '{worker,poll}') in ('always', 'degraded') and (v #>> '{worker,poll_ms}')::int > 0;
        perform postrider.set_wake('profile.' || v_name, v ->> 'wake');
        assert to_regclass('postrider.' || (v ->> 'view')) is not null, v_name;
    end loop;
    perform promise.raises($q$select postrider.profile('other')$q$, 'PR001');
    perform promise.raises($q$select postrider.profile(null)$q$, 'PR001');
end
$$;
