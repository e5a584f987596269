-- Promises about due deliveries that a worker holds until a thread is free:
--   a claim with a hold gets as many more, in the same order, also of several handlers and priorities
--   a worker that dies returns them uncharged, as suspects; shutdown and release make no suspects
--   a suspect is handed out only for a free thread and first, is charged with the next crash, and ends a claim that has no thread left
--   a message of a lease that a dead worker held is a suspect as well
--   the next cycle of a suspect is a new start
--   a circuit that is not closed gets its slots, however many may be held
\ir ../include/promises.sql
\ir ../include/circuits.sql

-- numbers_due(worker, ...): claims due deliveries; the n of each in the order handed out.
create function promise.numbers_due(p_worker uuid, p_limit int, p_hold int, p_alone boolean default true) returns int[]
    language sql
    as $$
    select coalesce(array_agg((c.payload ->> 'n')::int), '{}')
    from postrider.claim_due(p_worker, p_limit, p_alone => p_alone, p_hold => p_hold) c
    $$;

-- publish_due(channel, numbers): deliveries that are due in this order.
create function promise.publish_due(p_channel text, p_from int, p_to int, p_type text default 'a', p_priority int default 1)
    returns void
    language sql
    as $$
    select postrider.publish(p_type, jsonb_build_object('n', n), p_channel => p_channel, p_priority => p_priority,
                             p_available_at => '2026-01-01'::timestamptz + n * interval '1 second')
    from generate_series(p_from, p_to) n
    $$;

-- in the same order, of several handlers and priorities; a limit of 0 only with a hold
do $$
declare
    w uuid := promise.worker('many', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["b"]}]');
    v_got int[];
begin
    perform promise.publish_due('many', n, n, case n % 2 when 0 then 'a' else 'b' end) from generate_series(1, 60) n;
    perform promise.publish_due('many', 61, 70, 'a', 2);
    commit;
    perform promise.park(w);
    commit;
    v_got := promise.numbers_due(w, 2, 18);
    assert v_got = array(select generate_series(61, 70)) || array(select generate_series(1, 10)), v_got;
    v_got := promise.numbers_due(w, 0, 5);
    assert v_got = '{11,12,13,14,15}', v_got;
    v_got := promise.numbers_due(w, 3, 0);
    assert v_got = '{16,17,18}', v_got;
    assert cardinality(promise.numbers_due(w, 5, 1000)) = 42;
    assert (select bool_and(attempts = 1) from postrider.delivery where channel = 'many');
    perform promise.raises(format('select postrider.claim_due(%L, %s)', w, a), 'PR001')
    from unnest('{"0","0, p_hold => 0","1, p_hold => -1","1, p_hold => 10001","1, p_hold => null","-1, p_hold => 5"}'::text[]) a;
end
$$;

-- a hold of deliveries that a handler takes in one run
do $$
declare
    w uuid := promise.worker('runs', '[{"name": "a.x", "event_types": ["a"]}]');
begin
    perform promise.publish_due('runs', 1, 50);
    commit;
    perform promise.park(w);
    commit;
    assert (select count(*) from postrider.claim_due(w, 2, p_batches => '{"a.x": 10}', p_hold => 5)) = 20, 'the runs are more';
    assert (select count(*) from postrider.claim_due(w, 1, p_batches => '{"a.x": 10}', p_hold => 14)) = 15;
end
$$;

-- a worker that dies returns them uncharged, as suspects; each is then claimed for a free thread, and charged
do $$
declare
    v_handlers jsonb := '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]';
    w uuid := promise.worker('killed', v_handlers);
    v_got int[];
begin
    perform promise.publish_due('killed', 1, 100);
    commit;
    perform promise.park(w);
    assert cardinality(promise.numbers_due(w, 4, 96)) = 100;
    perform postrider.unregister_worker(w);
    assert (select deliveries from postrider.reap(1000)) = 100;
    assert (select bool_and((d.status, d.attempts, d.attempts_total, d.failures, d.crashes, d.interruptions, d.suspect, d.error_class)
                            = ('pending', 0, 0, 0, 0, 1, true, 'worker_lost') and d.available_at <= clock_timestamp())
            from postrider.delivery d where d.channel = 'killed');
    commit;
    w := promise.worker('killed', v_handlers);
    assert promise.numbers_due(w, 0, 100) = '{}', 'there is no thread for a suspect';
    assert cardinality(promise.numbers_due(w, 4, 96)) = 4, 'a suspect is not held';
    commit;
    update postrider.delivery set deadline = '-infinity' where channel = 'killed' and status = 'in_flight';
    assert (select deliveries from postrider.reap()) = 4;
    assert (select array_agg(crashes || ' ' || attempts || ' ' || n order by crashes) from (
                select crashes, attempts, count(*) as n from postrider.delivery where channel = 'killed' group by 1, 2) d)
         = '{"0 0 96","1 1 4"}';
    commit;
    -- One that was charged runs alone, the others as before.
    assert cardinality(promise.numbers_due(w, 4, 96, false)) = 4;
end
$$;

-- suspects among others: the runs that start at once come first, a suspect without one ends the claim
do $$
declare
    w uuid := promise.worker('mixed');
    v_got int[];
begin
    perform promise.publish_due('mixed', 1, 20);
    commit;
    perform promise.park(w);
    update postrider.delivery set suspect = true where channel = 'mixed' and (payload ->> 'n')::int in (5, 7, 12);
    commit;
    v_got := promise.numbers_due(w, 2, 100);
    assert v_got = '{5,7,1,2,3,4,6,8,9,10,11}', v_got;
    rollback;
    v_got := promise.numbers_due(w, 0, 100);
    assert v_got = '{1,2,3,4}', v_got;
    rollback;
    v_got := promise.numbers_due(w, 4, 3);
    assert v_got = '{1,2,5,7,3,4,6}', v_got;
    rollback;
    v_got := promise.numbers_due(w, 6, 0);
    assert v_got = '{1,2,3,4,5,6}', v_got;
end
$$;

-- shutdown and release make no suspects; members of a lease that is taken back are some
do $$
declare
    w uuid := promise.worker('kept');
    l postrider.lease;
begin
    perform promise.publish('kept', 3);
    perform promise.publish_due('kept', 4, 5);
    commit;
    perform promise.park(w);
    perform postrider.claim(w, 2);
    l := promise.newest_lease(w);
    perform postrider.claim(w, 10);
    assert postrider.release(w, l.id, l.token) = 'settled';
    perform promise.numbers_due(w, 1, 9);
    perform postrider.settle_due(w, (
        select jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'interrupted'))
        from postrider.delivery d where d.channel = 'kept'));
    assert (select count(*) from postrider.delivery where channel = 'kept' and not suspect and attempts = 0) = 4;
    update postrider.worker set alive_until = '-infinity' where id = w;
    assert (select leases from postrider.reap()) = 1;
    assert (select array_agg(payload ->> 'n') from postrider.delivery where channel = 'kept' and suspect) = '{3}';
end
$$;

-- the next cycle of a suspect is a new start
do $$
declare
    w uuid := promise.worker('cycle');
    v_id uuid;
begin
    perform promise.publish_due('cycle', 1, 1);
    commit;
    perform promise.park(w);
    update postrider.delivery set suspect = true where channel = 'cycle' returning message_id into v_id;
    perform postrider.settle_due(w, (
        select jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'terminal'))
        from postrider.claim_due(w, 1) c));
    assert (select suspect from postrider.delivery where channel = 'cycle');
    perform postrider.outbox_replay(v_id, null, 'x');
    assert (select not suspect from postrider.delivery where channel = 'cycle');
    assert promise.numbers_due(w, 0, 5) = '{1}';
end
$$;

-- a circuit that is not closed gets its slots, however many may be held; one that is returned leaves its slot
do $$
declare
    w uuid := promise.worker('ramp', '[{"name": "a.x", "event_types": ["a"], "retry": {"curve": "immediate"}},
                                       {"name": "b.x", "event_types": ["b"]}]');
begin
    perform promise.publish_due('ramp', 1, 50);
    perform promise.publish_due('ramp', 51, 70, 'b');
    commit;
    perform promise.park(w);
    perform postrider.hold_handler('reader', 'a.x', 'x', 'y', 'ramp');
    perform postrider.release_handler('reader', 'a.x', 'x', 'y', 'ramp');
    commit;
    assert (select array_agg(handler || ' ' || n order by handler) from (
                select handler, count(*) as n from postrider.claim_due(w, 4, p_hold => 1000) group by 1) c) = '{"a.x 1","b.x 20"}';
    perform postrider.settle_due(w, jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'delivered')))
    from postrider.delivery d where d.channel = 'ramp' and d.status = 'in_flight';
    assert cardinality(promise.numbers_due(w, 0, 1000)) = 2;
    assert promise.circuit('ramp') like 'ramp % 2 2', promise.circuit('ramp');
    assert promise.numbers_due(w, 4, 1000) = '{}';
    perform postrider.settle_due(w, jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'interrupted')))
    from postrider.delivery d where d.channel = 'ramp' and d.status = 'in_flight';
    assert promise.circuit('ramp') like 'ramp % 2 0', promise.circuit('ramp');
    assert cardinality(promise.numbers_due(w, 4, 1000)) = 2, 'they do not keep their slots';
end
$$;
