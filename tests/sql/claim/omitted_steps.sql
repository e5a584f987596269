-- Promises of docs/guides/plain-sql-worker.md about a worker in plain SQL that leaves out a step:
--   without heartbeat, and after the deadline, another worker gets the messages, and the first one gets lost_lease
--   a settled lease can be settled again with the same result
--   a failure that is not named counts as delivered
--   a retry is handed out by claim_due() only, and next_due() says when
--   released messages are due at once; a worker that is gone keeps its messages until reap()
\ir ../include/promises.sql

-- without heartbeat
do $$
declare
    silent uuid := promise.worker('silent');
    other uuid := promise.worker('silent');
    l record;
begin
    perform promise.publish('silent', 1);
    commit;
    select lease_id, lease_token into strict l from postrider.claim(silent);
    commit;
    assert (select count(*) = 0 from postrider.heartbeat(silent, array[l.lease_id])), 'the lease is its own';
    update postrider.worker set alive_until = clock_timestamp() - interval '1 second' where id = silent;
    perform postrider.reap();
    commit;
    assert (select count(*) = 1 from postrider.claim_due(other)), 'another worker handles the message';
    assert (select array_agg(h) = array[l.lease_id] from postrider.heartbeat(silent, array[l.lease_id]) h),
        'the heartbeat names the lost lease';
    assert postrider.settle(silent, l.lease_id, l.lease_token) = 'lost_lease';
end
$$;

-- without extend: heartbeats keep no lease past its deadline
do $$
declare
    hanging uuid := promise.worker('hanging');
    l record;
begin
    perform promise.publish('hanging', 1);
    commit;
    select lease_id, lease_token into strict l from postrider.claim(hanging, 1, '1 millisecond');
    commit;
    perform pg_sleep(0.01), postrider.heartbeat(hanging), postrider.reap();
    commit;
    assert postrider.settle(hanging, l.lease_id, l.lease_token) = 'lost_lease';
end
$$;

-- settle: messages that it does not name are delivered; a repeated call returns the same
do $$
declare
    w uuid := promise.worker('settling', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "fixed", "base_ms": 60000}}]');
    l record;
    v_failure jsonb;
begin
    perform promise.publish('settling', 2);
    commit;
    select lease_id, min(lease_token::text)::uuid as token, min(seq) as seq into strict l from postrider.claim(w) group by 1;
    commit;
    v_failure := jsonb_build_array(jsonb_build_object('seq', l.seq, 'outcome', 'transient', 'error', 'the mail server is down'));
    assert postrider.settle(w, l.lease_id, l.token, p_failures => v_failure) = 'settled';
    assert postrider.settle(w, l.lease_id, l.token, p_failures => v_failure) = 'settled', 'the answer was lost';
    commit;
    assert (select array_agg(status order by seq) = '{pending,delivered}' from postrider.outbox where channel = 'settling');
    assert not exists (select from postrider.claim(w)), 'the log has no retries';
    assert not exists (select from postrider.claim_due(w)), 'it is not due yet';
    assert postrider.next_due(w) between clock_timestamp() + interval '30 seconds' and clock_timestamp() + interval '90 seconds';
end
$$;

-- stopping with and without release
do $$
declare
    leaving uuid := promise.worker('leaving');
    other uuid := promise.worker('leaving');
    l record;
begin
    perform promise.publish('leaving', 2);
    commit;
    select lease_id, lease_token into strict l from postrider.claim(leaving, 1);
    commit;
    assert postrider.release(leaving, l.lease_id, l.lease_token) = 'settled';
    commit;
    assert (select count(*) = 1 from postrider.claim_due(other)), 'due at once';
    perform postrider.claim(leaving, 1);
    commit;
    perform postrider.unregister_worker(leaving);
    commit;
    assert not exists (select from postrider.claim_due(other)), 'nothing has taken it back yet';
    perform postrider.reap();
    commit;
    assert (select count(*) = 1 from postrider.claim_due(other));
end
$$;
