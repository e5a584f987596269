-- Promises: every malformed argument is PR001 and every oversized one PR002, so that a caller can distinguish its own
-- mistakes from errors of the database.
\ir ../include/promises.sql

select promise.raises($$select postrider.publish('a', p_source => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_target => '')$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_target => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_max_attempts => 0)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_max_attempts => 1001)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_max_attempts => 100000)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_headers => to_jsonb(repeat('x', 65537)))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_metadata => to_jsonb(repeat('x', 65537)))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_idempotency_key => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_ordering_key => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_partition_key => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_trace_context => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_content_class => repeat('x', 256))$$, 'PR002');
select postrider.publish('a', p_priority => -100), postrider.publish('a', p_priority => 100, p_max_attempts => 1000),
       postrider.publish('a', p_max_attempts => 1) \g /dev/null
select promise.raises($$select postrider.publish_many('[{}]')$$, 'PR001');
select promise.raises($$select postrider.publish_many('[{"event_type": ""}]')$$, 'PR001');
select promise.raises($$select postrider.publish_many('[1]')$$, 'PR001');
select promise.raises($$select postrider.publish_many('[null]')$$, 'PR001');
select promise.raises(format($q$select postrider.publish_many('[{"event_type": "m", %s}]')$q$, k.value), 'PR002')
from unnest(array[
    format('"metadata": "%s"', repeat('x', 65537)), format('"headers": "%s"', repeat('x', 65537)),
    format('"idempotency_key": "%s"', repeat('x', 256)), format('"ordering_key": "%s"', repeat('x', 256)),
    format('"partition_key": "%s"', repeat('x', 256)), format('"trace_context": "%s"', repeat('x', 256)),
    format('"content_class": "%s"', repeat('x', 256)), format('"target": "%s"', repeat('x', 256))]) as k(value);
select promise.raises($$select postrider.set_wake(null, 'always')$$, 'PR001');

do $$
declare
    w uuid := promise.worker('arguments');
    l postrider.lease;
begin
    perform promise.publish('arguments', 1);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform promise.raises(format('select postrider.extend(%L, %s, %L, null)', w, l.id, l.token), 'PR001');
    perform promise.raises(format('select postrider.extend(%L, %s, %L, ''-1 hour'')', w, l.id, l.token), 'PR001');
    perform promise.raises(format('select postrider.extend(%L, %s, %L, ''0'')', w, l.id, l.token), 'PR001');
    perform promise.raises(format('select postrider.heartbeat(%L, ''{}'', ''-1 hour'')', w), 'PR001');
    perform promise.raises(format('select postrider.heartbeat(%L, ''{}'', ''0.999 seconds'')', w), 'PR001');
    perform promise.raises(format('select postrider.heartbeat(%L, ''{}'', ''1 day 1 microsecond'')', w), 'PR001');
    perform postrider.heartbeat(w, '{}', '1 second'), postrider.heartbeat(w, '{}', '1 day');
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, ''{}'')', w, l.id, l.token), 'PR001');
    perform promise.raises(format('select postrider.settle_due(%L, ''{}'')', w), 'PR001');
    perform promise.raises(format('select postrider.register_worker(%L, ''a'', ''[{"name": "a.x", "event_types": ["*"]}]'','
                                  ' p_alive_for => null)', w), 'PR001');
end
$$;

-- a failure that names no message is refused: it must not count as delivered
do $$
declare
    w uuid := promise.worker('unnamed');
    l postrider.lease;
    v_failure jsonb;
    c record;
begin
    perform promise.publish('unnamed', 3);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    foreach v_failure in array array[
        '{}', '{"seq": null}', '{"seq": "one"}', '{"seq": 1.5}', '{"seq": 1.0}', '{"seq": 1e30}', '{"seq": true}', '{"seq": {}}',
        '{"seq": [1]}', '{"seq": [1, 2]}', '{"Seq": 1}', '{"seq": 1, "delay_ms": "NaN"}', '{"seq": 1, "delay_ms": "5 "}',
        '{"seq": 1, "delay_ms": -1e15}', '{"seq": 1, "delay_ms": 1e400}', '{"seq": 1, "delay_ms": [5]}', '{"seq": 1, "delay_ms": true}']::jsonb[]
    loop
        perform promise.raises(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token, jsonb_build_array(
            jsonb_build_object('seq', l.members[1], 'outcome', 'transient'), v_failure || '{"outcome": "transient"}')), 'PR001');
    end loop;
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, ''[1]'')', w, l.id, l.token), 'PR001');
    assert (promise.newest_lease(w)).members = l.members;
    assert postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'transient', 'delay_ms', 0.5),
        jsonb_build_object('seq', l.members[2], 'outcome', 'snooze', 'delay_ms', 1e10),
        jsonb_build_object('seq', l.members[3], 'outcome', 'transient', 'delay_ms', null))) = 'settled';
    perform promise.due_now('unnamed');
    commit;
    select * into c from postrider.claim_due(w, 1);
    perform promise.raises(format('select postrider.settle_due(%L, %L)', w, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'snooze', 'delay_ms', 'NaN'))), 'PR001');
end
$$;

-- limits, deadlines and flags
do $$
declare
    w uuid := promise.worker('limits');
    v_deadline text;
begin
    perform promise.raises('select postrider.reap(-1)', 'PR001');
    perform promise.raises('select postrider.reap(0)', 'PR001');
    perform promise.raises('select postrider.reap(null)', 'PR001');
    perform promise.raises('select postrider.pause_consumer(''reader'', null, ''limits'')', 'PR001');
    foreach v_deadline in array array['-1 hour', '0', '-1 microsecond'] loop
        perform promise.raises(format('select postrider.claim(%L, 10, %L)', w, v_deadline), 'PR001');
        perform promise.raises(format('select postrider.exchange(%L, 10, p_deadline => %L)', w, v_deadline), 'PR001');
        perform promise.raises(format('select postrider.exchange_packed(%L, 10, p_deadline => %L)', w, v_deadline), 'PR001');
        perform promise.raises(format('select postrider.claim_due(%L, 10, %L)', w, v_deadline), 'PR001');
    end loop;
    perform postrider.claim(w, 10, '1 microsecond'), postrider.claim_due(w, 10, '1 microsecond');
end
$$;
