-- Observing: the records of a failure for operators.
\ir include/check.sql

-- check: a_failure_shows_its_error_its_attempts_and_its_times [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('shown');
    w uuid := promise.profile_worker(ch);
    c record;
    v record;
begin
    perform postrider.publish('x', p_channel => ch);
    commit;
    perform promise.first_run(w, 'transient', '{"error": "connection refused", "error_class": "network"}');
    select * into strict v from postrider.v_open_outbox where event_id = (promise.row_of(ch)).id;
    assert v.last_error = 'connection refused' and v.attempts = 1 and v.available_at is not null and v.claimed_at is null;
    perform promise.due_now(ch);
    select * into strict c from postrider.claim_due(w);
    select * into strict v from postrider.v_open_outbox where event_id = (promise.row_of(ch)).id;
    assert v.claimed_at is not null and v.claimed_by = w and v.state = 'CLAIMED' and v.last_error = 'connection refused';
end
$$;

-- check: the_trace_context_travels_with_the_message
do $$
declare
    w uuid := promise.worker('trace');
    v_trace text := '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
begin
    perform postrider.publish('x', p_channel => 'trace', p_trace_context => v_trace, p_priority => 1), postrider.publish('y', p_channel => 'trace', p_trace_context => v_trace);
    commit;
    perform promise.park(w);
    assert (select trace_context from postrider.claim(w)) = v_trace and (select trace_context from postrider.claim_due(w)) = v_trace;
end
$$;

-- check: stuck_messages_can_be_found
do $$
declare
    w uuid := promise.worker('stuck');
begin
    perform promise.publish('stuck', 2);
    commit;
    perform promise.first_run(w, 'transient');
    perform postrider.claim(w, 1, '1 second');
    assert (select array_agg(status order by seq) from postrider.outbox where channel = 'stuck'
            and ((status = 'in_flight' and deadline < clock_timestamp() + interval '1 hour') or (status = 'pending' and attempts > 0)))
        = '{pending,in_flight}';
end
$$;

-- check: events_can_be_listed_by_state_and_time_without_changing_them
do $$
declare
    w uuid := promise.worker('listed');
    v_before jsonb;
begin
    perform promise.publish('listed', 5);
    commit;
    perform promise.first_run(w, 'transient');
    select jsonb_agg(to_jsonb(o) order by o.seq) into v_before from postrider.outbox o where o.channel = 'listed';
    perform * from postrider.v_open_outbox where state = 'PENDING' and created_at > clock_timestamp() - interval '1 hour';
    perform * from postrider.v_pulse, postrider.v_pgmq, postrider.v_pgmq_queue;
    assert v_before = (select jsonb_agg(to_jsonb(o) order by o.seq) from postrider.outbox o where o.channel = 'listed');
end
$$;

-- check: the_notification_queue_can_be_watched
do $$
begin
    assert pg_notification_queue_usage() < 0.25;
    -- The usual problem of NOTIFY: commits that send it wait for each other.
    assert (select count(*) from pg_locks where locktype = 'object' and classid = 'pg_database'::regclass and objid = 0 and not granted) = 0;
end
$$;

-- check: every_death_raises_one_alert [spectral open-outbox pulse pgmq-pipeline]
do $$
declare
    ch text := promise.channel('alarm');
    w uuid := promise.profile_worker(ch);
begin
    perform postrider.publish('used.up', p_channel => ch, p_max_attempts => 2);
    commit;
    perform promise.first_run(w, 'transient', '{"error": "no"}');
    assert not exists (select from postrider.alert where channel = ch), 'a retry is no alarm';
    perform promise.due_now(ch);
    perform promise.due_run(w, 'transient', '{"error": "still no"}');
    assert (select count(*) from postrider.alert where channel = ch) = 1;
    perform postrider.reap(), postrider.maintain();
    assert (select count(*) from postrider.alert where channel = ch) = 1;
    -- the next cycle has its own
    perform postrider.outbox_replay((promise.row_of(ch)).id, null, 'ann');
    for i in 1..2 loop
        perform promise.due_now(ch);
        perform promise.due_run(w, 'transient');
    end loop;
    assert (select array_agg(cycle order by cycle) from postrider.alert where channel = ch) = '{1,2}';
end
$$;

-- check: a_terminal_failure_raises_its_alert_at_once
do $$
declare
    w uuid := promise.worker('at.once');
begin
    perform postrider.publish('x', p_channel => 'at.once');
    commit;
    perform promise.first_run(w, 'terminal');
    assert (select count(*) from postrider.alert where channel = 'at.once' and kind = 'dead_letter') = 1;
end
$$;

-- check: an_alert_has_its_fields
do $$
declare
    w uuid := promise.worker('fields');
    v_id uuid := postrider.publish('order.paid', p_source => 'shop', p_target => 'reader', p_channel => 'fields');
    a postrider.alert;
begin
    commit;
    perform promise.first_run(w, 'terminal', '{"error": "card expired"}');
    select * into strict a from postrider.alert where channel = 'fields';
    assert (a.event_id, a.event_type, a.source, a.target, a.handler_name, a.last_error, a.attempts)
         = (v_id, 'order.paid', 'shop', 'reader', 'test.all', 'card expired', 1);
end
$$;
