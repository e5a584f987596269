-- Included by the files that count buffers. The limit of a claim: a small constant, and a share per message.

\ir long_scans.sql

-- exchange_buffers(worker, limit, packed): settles the worker's lease, claims, and says how many buffers that took.
create function promise.exchange_buffers(
    p_worker uuid, p_limit int, p_packed boolean default false, out buffers bigint, out got int
)
    language plpgsql
    as $$
declare
    l postrider.lease := promise.newest_lease(p_worker);
    v_mine boolean := l.worker_id is not distinct from p_worker;
begin
    buffers := promise.buffers(format(
        case when p_packed then 'select postrider.exchange_packed(%L, %s, %L, %L)'
             else 'select * from postrider.exchange(%L, %s, %L, %L)' end,
        p_worker, p_limit, case when v_mine then l.id end, case when v_mine then l.token end));
    got := cardinality((promise.newest_lease(p_worker)).members);
end
$$;

-- allowed(n, packed): the promise. Messages here are small; fifty and more of them share a page. exchange() also looks for messages
-- that wait.
create function promise.allowed(p_count int, p_packed boolean default false) returns int
    language sql
    as $$ select case when p_packed then 60 else 100 end + p_count / 4 $$;

-- claims_are_cheap(worker, what): claims of several sizes touch no more than allowed. The first ones of a connection
-- read the catalog, so the best of three counts. Other tests change the catalog, which a connection then reads again, and keep transactions open, which
-- a cursor has to wait for: then there are more tries.
create procedure promise.claims_are_cheap(p_worker uuid, p_label text)
    language plpgsql
    as $$
declare
    v_packed boolean;
    v_limit int;
    v_best bigint;
    r record;
begin
    foreach v_packed in array array[false, true] loop
        discard plans;
        for i in 1..3 loop
            perform promise.exchange_buffers(p_worker, 1, v_packed);
            commit;
        end loop;
        foreach v_limit in array array[1, 10, 100, 500] loop
            v_best := null;
            for i in 1 .. case when v_limit <= 10 then 60 else 4 end loop
                r := promise.exchange_buffers(p_worker, v_limit, v_packed);
                commit;
                assert r.got = v_limit, format('%s: %s instead of %s messages', p_label, r.got, v_limit);
                v_best := least(v_best, r.buffers);
                exit when i >= 3 and v_best <= promise.allowed(v_limit, v_packed);
                perform pg_sleep(0.2) where i >= 3;
            end loop;
            raise notice '%: claiming % messages touches % buffers', p_label, v_limit, v_best;
            assert v_best <= promise.allowed(v_limit, v_packed),
                format('%s: claiming %s messages touches %s buffers, %s are allowed', p_label, v_limit, v_best,
                       promise.allowed(v_limit, v_packed));
        end loop;
    end loop;
    -- Settings of exchange_packed() must not affect the next promise.
    set jit to default;
    set max_parallel_workers_per_gather to default;
    set enable_seqscan to default;
    set enable_bitmapscan to default;
    set enable_hashjoin to default;
    set enable_mergejoin to default;
    set plan_cache_mode to default;
    set postrider.worker to default;
end
$$;

-- late_committers_are_cheap(worker, what): claiming messages that committed late touches no more than claiming others.
create procedure promise.late_committers_are_cheap(p_worker uuid, p_label text)
    language plpgsql
    as $$
declare
    v_best bigint;
    r record;
begin
    for i in 1..5 loop
        r := promise.exchange_buffers(p_worker, 10);
        commit;
        assert r.got = 10, r;
        v_best := least(v_best, r.buffers);
    end loop;
    raise notice '%: claiming 10 messages touches % buffers', p_label, v_best;
    assert v_best <= promise.allowed(10), v_best;
end
$$;

-- idling_is_cheap(worker, what): claims without messages touch no more than allowed.
create procedure promise.idling_is_cheap(p_worker uuid, p_label text)
    language plpgsql
    as $$
declare
    v_best bigint;
    r record;
begin
    for i in 1..15 loop
        r := promise.exchange_buffers(p_worker, 100);
        commit;
        v_best := least(v_best, r.buffers);
        exit when i >= 3 and v_best <= promise.allowed(0);
    end loop;
    raise notice '%: a look touches % buffers', p_label, v_best;
    assert r.got = 0 and v_best <= promise.allowed(0), format('%s: a look touches %s buffers', p_label, v_best);
end
$$;

-- catch_up(worker, channel): publishes and reads until the floor of the cursor is less than an hour old. It has to wait for every
-- transaction of the whole server that was open before, for example another test's.
create procedure promise.catch_up(p_worker uuid, p_channel text)
    language plpgsql
    as $$
begin
    for i in 1..3000 loop
        perform promise.publish(p_channel, 1);
        commit;
        perform promise.drain(p_worker);
        commit;
        exit when (promise.newest_lease(p_worker)).floor_at > clock_timestamp() - interval '1 hour';
        perform pg_sleep(0.02);
    end loop;
end
$$;

-- fill(channel, transactions, each): publishes that many messages in each of that many transactions.
create procedure promise.fill(p_channel text, p_transactions int, p_each int)
    language plpgsql
    as $$
begin
    for i in 1..p_transactions loop
        insert into postrider.message (id, channel, event_type, payload)
        select gen_random_uuid(), p_channel, 'fill', '1' from generate_series(1, p_each) n;
        commit;
    end loop;
end
$$;

-- fill_ledger(worker, count): as if the worker had claimed and settled that many times.
create procedure promise.fill_ledger(p_worker uuid, p_count int)
    language sql
    as $$
    insert into postrider.lease (consumer_id, token, worker_id, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at,
                                 floor_at, ceiling_at, from_xid, from_seq, to_xid, to_seq, members, claimed_at, deadline,
                                 finished_at)
    select consumer_id, gen_random_uuid(), p_worker, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at, floor_at,
           ceiling_at, from_xid, from_seq, to_xid, to_seq, '{}', claimed_at, deadline, clock_timestamp()
    from promise.newest_lease(p_worker), generate_series(1, p_count)
    $$;
