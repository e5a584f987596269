-- Promises about alerts:
--   a cycle that dies raises exactly one alert, by any path; only a circuit that opens raises another kind
--   each target gets every alert that is raised after it was added, however often another one fails
--   an alert is handed to one sender at a time and again when that one failed or was lost
--   the oldest are handed out first; alerts that failed often wait longer
--   of senders with different configurations of a target, those of the newest one send
--   old ones and too many are removed, and targets without senders
\ir ../include/promises.sql
\ir ../include/dead.sql

-- one alert per cycle, with all fields
do $$
declare
    w uuid := promise.worker('one', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 2, "retry": {"curve": "immediate"}}]');
    v_id uuid;
    a record;
    d postrider.delivery;
begin
    v_id := postrider.publish('a', p_channel => 'one', p_source => 'shop', p_target => 'reader');
    commit;
    call promise.die(w, 'transient', 'first', 'timeout');
    assert not exists (select from postrider.alerts), 'it is tried again';
    assert promise.run(w, 1, 'transient', 'second') = 1;
    select * into strict a from postrider.alerts;
    select * into d from postrider.delivery where channel = 'one';
    assert (a.kind, a.event_id, a.event_type, a.source, a.target, a.handler_name, a.last_error, a.attempts)
         = ('dead_letter', v_id, 'a', 'shop', 'reader', 'a.x', 'second', 2), a;
    assert (a.consumer, a.channel, a.delivery_id, a.cycle, a.fingerprint, a.error_class, a.at)
         = ('reader', 'one', d.id, 1, d.fingerprint, 'timeout', d.dead_at), a;
    perform postrider.outbox_replay(v_id, null, 'x');
    assert promise.run(w, 1, 'delivered') = 1;
    assert (select count(*) from postrider.alerts) = 1;
    perform postrider.redeliver(v_id, 'reader', 'a.x', false, 'x', 'y', 'one');
    assert promise.run(w, 1, 'terminal') = 1;
    assert (select array_agg(cycle || ' ' || attempts order by alert_id) from postrider.alerts) = '{"1 2","3 1"}';
end
$$;

-- crashes and first attempts raise them too
do $$
declare
    w uuid := promise.worker('crashed', '[{"name": "a.x", "event_types": ["*"], "max_crashes": 1}]');
begin
    perform postrider.publish('a', p_channel => 'crashed', p_priority => 1);
    commit;
    perform promise.park(w);
    update postrider.delivery set suspect = true where channel = 'crashed';
    perform postrider.claim_due(w);
    commit;
    perform postrider.unregister_worker(w);
    perform postrider.reap();
    perform postrider.reap();
    assert (select array_agg(error_class) from postrider.alerts where channel = 'crashed') = '{worker_lost}';
    w := promise.worker('crashed');
    perform promise.publish('crashed', 3);
    commit;
    call promise.die(w);
    assert (select count(*) from postrider.alerts where channel = 'crashed') = 4;
end
$$;

-- targets
do $$
declare
    w uuid := promise.worker('targets');
    c record;
    d record;
begin
    perform promise.raises($q$select postrider.add_alert_target('')$q$, 'PR001');
    perform postrider.add_alert_target('ops'), postrider.add_alert_target('ops'), postrider.add_alert_target('log');
    assert not exists (select from postrider.claim_alerts('ops')), 'what was before is not its business';
    perform promise.publish('targets', 2);
    commit;
    call promise.die(w, 'terminal', 'broken pipe');
    assert (select array_agg(unsent::text) from postrider.alerts where channel = 'targets') = '{"{log,ops}","{log,ops}"}';
    select * into c from postrider.claim_alerts('ops', 1);
    assert (c.last_error, c.kind, c.tries, c.channel) = ('broken pipe', 'dead_letter', 1, 'targets') and c.event_id is not null, c;
    select * into d from postrider.claim_alerts('ops', 10);
    assert d.alert_id <> c.alert_id, 'handed out twice';
    assert not exists (select from postrider.claim_alerts('ops', 10)) and not exists (select from postrider.claim_alerts('absent'));
    -- one is sent, one is not
    assert postrider.settle_alerts('ops', jsonb_build_array(
        jsonb_build_object('alert', c.alert_id, 'token', c.token, 'outcome', 'sent'),
        jsonb_build_object('alert', d.alert_id, 'token', d.token, 'outcome', 'failed', 'error', 'refused'))) = 2;
    assert postrider.settle_alerts('ops', jsonb_build_array(jsonb_build_object('alert', d.alert_id, 'token', c.token, 'outcome', 'sent'))) = 0,
        'not its lease any more';
    assert not exists (select from postrider.claim_alerts('ops', 10)), 'not at once';
    update postrider.alert_sending set available_at = '-infinity' where target = 'ops';
    select * into c from postrider.claim_alerts('ops', 10, '1 second');
    assert (c.alert_id, c.tries) = (d.alert_id, 2), c;
    -- a sender that is lost
    update postrider.alert_sending set available_at = '-infinity' where target = 'ops';
    select * into d from postrider.claim_alerts('ops', 10);
    assert (d.alert_id, d.tries) = (c.alert_id, 3), d;
    assert postrider.settle_alerts('ops', jsonb_build_array(jsonb_build_object('alert', c.alert_id, 'token', c.token, 'outcome', 'sent'))) = 0;
    assert postrider.settle_alerts('ops', jsonb_build_array(jsonb_build_object('alert', d.alert_id, 'token', d.token, 'outcome', 'sent'))) = 1;
    -- the other target has lost nothing
    assert (select count(*) from postrider.claim_alerts('log', 10)) = 2;
    perform postrider.remove_alert_target('log');
    assert not exists (select from postrider.alert_sending);
    perform promise.raises($q$select postrider.claim_alerts('ops', 0)$q$, 'PR001');
    perform promise.raises($q$select postrider.claim_alerts('ops', 1, '0')$q$, 'PR001');
    perform promise.raises($q$select postrider.settle_alerts('ops', '{}')$q$, 'PR001');
    perform promise.raises($q$select postrider.settle_alerts('ops', '[{"outcome": "maybe"}]')$q$, 'PR001');
    perform postrider.remove_alert_target('ops');
end
$$;

-- targets are independent of each other and of each other's senders
do $$
declare
    w uuid := promise.worker('apart');
    v_first bigint;
    v_tokens jsonb;
    c record;
begin
    perform promise.raises('select postrider.add_alert_target(null)', 'PR001');
    perform promise.raises($q$select postrider.add_alert_target(repeat('ü', 64))$q$, 'PR001');
    perform postrider.add_alert_target(repeat('x', 127)), postrider.remove_alert_target(repeat('x', 127));
    perform postrider.add_alert_target('a'), postrider.add_alert_target('b');
    perform postrider.publish('a', p_channel => 'apart', p_source => 'shop', p_target => 'reader')
    from generate_series(1, 30);
    commit;
    call promise.die(w, 'terminal', 'no', 'broken');
    v_first := (select min(alert_id) from postrider.alerts where channel = 'apart');
    -- The oldest first, also among several.
    update postrider.alert_sending set available_at = available_at - interval '1 hour' * (alert_id - v_first);
    select array_agg(x.alert_id) as alerts, min(x.token::text)::uuid as token into c from postrider.claim_alerts('a', 3) x;
    assert c.alerts = array[v_first + 27, v_first + 28, v_first + 29], c;
    assert postrider.settle_alerts('b', jsonb_build_array(
        jsonb_build_object('alert', v_first + 27, 'token', c.token, 'outcome', 'sent'),
        jsonb_build_object('alert', v_first + 28, 'token', c.token, 'outcome', 'failed'))) = 0, 'it was claimed for a';
    -- An alert that failed has no owner until it is claimed again.
    v_tokens := jsonb_build_array(jsonb_build_object(
        'alert', v_first + 28, 'token', c.token, 'outcome', 'failed', 'error', repeat('x', 1001)));
    assert postrider.settle_alerts('a', v_tokens || jsonb_build_array(
        jsonb_build_object('alert', v_first + 29, 'token', gen_random_uuid(), 'outcome', 'failed'))) = 1;
    assert postrider.settle_alerts('a', v_tokens) = 0;
    assert (select last_error = repeat('x', 1000) from postrider.alert_sending
            where target = 'a' and alert_id = v_first + 28);
    -- An alert that failed often waits longer: of many, some much longer.
    update postrider.alert_sending set attempts = 20, available_at = '-infinity';
    select * into c from postrider.claim_alerts('b', 1, '1 hour');
    assert (c.source, c.target, c.attempts, c.tries) = ('shop', 'reader', 1, 21), c;
    assert (select available_at > clock_timestamp() + interval '59 minutes' from postrider.alert_sending
            where target = 'b' and alert_id = c.alert_id), 'leased for as long as was asked for';
    select jsonb_agg(jsonb_build_object('alert', x.alert_id, 'token', x.token, 'outcome', 'failed'))
    into v_tokens from postrider.claim_alerts('b', 100) x;
    assert postrider.settle_alerts('b', v_tokens) = 29;
    assert (select max(available_at) > clock_timestamp() + interval '10 seconds' from postrider.alert_sending
            where target = 'b' and alert_id <> c.alert_id);
    perform promise.raises($q$select postrider.claim_alerts('a', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.claim_alerts('a', 10001)$q$, 'PR001');
    perform promise.raises($q$select postrider.claim_alerts('a', 1, null)$q$, 'PR001');
    perform promise.raises($q$select postrider.settle_alerts('a', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.settle_alerts('a', '[{"alert": 1}]')$q$, 'PR001');
    perform postrider.remove_alert_target('a');
    assert (select array_agg(distinct target) from postrider.alert_sending) = '{b}';
    perform promise.publish('apart', 1);
    commit;
    call promise.die(w);
    assert (select count(*) from postrider.alert_sending where target = 'b') = 31;
    perform postrider.remove_alert_target('b');
end
$$;

-- of several configurations of a target, the one that was introduced last may send
do $$
begin
    perform postrider.add_alert_target('ops');
    assert postrider.may_send_alerts('ops', 'any'), 'no configuration, no conflict';
    perform postrider.add_alert_target('ops', 'old', true);
    assert postrider.may_send_alerts('ops', 'old');
    perform postrider.add_alert_target('ops', 'new', true);
    assert postrider.may_send_alerts('ops', 'new') and not postrider.may_send_alerts('ops', 'old');
    perform postrider.add_alert_target('other', 'old', true);
    assert postrider.may_send_alerts('other', 'old'), 'another target';
    -- Neither a new connection nor another process of the old deployment takes over, even after an outage.
    perform postrider.add_alert_target('ops', 'old'), postrider.add_alert_target('ops', 'old', true);
    update postrider.alert_configuration set seen_at = seen_at - interval '2 minutes';
    perform postrider.add_alert_target('ops', 'old'), postrider.add_alert_target('ops', 'new');
    assert postrider.may_send_alerts('ops', 'new') and not postrider.may_send_alerts('ops', 'old');
    -- A configuration whose senders are gone holds nothing up, and is introduced once more when they come back.
    update postrider.alert_configuration set seen_at = seen_at - interval '2 minutes' where configuration = 'new';
    assert postrider.may_send_alerts('ops', 'old');
    perform postrider.add_alert_target('ops', 'new', true);
    assert postrider.may_send_alerts('ops', 'new') and not postrider.may_send_alerts('ops', 'old');
    -- A rolled back deployment.
    update postrider.alert_configuration set seen_at = seen_at - interval '2 minutes' where configuration = 'old';
    perform postrider.add_alert_target('ops', 'old', true);
    assert postrider.may_send_alerts('ops', 'old') and not postrider.may_send_alerts('ops', 'new');
    -- The heartbeat of a sender that may not send is recorded as well.
    update postrider.alert_configuration set seen_at = seen_at - interval '30 seconds';
    assert not postrider.may_send_alerts('ops', 'new');
    assert (select seen_at > clock_timestamp() - interval '10 seconds' from postrider.alert_configuration
            where (target, configuration) = ('ops', 'new'));
    perform promise.raises($q$select postrider.add_alert_target('ops', '')$q$, 'PR001');
    perform promise.raises($q$select postrider.add_alert_target('ops', repeat('x', 128))$q$, 'PR001');
    perform postrider.remove_alert_target('ops'), postrider.remove_alert_target('other');
    assert not exists (select from postrider.alert_configuration);
end
$$;

-- a target without senders goes when everything that was to be sent there is gone; one that is asked for stays
do $$
begin
    perform postrider.add_alert_target('left', 'x', true), postrider.add_alert_target('used', 'x', true);
    update postrider.alert_target set seen_at = seen_at - interval '29 days';
    perform postrider.retention_records(100, false);
    assert (select count(*) from postrider.alert_target) = 2;
    perform postrider.claim_alerts('used');
    update postrider.alert_target set seen_at = seen_at - interval '2 days';
    perform postrider.retention_records(100, true);
    assert (select count(*) from postrider.alert_target) = 2, 'only looked';
    perform postrider.retention_records(100, false);
    assert (select array_agg(name) from postrider.alert_target) = '{used}';
    assert (select array_agg(target) from postrider.alert_configuration) = '{used}';
    perform postrider.remove_alert_target('used');
end
$$;

-- retention by age and by count, of replays and the audit too
do $$
declare
    w uuid := promise.worker('kept');
begin
    delete from postrider.alert;
    perform postrider.add_alert_target('ops');
    perform promise.publish('kept', 10);
    commit;
    call promise.die(w);
    perform postrider.replay_start('{"channel": "kept"}', 'x', 'y');
    perform postrider.replay_cancel((select max(replay) from postrider.replays), 'x', 'y');
    update postrider.alert set at = at - interval '31 days' where id in (select id from postrider.alert order by id limit 3);
    update postrider.setting set value = '5' where name = 'alert_keep_count';
    update postrider.audit set at = at - interval '1096 days';
    update postrider.replay set ended_at = ended_at - interval '366 days';
    assert (select array_agg(entity || ' ' || things order by entity) from postrider.retention_run(1000, true)
            where entity in ('alert', 'audit', 'replay')) = array['alert 5', 'audit ' || (select count(*) from postrider.audits), 'replay 1'];
    perform postrider.retention_run();
    assert (select count(*) from postrider.alerts) = 5 and (select count(*) from postrider.alert_sending) = 5;
    assert not exists (select from postrider.audits) and not exists (select from postrider.replays) and not exists (select from postrider.replay_items);
    assert (select array_agg(removed order by step) from postrider.retention_progress where step in ('alert', 'replay'))::text = '{5,1}';
end
$$;
