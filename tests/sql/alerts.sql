-- Promises about alerts:
--   a cycle that dies raises exactly one, whoever decides; nothing else raises one but a circuit that opens
--   each target gets every alert that is raised after it was added, however often another one fails
--   an alert is handed to one sender at a time and again when that one failed or was lost
--   old ones and too many are removed
\ir include/promises.sql
\ir include/dead.sql

-- one per cycle, with what one has to know
do $$
declare
    w uuid := promise.worker('one', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 2, "retry": {"curve": "immediate"}}]');
    v_id uuid;
    a record;
    d postrider.delivery;
begin
    v_id := postrider.publish('a', p_channel => 'one', p_source => 'shop', p_target => 'reader');
    commit;
    call promise.die(w, 'failed', 'first', 'timeout');
    assert not exists (select from postrider.alerts), 'it is tried again';
    assert promise.run(w, 1, 'failed', 'second') = 1;
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
    assert (select array_agg(cycle order by alert_id) from postrider.alerts) = '{1,3}';
end
$$;

-- crashes and first attempts raise them too
do $$
declare
    w uuid := promise.worker('crashed', '[{"name": "a.x", "event_types": ["*"], "crashes_max": 1}]');
begin
    perform postrider.publish('a', p_channel => 'crashed', p_priority => 1);
    commit;
    perform postrider.claim(w);
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
    assert not exists (select from postrider.claim_alerts('ops', 10)) and not exists (select from postrider.claim_alerts('nobody'));
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
