-- Promises about finished leases that cannot be removed because an old transaction is open, counted in buffers:
--   reap() and the view leases cost at most twice as much as before, also when one lease stayed open all the time
--   a lease that was open before a mark is found after it, and taken back when its worker is lost
--   claims leave marks too, without any reap()
\ir ../include/promises.sql
\ir ../include/buffers.sql
set client_min_messages = notice;

-- cheapest(sql): the fewest buffers of three runs.
create procedure promise.cheapest(p_sql text, inout buffers bigint)
    language plpgsql
    as $$
begin
    buffers := null;
    for i in 1..3 loop
        buffers := least(buffers, promise.buffers(p_sql));
        commit;
    end loop;
end
$$;

-- churn(worker, count): that many leases are made and finished.
create procedure promise.churn(p_worker uuid, p_count int)
    language plpgsql
    as $$
begin
    call promise.fill_ledger(p_worker, p_count);
    -- As if each had been open before: an entry in the index of open leases, and a dead row version.
    update postrider.lease set finished_at = null where worker_id = p_worker and finished_at > '-infinity' and members = '{}';
    commit;
    update postrider.lease set finished_at = clock_timestamp() where worker_id = p_worker and finished_at is null and members = '{}';
    commit;
end
$$;

do $$
declare
    v_others uuid := promise.worker('others');
    v_worker uuid := promise.worker('ledger');
begin
    perform set_config('promise.worker', v_worker::text, false);
    perform promise.publish('ledger', 3), promise.publish('others', 1);
    commit;
    perform postrider.claim(v_worker, 1), postrider.claim(v_others, 1);
    commit;
end
$$;
begin;
select pg_current_xact_id() \g /dev/null
prepare transaction 'plans_ledger';
do $$
declare
    v_worker uuid := current_setting('promise.worker');
    v_reap bigint;
    v_leases bigint;
    v_now bigint;
begin
    call promise.cheapest('select * from postrider.reap()', v_reap);
    call promise.cheapest('select * from postrider.leases', v_leases);
    call promise.churn(v_worker, 30000);
    perform postrider.reap();
    commit;
    call promise.cheapest('select * from postrider.reap()', v_now);
    raise notice 'reap: % buffers, before %', v_now, v_reap;
    assert v_now <= 2 * v_reap, format('reap: %s buffers, before %s', v_now, v_reap);
    call promise.cheapest('select * from postrider.leases', v_now);
    raise notice 'leases: % buffers, before %', v_now, v_leases;
    assert v_now <= 2 * v_leases, format('leases: %s buffers, before %s', v_now, v_leases);

    assert (select count(*) from postrider.leases where channel = 'ledger') = 1, 'the lease that stayed open';
    assert (select open_leases from postrider.consumers where channel = 'ledger') = 1;
    assert (select open_leases from postrider.workers where channel = 'ledger') = 1;
    perform postrider.claim(v_worker, 1);
    assert (select count(*) from postrider.leases where channel = 'ledger') = 2, 'and one that was made since';
    update postrider.worker set alive_until = '-infinity' where id = v_worker;
    commit;
    assert (select leases from postrider.reap()) = 2;
    assert (select count(*) from postrider.delivery where channel = 'ledger' and status = 'pending') = 2;
    commit;
end
$$;

-- one claim in a thousand leaves a mark
do $$
declare
    v_worker uuid := promise.worker('marks');
    v_marks int;
begin
    for i in 1..10000 loop
        perform promise.publish('marks', 1);
        commit;
        perform postrider.exchange_packed(v_worker, 1, l.id, l.token) from promise.newest_lease(v_worker) l;
        commit;
        continue when i % 500 <> 0;
        select count(*) into v_marks from postrider.lease_mark where consumer_id = (promise.newest_lease(v_worker)).consumer_id;
        exit when v_marks > 0;
    end loop;
    assert v_marks > 0;
    assert (select count(*) from postrider.leases where channel = 'marks') = 1;
end
$$;
rollback prepared 'plans_ledger';
