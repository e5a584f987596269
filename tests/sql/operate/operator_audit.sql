-- Promises about the results and audit entries of operators' actions:
--   an edited message equals the dead letter except for the edited fields, and the audit has both
--   a message is redelivered for the consumer and the handler it was delivered to, and the inbox forgets nothing else
--   a rescheduled delivery sends NOTIFY on its channel
--   the audit has the action and its deliveries, also when there are many
\ir ../include/promises.sql
\ir ../include/dead.sql

-- last_audit(): the newest entry of the audit.
create function promise.last_audit() returns postrider.audit
    language sql
    as $$ select a from postrider.audit a order by a.id desc limit 1 $$;

-- an edited message equals the dead letter except for the edited fields, and the audit has both
do $$
declare
    w uuid := promise.worker('edited', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 7, "max_crashes": 6,
                                          "retry": {"curve": "fixed"}}]');
    v_same constant text[] := '{consumer_id,handler,channel,event_type,event_version,occurred_at,source,target,content_class,
        generation,workspace_id,payload,ordering_key,partition_key,trace_context,priority,max_attempts,max_crashes,retry}';
    v_id bigint;
    v_new uuid;
    v_key text;
    d jsonb;
    n jsonb;
begin
    perform postrider.publish(
        'a.b', '{"x": 1}', 'shop', 'reader', 'edited', null, 3, '2026-01-02 03:04:05Z', gen_random_uuid(), 'idem', 'order',
        'part', '{"h": 1}', null, 'trace', 'class', 42, null, -7, 9);
    commit;
    perform promise.park(w);
    commit;
    assert promise.run(w, 1, 'terminal', 'no') = 1;
    commit;
    select to_jsonb(e) into strict d from postrider.delivery e where channel = 'edited';
    v_id := (d ->> 'id')::bigint;
    v_new := postrider.edit_and_replay(v_id, null, '{"h": 2}', 'ann', 'typo');
    select to_jsonb(e) into strict n from postrider.delivery e where message_id = v_new;
    foreach v_key in array v_same loop
        assert n -> v_key = d -> v_key and n ? v_key, format('%s: %s, %s', v_key, d -> v_key, n -> v_key);
    end loop;
    assert (d -> 'max_attempts', n -> 'headers') = ('9', '{"h": 2}'), n;
    assert n -> 'metadata' = jsonb_build_object('edited_from', d -> 'message_id', 'edited_by', 'ann'), n;
    assert (select deleted_reason from postrider.delivery where id = v_id)
         = format('edited and replayed as %s: typo', v_new);
    assert (promise.last_audit()).filter = jsonb_build_object('deliveries', jsonb_build_array(v_id));
    assert (promise.last_audit()).before
         = jsonb_build_object('id', d -> 'message_id', 'payload', '{"x": 1}'::jsonb, 'headers', '{"h": 1}'::jsonb);
    assert (promise.last_audit()).after = jsonb_build_object(
        'id', v_new, 'delivery', n -> 'id', 'payload', '{"x": 1}'::jsonb, 'headers', '{"h": 2}'::jsonb);
end
$$;

-- the audit has the action and its deliveries, and a rescheduled delivery sends NOTIFY on its channel
do $$
declare
    a uuid := promise.worker('here');
    b uuid := promise.worker('there');
    v_ids bigint[];
begin
    perform postrider.publish('a', p_channel => c, p_priority => 1) from unnest('{here,there}'::text[]) c;
    commit;
    perform promise.park(a), promise.park(b);
    commit;
    v_ids := array(select id from postrider.delivery where channel in ('here', 'there') order by channel);
    update postrider.delivery set available_at = '2099-01-01Z' where id = any (v_ids);
    commit;
    perform postrider.reschedule(v_ids, '2100-01-01Z', 'ann', 'later');
    assert promise.bell_shared('here') and promise.bell_shared('there');
    assert (promise.last_audit()).filter = jsonb_build_object('deliveries', to_jsonb(v_ids));
    assert (select array_agg(e.key::bigint order by e.key::bigint) from jsonb_each((promise.last_audit()).before) e)
         = array(select unnest(v_ids) order by 1);
    assert (select bool_and(e.value::timestamptz = '2099-01-01Z') from jsonb_each_text((promise.last_audit()).before) e);
    assert ((promise.last_audit()).after ->> 'available_at')::timestamptz = '2100-01-01Z';
    perform postrider.bury(v_ids, 'ann', 'never');
    assert (promise.last_audit()).filter = jsonb_build_object('deliveries', to_jsonb(v_ids));
    assert ((promise.last_audit()).before, (promise.last_audit()).after) = ('{"status": "pending"}', '{"status": "failed"}');
end
$$;

-- a message is redelivered for the consumer and the handler it was delivered to, and the inbox forgets nothing else
do $$
declare
    w uuid := promise.worker('again', '[{"name": "a.x", "event_types": ["*"]}]');
    o uuid := promise.worker('again', '[{"name": "a.x", "event_types": ["*"]}]', 'other');
    e uuid := promise.worker('elsewhere', '[{"name": "a.x", "event_types": ["*"]}]');
    v_id uuid := postrider.publish('a', p_channel => 'again', p_source => 'shop', p_idempotency_key => 'k');
    v_other uuid := postrider.publish('a', p_channel => 'again', p_target => 'other');
    v_delivery bigint;
    v_name text;
    v_call constant text := 'select postrider.redeliver(%L, %L, ''a.x'', false, ''x'', ''y'', %L)';
begin
    commit;
    assert promise.drain(w) = 1 and promise.drain(e) = 0;
    perform promise.park(o);
    commit;
    perform promise.raises(format(v_call, v_id, 'other', 'elsewhere'), 'PR003');
    perform promise.raises(format(v_call, v_id, 'reader', 'elsewhere'), 'PR014');
    perform promise.raises(format(v_call, v_other, 'reader', 'again'), 'PR014');
    perform promise.raises(format(v_call, v_id, 'other', 'again'), 'PR012');
    -- The first one matches; each of the others differs from it in one field.
    perform postrider.handle_once(one)
    from unnest(array[('reader', 'a.x', 'shop', 'k'), ('reader', 'a.x', 'shop', 'k2'), ('reader', 'a.y', 'shop', 'k'),
                      ('other', 'a.x', 'shop', 'k'), ('reader', 'a.x', 'mill', 'k')]::postrider.inbox_key[]) one;
    -- The other consumer still holds it.
    assert postrider.redeliver(v_id, 'reader', 'a.x', true, 'ann', 'the mail got lost', 'again') = 2;
    assert (select array_agg(k order by k)
            from postrider.event_handled, concat_ws(' ', consumer_name, handler_name, source, idempotency_key) k)
         = '{"other a.x shop k","reader a.x mill k","reader a.x shop k2","reader a.y shop k"}';
    select id into v_delivery from postrider.delivery where message_id = v_id;
    assert (select failure_history -> 0 ->> 'replayed_by' from postrider.delivery where id = v_delivery) = 'ann';
    assert (promise.last_audit()).filter = jsonb_build_object(
        'ids', jsonb_build_array(v_id), 'consumer', 'reader', 'channel', 'again', 'handler', 'a.x');
    assert (promise.last_audit()).after = jsonb_build_object('delivery', v_delivery, 'cycle', 2, 'handled_cleared', 1);
    commit;
    -- Where both consumers have a delivery of it, for a handler of the same name, each has its own.
    v_other := postrider.publish('a', p_channel => 'again', p_priority => 1);
    commit;
    perform promise.park(w), promise.park(o);
    commit;
    assert promise.run(o, 1, 'delivered') = 1 and promise.run(w, 2, 'delivered') = 2;
    commit;
    foreach v_name in array '{other,reader}'::text[] loop
        perform postrider.redeliver(v_other, v_name, 'a.x', false, 'ann', 'once more', 'again');
        assert (select array_agg(c.name) from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id
                where d.message_id = v_other and d.status = 'pending') = array[v_name];
        rollback;
    end loop;
    -- However long ago it was published.
    insert into postrider.message (id, event_type, channel, published_at)
    values (gen_random_uuid(), 'a', 'elsewhere', clock_timestamp() - interval '59 minutes') returning id into v_other;
    commit;
    assert promise.drain(e) = 1;
    update postrider.message set published_at = published_at - interval '1 day' where id = v_other;
    assert postrider.redeliver(v_other, 'reader', 'a.x', false, 'ann', 'it was long ago', 'elsewhere') = 2;
    commit;
    -- Deliveries that retention has soft deleted stay deleted.
    update postrider.delivery set deleted_at = clock_timestamp(), deleted_reason = 'old' where id = v_delivery;
    perform promise.raises(format(v_call, v_id, 'reader', 'again'), 'PR012');
end
$$;
