-- Promises about the plans of everything but the claim, counted in buffers:
--   claiming a few deliveries, and next_due(), do not scan deliveries that are not due or dead
--   settling deliveries does not scan others that are in flight, or that the same replay has moved
--   settling a lease reads the messages of that lease only
--   the search for dead workers does not read finished leases
\ir ../include/promises.sql
\ir ../include/buffers.sql
set client_min_messages = notice;

create procedure promise.costs(p_label text, p_sql text, p_allowed bigint)
    language plpgsql
    as $$
declare
    v_best bigint;
begin
    for i in 1..10 loop
        v_best := least(v_best, promise.buffers(p_sql));
        commit;
        exit when i >= 3 and v_best <= p_allowed;
    end loop;
    raise notice '%: % buffers', p_label, v_best;
    assert v_best <= p_allowed, format('%s: %s buffers, %s are allowed', p_label, v_best, p_allowed);
end
$$;

-- The number of deliveries in flight varies: a plan made without any must not scan all of them later.
create function promise.settle_some(p_worker uuid, p_count int) returns bigint
    language sql
    as $$
    select promise.buffers(format('select * from postrider.settle_due(%L, %L)', p_worker, (
        select jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered'))
        from postrider.claim_due(p_worker, p_count) c)))
    $$;
do $$
begin
    perform set_config('promise.worker', promise.worker('flight')::text, false);
    insert into postrider.message (channel, event_type, priority) select 'flight', 'x', 1 from generate_series(1, 6000);
    commit;
    perform promise.park(current_setting('promise.worker')::uuid);
end
$$;
vacuum analyze postrider.delivery;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    v_best bigint;
begin
    perform promise.settle_some(w, 1);
    commit;
    create temp table flying as select * from postrider.claim_due(w, 5000);
    commit;
    for i in 1..4 loop
        v_best := least(v_best, promise.settle_some(w, 10));
        commit;
    end loop;
    raise notice 'settling ten deliveries beside thousands in flight: % buffers', v_best;
    assert v_best <= 500, v_best;
    perform postrider.settle_due(w, (select jsonb_agg(jsonb_build_object(
        'delivery', delivery_id, 'token', lease_token, 'outcome', 'delivered')) from flying));
end
$$;
vacuum postrider.delivery;

-- of a replay
do $$
declare
    w uuid := promise.worker('replayed');
    v_lease postrider.lease;
    v_last jsonb;
    v_buffers bigint;
begin
    perform promise.publish('replayed', 8000);
    commit;
    perform postrider.claim(w, 8000);
    v_lease := promise.newest_lease(w);
    commit;
    perform postrider.settle(w, v_lease.id, v_lease.token, null, (
        select jsonb_agg(jsonb_build_object('seq', m, 'outcome', 'terminal')) from unnest(v_lease.members) m));
    perform postrider.replay_start('{}', 'ada', 'repaired');
    analyze postrider.replay_item;  -- nothing has been moved yet
    commit;
    perform postrider.replay_step(8000);
    commit;
    create temp table replayed as select * from postrider.claim_due(w, 8000);
    commit;
    -- The first may have to make new plans: autovacuum may have analyzed the tables meanwhile.
    for i in 1..3 loop
        select jsonb_agg(jsonb_build_object('delivery', r.delivery_id, 'token', r.lease_token, 'outcome', 'delivered')) into v_last
        from (select * from replayed order by delivery_id desc offset 10 * i limit 10) r;
        v_buffers := least(v_buffers, promise.buffers(format('select * from postrider.settle_due(%L, %L)', w, v_last)));
        commit;
    end loop;
    raise notice 'settling ten of a replay of thousands: % buffers', v_buffers;
    assert v_buffers <= 500, v_buffers;
    perform postrider.settle_due(w, (select jsonb_agg(jsonb_build_object(
        'delivery', delivery_id, 'token', lease_token, 'outcome', 'delivered')) from replayed));
end
$$;
vacuum postrider.delivery;

do $$
declare
    w uuid := promise.worker('due');
begin
    insert into postrider.message (channel, event_type, priority, available_at)
    select 'due', 'x', n % 4, clock_timestamp() + interval '1 day' from generate_series(1, 8000) n;
    insert into postrider.message (channel, event_type, priority) select 'due', 'dead', 1 from generate_series(1, 8000) n;
    insert into postrider.message (channel, event_type, priority) select 'due', 'ready', n % 3 - 1 from generate_series(1, 500) n
    where n % 3 <> 1;
    commit;
    perform promise.park(w);
    commit;
    update postrider.delivery set status = 'failed', dead_at = clock_timestamp() where event_type = 'dead';
    commit;
    perform set_config('promise.due', format('select * from postrider.claim_due(%L, 10)', w), false);
    perform set_config('promise.next', format('select postrider.next_due(%L)', w), false);
end
$$;
-- The updates above leave dead index entries behind; a nightly vacuum has removed them.
vacuum postrider.delivery, postrider.waiting;
call promise.costs('claiming ten due deliveries', current_setting('promise.due'), 350);
call promise.costs('the next due one', current_setting('promise.next'), 70);
analyze postrider.delivery;
call promise.costs('claiming ten due deliveries, after analyze', current_setting('promise.due'), 350);
call promise.costs('the next due one, after analyze', current_setting('promise.next'), 70);

-- settling ten failures of a lease in the middle of a long log
do $$ begin perform set_config('promise.worker', promise.worker('settle')::text, false); end $$;
call promise.fill('settle', 500, 20);
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    l postrider.lease;
    v_best bigint;
    v_buffers bigint;
begin
    for i in 1..4 loop
        perform postrider.claim(w, 100);
        l := promise.newest_lease(w);
        commit;
        v_buffers := promise.buffers(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token, (
            select jsonb_agg(jsonb_build_object('seq', m, 'outcome', 'transient')) from unnest(l.members[1:10]) m)));
        commit;
        v_best := least(v_best, v_buffers);
    end loop;
    raise notice 'settling ten failures: % buffers', v_best;
    assert v_best <= 800, v_best;
    v_best := null;
    for i in 1..4 loop
        perform postrider.claim(w, 100);
        l := promise.newest_lease(w);
        commit;
        v_best := least(v_best, promise.buffers(format('select postrider.settle(%L, %s, %L)', w, l.id, l.token)));
        commit;
    end loop;
    raise notice 'settling a lease: % buffers', v_best;
    assert v_best <= 30, v_best;
end
$$;

-- reaping and heartbeats, with ten thousand finished leases in the ledger
do $$
declare
    w uuid := promise.worker('ledger');
begin
    call promise.fill_ledger(w, 10000);
    commit;
    perform set_config('promise.beat', format('select postrider.heartbeat(%L, ''{1,2,3}'')', w), false);
end
$$;
call promise.costs('reaping when there is nothing to reap', 'select * from postrider.reap()', 130);
call promise.costs('a heartbeat', current_setting('promise.beat'), 60);
analyze postrider.lease;
call promise.costs('reaping when there is nothing to reap, after analyze', 'select * from postrider.reap()', 130);
call promise.costs('a heartbeat, after analyze', current_setting('promise.beat'), 60);
