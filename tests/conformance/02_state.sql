-- States: there are four, and only valid transitions are allowed.
\ir include/check.sql

-- check: the_states_are_pending_in_flight_delivered_failed [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('states');
    w uuid := promise.profile_worker(ch);
    v_seen text[] := '{}';
    c record;
begin
    perform postrider.publish('x', p_channel => ch, p_max_attempts => 2);
    commit;
    v_seen := v_seen || (promise.row_of(ch)).status;
    perform promise.first_run(w, 'transient');
    v_seen := v_seen || (promise.row_of(ch)).status;
    perform promise.due_now(ch);
    select * into strict c from postrider.claim_due(w);
    v_seen := v_seen || (promise.row_of(ch)).status;
    perform postrider.settle_due(w, promise.outcomes(c.delivery_id, c.lease_token, 'transient'));
    v_seen := v_seen || (promise.row_of(ch)).status;
    assert v_seen = '{pending,pending,in_flight,failed}', v_seen;
end
$$;
do $$
declare
    ch text := promise.channel('states.well');
    w uuid := promise.profile_worker(ch);
    c record;
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    select * into strict c from postrider.claim(w);
    assert (promise.row_of(ch)).status = 'in_flight';
    perform postrider.settle(w, c.lease_id, c.lease_token);
    assert (promise.row_of(ch)).status = 'delivered';
end
$$;

-- check: no_other_status_can_be_stored
do $$
declare
    w uuid := promise.worker('contradicted');
begin
    assert pg_get_constraintdef((select oid from pg_constraint where conname = 'delivery_status_check'))
        like '%failed%delivered%in_flight%pending%';
    perform promise.raises($q$insert into postrider.delivery (consumer_id, handler, status, max_crashes, available_at, seq, published_at,
        message_id, channel, event_type, event_version, occurred_at, source, payload, idempotency_key, priority)
        values (1, 'a.b', 'RETRYING', 1, now(), 1, now(), gen_random_uuid(), 'c', 'e', 1, now(), '', '{}', 'k', 0)$q$, '23514');
    -- nor one that the other fields contradict
    perform postrider.publish('x', p_channel => 'contradicted', p_priority => 1);
    commit;
    perform promise.park(w);
    assert (promise.row_of('contradicted')).status = 'pending';
    perform promise.raises(format($q$update postrider.delivery set %s where channel = 'contradicted'$q$, c), '23514')
    from unnest('{"dead_at = now()","delivered_at = now()","lease_token = gen_random_uuid()","status = ''failed''",
                  "status = ''delivered''","status = ''in_flight''",
                  "status = ''failed'', dead_at = now(), delivered_at = now()",
                  "status = ''delivered'', delivered_at = now(), lease_token = gen_random_uuid()"}'::text[]) as c;
end
$$;

-- check: delivered_at_is_set_exactly_when_a_delivery_is_delivered
do $$
declare
    w uuid := promise.worker('delivered');
    v_before timestamptz := clock_timestamp();
begin
    perform postrider.publish('x', p_channel => 'delivered', p_priority => 1);
    commit;
    perform promise.park(w);
    assert (promise.row_of('delivered')).delivered_at is null;
    assert promise.due_run(w, 'delivered') = 'delivered';
    assert (promise.row_of('delivered')).delivered_at between v_before and clock_timestamp();
end
$$;

-- check: only_the_holder_of_the_current_claim_decides [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('fence');
    w uuid := promise.profile_worker(ch);
    other uuid := promise.profile_worker(ch);
    old record;
    new record;
begin
    perform postrider.publish('x', p_channel => ch, p_priority => 1);
    commit;
    perform promise.park(w);
    select * into strict old from postrider.claim_due(w);
    -- A worker whose lease expired, and whose message another worker has started, can neither complete nor fail it.
    update postrider.delivery set deadline = '-infinity' where id = old.delivery_id;
    perform postrider.reap();
    perform promise.due_now(ch);
    select * into strict new from postrider.claim_due(other);
    assert new.delivery_id = old.delivery_id and new.lease_token <> old.lease_token;
    assert (select result from postrider.settle_due(w, promise.outcomes(old.delivery_id, old.lease_token, 'delivered'))) = 'lost_lease';
    assert (select result from postrider.settle_due(w, promise.outcomes(old.delivery_id, old.lease_token, 'transient'))) = 'lost_lease';
    assert (select result from postrider.settle_due(w, promise.outcomes(old.delivery_id, new.lease_token, 'transient'))) = 'lost_lease';
    assert (promise.row_of(ch)).status = 'in_flight';
    assert (select result from postrider.settle_due(other, promise.outcomes(new.delivery_id, new.lease_token, 'delivered'))) = 'delivered';
    -- and only once
    assert (select result from postrider.settle_due(other, promise.outcomes(new.delivery_id, new.lease_token, 'transient'))) = 'lost_lease';
    assert (promise.row_of(ch)).status = 'delivered';
end
$$;

-- check: terminal_states_never_change_by_themselves [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('terminal');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.publish('x', p_channel => ch, p_max_attempts => 1), postrider.publish('y', p_channel => ch, p_priority => 1);
    commit;
    perform promise.first_run(w, 'transient');
    perform promise.park(w);
    perform promise.due_run(w, 'delivered');
    update postrider.delivery set available_at = '-infinity' where channel = ch;
    commit;
    for i in 1..3 loop
        assert not exists (select from postrider.claim_due(w)) and not exists (select from postrider.claim(w));
        perform postrider.reap(), postrider.maintain();
        commit;
    end loop;
    assert (select array_agg(status order by event_type) from postrider.outbox where channel = ch) = '{failed,delivered}';
end
$$;
