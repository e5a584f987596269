-- Promises of every function that takes a JSON document:
--   a key that it does not know is refused, and the error suggests the closest one
--   numbers in reports of workers may be given as strings
--   a retry policy whose base is more than its cap is refused
\ir ../include/promises.sql

-- refused(statement): the message of the error PR001 that a statement ends with.
create function promise.refused(p_statement text) returns text
    language plpgsql
    as $$
begin
    execute p_statement;
    raise exception 'this was accepted: %', p_statement;
exception when sqlstate 'PR001' then
    return sqlerrm;
end
$$;

-- the closest word is the one with the smallest edit distance, and none when it is far from all
do $$
begin
    assert postrider.closest('paylod', '{headers,payload,priority}') = 'payload';
    assert postrider.closest('PayLoad', '{headers,payload,priority}') = 'payload';
    assert postrider.closest('retries', '{name,retry,max_attempts}') = 'retry';
    assert postrider.closest('event-type', '{event_type,event_version}') = 'event_type';
    assert postrider.closest('zzzzzz', '{headers,payload,priority}') is null;
    assert postrider.closest('', '{headers}') is null and postrider.closest('x', '{}') is null;
    assert postrider.closest(repeat('payload', 10000), '{payload}') is null, 'long input is cut';
end
$$;

-- messages
do $$
begin
    assert promise.refused($q$select postrider.publish_many('[{"event_type":"a.b","paylod":1}]')$q$)
         = 'publish_many: message 1: unknown key ''paylod'' in a message; did you mean ''payload''?';
    assert promise.refused($q$select postrider.publish_many('[{"event_type":"a.b"}, {"event_type":"a.b","zzzzzz":1}]')$q$)
         = 'publish_many: message 2: unknown key ''zzzzzz'' in a message';
    assert promise.refused($q$select postrider.publish_many('[{"Event_type":"a.b"}]')$q$) like '%did you mean ''event\_type''?';
    assert not exists (select from postrider.message);
    -- Every key that a message can have, at once.
    assert postrider.publish_many(jsonb_build_array(jsonb_build_object(
        'id', gen_random_uuid(), 'channel', 'all', 'event_type', 'a', 'event_version', 2, 'occurred_at', now(), 'source', 's',
        'target', 't', 'content_class', 'c', 'generation', 1, 'workspace_id', gen_random_uuid(), 'payload', '{"any": {"key": 1}}',
        'headers', '{"any": 1}', 'metadata', '{"any": 1}', 'idempotency_key', 'i', 'ordering_key', 'o', 'partition_key', 'p',
        'trace_context', 'tc', 'available_at', now(), 'priority', 1, 'max_attempts', 2))) = 1;
end
$$;
-- also for a producer, which may call only the necessary functions
set role postrider_producer;
do $$
begin
    perform postrider.publish_many('[{"event_type":"a.b","paylod":1}]');
    assert false;
exception when sqlstate 'PR001' then
    assert sqlerrm like '%did you mean ''payload''?', sqlerrm;
end
$$;
reset role;

-- handlers and their policies
do $$
declare
    v_register constant text := 'select promise.worker(''handlers'', %L)';
begin
    assert promise.refused(format(v_register, '[{"name": "a.x", "event_types": ["*"], "retries": 3}]'))
         = 'unknown key ''retries'' in a handler; did you mean ''retry''?';
    assert promise.refused(format(v_register, '[{"name": "a.x", "event_types": ["*"], "retry": {"bas_ms": 3}}]'))
         = 'unknown key ''bas_ms'' in a retry policy; did you mean ''base_ms''?';
    assert promise.refused(format(v_register, '[{"name": "a.x", "event_types": ["*"], "circuit": {"failure": 3}}]'))
         = 'unknown key ''failure'' in a circuit policy; did you mean ''failures''?';
    assert promise.refused(format(v_register, '[{"name": "a.x", "event_types": ["*"], "classes": {"terminals": []}}]'))
         = 'unknown key ''terminals'' in the error classes; did you mean ''terminal''?';
    assert not exists (select from postrider.consumer where channel = 'handlers');
end
$$;

-- a base that is more than the cap
do $$
declare
    v_retry text;
begin
    assert promise.refused($q$select postrider.require_retry('{"base_ms": 2000, "cap_ms": 1000}')$q$)
         = 'retry policy: base_ms 2000 is more than cap_ms 1000';
    assert promise.refused($q$select postrider.require_retry('{"curve": "fixed", "base_ms": 600000}')$q$)
         = 'retry policy: base_ms 600000 is more than cap_ms 300000 (the default)';
    assert promise.refused($q$select postrider.require_retry('{"curve": "fixed", "cap_ms": 30000}')$q$)
         = 'retry policy: base_ms 60000 (the default) is more than cap_ms 30000';
    foreach v_retry in array array[
        '{}', '{"base_ms": 1000, "cap_ms": 1000}', '{"curve": "fixed", "base_ms": 600000, "cap_ms": 600000}',
        '{"curve": "immediate", "cap_ms": 0}', '{"curve": "list", "delays_ms": [1], "cap_ms": 10}'] loop
        perform postrider.require_retry(v_retry::jsonb);
    end loop;
end
$$;

-- reports of workers: unknown keys are refused, numbers may be strings, and a message is never counted as delivered by mistake
do $$
declare
    w uuid := promise.worker('reports');
    l postrider.lease;
    c record;
    v_settle text;
    v_item jsonb;
begin
    perform promise.publish('reports', 3);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    v_settle := format('select postrider.settle(%L, %s, %L, null, %%L)', w, l.id, l.token);
    assert promise.refused(format(v_settle, jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcme', 'transient'))))
         = 'unknown key ''outcme'' in an outcome; did you mean ''outcome''?';
    assert promise.refused(format(v_settle, jsonb_build_array(
               jsonb_build_object('seq', l.members[1], 'outcome', 'transient'),
               jsonb_build_object('seq', l.members[2], 'outcome', 'transient', 'err', 'x'))))
         = 'unknown key ''err'' in an outcome; did you mean ''error''?';
    foreach v_item in array array['{"seq": "1, 2"}', '{"seq": ""}', '{"seq": " 1"}', '{"seq": "1.0"}', '{"seq": "one"}',
                                  '{"seq": "\"1"}', '{"seq": "1", "delay_ms": "-5"}', '{"seq": "1", "delay_ms": "NaN"}',
                                  '{"seq": "1", "delay_ms": "1e400"}', '{"seq": "1", "delay_ms": ""}']::jsonb[] loop
        perform promise.refused(format(v_settle, jsonb_build_array(v_item || '{"outcome": "transient"}')));
        perform promise.refused(format(v_settle, jsonb_build_array(v_item || '{"outcome": "transient"}', '{"outcome": "transient"}'::jsonb)));
    end loop;
    assert (promise.newest_lease(w)).members = l.members;
    assert postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1]::text, 'outcome', 'snooze', 'delay_ms', '3600000'),
        jsonb_build_object('seq', l.members[2], 'outcome', 'transient', 'delay_ms', '0.5'))) = 'settled';
    assert (select array_agg(seq order by seq) from postrider.delivery where channel = 'reports') = l.members[1:2];
    assert (select available_at > clock_timestamp() + interval '50 minutes' from postrider.delivery where seq = l.members[1]);
    perform promise.due_now('reports');
    commit;
    select * into strict c from postrider.claim_due(w, 1);
    v_item := jsonb_build_object('delivery', c.delivery_id::text, 'token', c.lease_token, 'outcome', 'snooze', 'delay_ms', '7200000');
    assert promise.refused(format('select postrider.settle_due(%L, %L)', w, jsonb_build_array(v_item || '{"seq": 1}')))
         = 'unknown key ''seq'' in an outcome';
    assert (select result from postrider.settle_due(w, jsonb_build_array(v_item))) = 'pending';
    assert (select available_at > clock_timestamp() + interval '100 minutes' from postrider.delivery where id = c.delivery_id);
end
$$;

-- filters, and the results of alerts
do $$
declare
    v_call text;
begin
    foreach v_call in array array[
        $q$select postrider.dead_page('{"handlr": "a.x"}')$q$, $q$select postrider.discard('{"handlr": "a.x"}', 'ann', 'why')$q$,
        $q$select postrider.replay_preview('{"handlr": "a.x"}')$q$, $q$select postrider.replay_start('{"handlr": "a.x"}', 'ann', 'why')$q$,
        $q$select postrider.replay_propose('{"handlr": "a.x"}', 'ann', 'why')$q$,
        $q$select postrider.restore('{"handlr": "a.x"}', 'ann', 'why')$q$, $q$select postrider.discarded_page('{"handlr": "a.x"}')$q$,
        $q$select postrider.dead_reach('{"handlr": "a.x"}', 1)$q$] loop
        assert promise.refused(v_call) = 'unknown key ''handlr'' in a filter of dead letters; did you mean ''handler''?', v_call;
    end loop;
    assert promise.refused($q$select postrider.message_page('{"chanel": "a"}')$q$)
         = 'unknown key ''chanel'' in a filter of messages; did you mean ''channel''?';
    assert promise.refused($q$select postrider.settle_alerts('t', '[{"alert": 1, "tokn": "x", "outcome": "sent"}]')$q$)
         = 'unknown key ''tokn'' in a result; did you mean ''token''?';
end
$$;
