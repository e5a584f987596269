-- Claiming: exclusive claims, leases, crashes, and their cost.
\ir include/check.sql

-- check: attempts_are_counted_at_claim [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('counted');
    w uuid := promise.profile_worker(ch);
    c record;
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    select * into strict c from postrider.claim(w);
    assert (promise.row_of(ch)).attempts = 1, 'a first run counts from its start';
    perform postrider.settle(w, c.lease_id, c.lease_token, null, jsonb_build_array(jsonb_build_object('seq', c.seq, 'outcome', 'transient')));
    assert (promise.row_of(ch)).attempts = 1;
    perform promise.due_now(ch);
    select * into strict c from postrider.claim_due(w);
    assert c.attempts = 2 and (promise.row_of(ch)).attempts = 2, 'and so does every other';
end
$$;

-- check: a_worker_that_dies_unreported_has_used_up_an_attempt [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('poison');
    w uuid;
    v_runs int := 0;
begin
    perform promise.profile_worker(ch);
    perform postrider.publish('x', p_channel => ch, p_priority => 1);
    commit;
    perform promise.park(promise.profile_worker(ch));
    for i in 1..30 loop
        w := promise.profile_worker(ch);
        v_runs := v_runs + (select count(*) from postrider.claim_due(w));
        delete from postrider.worker where id = w;
        perform postrider.reap();
        perform promise.due_now(ch);
        commit;
    end loop;
    assert (promise.row_of(ch)).status = 'failed', 'a message that kills its workers does not retry for ever';
    assert v_runs = 1 + least((promise.profile() #>> '{handler,max_attempts}')::int, (promise.profile() #>> '{handler,max_crashes}')::int), v_runs;
    assert (promise.row_of(ch)).crashes = v_runs - 1 and (promise.row_of(ch)).last_error = 'worker lost';
end
$$;

-- check: a_batch_has_ten_messages_unless_asked_otherwise_and_never_more
do $$
declare
    w uuid := promise.worker('batch');
begin
    perform promise.publish('batch', 25);
    commit;
    assert (select count(*) from postrider.claim(w)) = 10;
    assert (select count(*) from postrider.claim(w, 3)) = 3;
    assert (select count(*) from postrider.claim(w, 1000)) = 12;
    insert into postrider.message (channel, event_type, priority) select 'batch', 'x', 1 from generate_series(1, 15);
    commit;
    perform promise.park(w);
    assert (select count(*) from postrider.claim(w)) = 0;
    assert (select count(*) from postrider.claim_due(w)) = 10;
    assert (select count(*) from postrider.claim_due(w, 100)) = 5;
end
$$;

-- check: a_handler_that_says_nothing_gets_the_message_again_when_its_lease_is_over [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('silence');
    w uuid := promise.profile_worker(ch);
    c record;
begin
    perform promise.publish(ch, 2);
    commit;
    select * into strict c from postrider.claim(w, 1, interval '1 hour');
    assert promise.numbers(w) = '{2}', 'no other worker gets it meanwhile';
    update postrider.lease set deadline = '-infinity' where members && array[c.seq];
    perform postrider.reap();
    select * into strict c from postrider.claim_due(w);
    assert c.payload ->> 'n' = '1';
    assert (select result from postrider.settle_due(w, promise.outcomes(c.delivery_id, c.lease_token, 'delivered'))) = 'delivered';
    assert not exists (select from postrider.claim_due(w));
end
$$;

-- check: the_claim_is_the_retry_scheduler
do $$
declare
    w uuid := promise.worker('scheduler');
    o postrider.outbox;
begin
    perform postrider.publish('x', p_channel => 'scheduler');
    commit;
    perform promise.first_run(w, 'transient', '{"delay_ms": 60000}');
    o := promise.row_of('scheduler');
    assert o.status = 'pending' and o.attempts = 1 and o.available_at > clock_timestamp() + interval '59 seconds';
    assert not exists (select from postrider.claim_due(w)) and not exists (select from postrider.claim(w)), 'its time has not come';
    perform promise.due_now('scheduler');
    assert (select count(*) from postrider.claim_due(w)) = 1;
    assert (select pg_get_expr(i.indpred, i.indrelid) from pg_index i where i.indexrelid = 'postrider.delivery_due_idx'::regclass)
        like '%pending%', 'one partial index for everything that can be claimed';
end
$$;

-- check: an_expired_lease_is_decided_on_like_a_reported_failure [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('expired');
    w uuid := promise.profile_worker(ch);
    o postrider.outbox;
begin
    perform postrider.publish('x', p_channel => ch, p_priority => 1);
    commit;
    perform promise.park(w);
    for i in 1..2 loop
        perform postrider.claim_due(w);
        update postrider.delivery set deadline = '-infinity' where channel = ch;
        assert (select deliveries from postrider.reap()) = 1;
    end loop;
    o := promise.row_of(ch);
    assert o.status = 'pending' and o.attempts = 1 and o.crashes = 1 and o.last_error = 'lease deadline passed'
       and o.claimed_at is null and o.worker_id is null and o.deadline is null and o.first_failed_at is not null;
    assert o.available_at > o.first_failed_at, 'it backs off like any other';
end
$$;

-- check: a_crash_charges_no_neighbour
do $$
declare
    w uuid := promise.worker('neighbours');
begin
    perform promise.publish('neighbours', 10);
    perform postrider.publish('x', p_channel => 'neighbours', p_priority => 1) from generate_series(1, 10);
    commit;
    perform promise.park(w), postrider.claim(w, 100);
    assert (select count(*) from postrider.claim_due(w, 1, p_hold => 9)) = 10;
    delete from postrider.worker where id = w;
    perform postrider.reap();
    assert (select count(*) from postrider.outbox where channel = 'neighbours' and status = 'pending' and attempts = 0 and crashes = 0) = 20;
end
$$;

-- check: nothing_is_claimed_twice_or_before_its_time [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('once');
    a uuid := promise.profile_worker(ch);
    b uuid := promise.profile_worker(ch);
begin
    perform promise.publish(ch, 20);
    perform postrider.publish('later', p_channel => ch, p_available_at => clock_timestamp() + interval '1 hour');
    commit;
    assert (select count(distinct x.id) = 20 and count(*) = 20 from (
        select id from postrider.claim(a, 7) union all select id from postrider.claim(b, 7)
        union all select id from postrider.claim(a, 7) union all select id from postrider.claim(b, 7)) x);
    perform promise.park(a);
    assert not exists (select from postrider.claim_due(a));
    perform promise.due_now(ch);
    assert (select count(*) from postrider.claim_due(a)) = 1;
end
$$;

-- check: nothing_stuck_costs_the_claim_nothing
do $$
declare
    w uuid := promise.worker('hot');
    v_before bigint;
    v_after bigint;
    v_lease record;
begin
    perform promise.publish('hot', 100);
    commit;
    perform promise.buffers(format('select * from postrider.exchange(%L, 1)', w));
    v_before := promise.buffers(format('select * from postrider.exchange(%L, 1)', w));
    insert into postrider.delivery (consumer_id, handler, status, dead_at, max_crashes, available_at, seq, published_at, message_id,
        channel, event_type, event_version, occurred_at, source, payload, idempotency_key, priority)
    select consumer_id, 'test.all', 'failed', now(), 3, now(), -n, now(), gen_random_uuid(), 'hot', 'x', 1, now(), '', '{}', n::text, 0
    from postrider.worker, generate_series(1, 5000) n where id = w;
    -- A concurrent ANALYZE makes one claim read the catalog again, not three.
    select min(promise.buffers(format('select * from postrider.exchange(%L, 1)', w))) into v_after from generate_series(1, 3);
    assert v_after <= v_before + 5, format('%s buffers with dead letters, %s without', v_after, v_before);
    perform promise.buffers(format('select * from postrider.claim_due(%L)', w));
    assert promise.buffers(format('select * from postrider.claim_due(%L)', w)) < 20;
end
$$;
