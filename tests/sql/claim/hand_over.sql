-- Promises about messages that are handed over from a broker:
--   a message becomes a delivery with its envelope, as decide() decides on its first attempt; it is not in the log
--   from then until its retention it is in exactly one status for its consumer and handler
--   the same id and cycle are recognised, also after it ended and after a replay moved it; another cycle is another delivery
--   retries, dead letters, alerts, replay, redelivery and cancellation are those of messages of the log
--   a payload comes back as the text that was handed over
--   failures without a success open the circuit, failures between successes do not
--   of several messages all are stored or none
--   consumer and handler are made with the first message, and belong to the role that handed it over
--   no message can be published to the channel broker, and its consumers hold back no partition
\ir ../include/promises.sql

create function promise.refused(p_statement text) returns text
    language plpgsql
    as $$
begin
    execute p_statement;
    raise exception 'this was accepted: %', p_statement;
exception when sqlstate 'PR001' or sqlstate 'PR002' then
    return sqlerrm;
end
$$;

-- run(worker, outcome): runs all due deliveries. Returns how many.
create function promise.run(p_worker uuid, p_outcome text) returns bigint
    language sql
    as $$
    select count(*) from postrider.settle_due(p_worker, (
        select coalesce(jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', p_outcome, 'error', 'no')), '[]')
        from postrider.claim_due(p_worker, 100) c))
    $$;

-- a message becomes a delivery with its envelope, and is not in the log
do $$
declare
    v_id uuid := gen_random_uuid();
    v_message json := json_build_object(
        'id', v_id, 'event_type', 'a.b', 'event_version', 3, 'source', 'shop', 'occurred_at', '2026-01-02 03:04:05Z', 'published_at',
        '2026-01-02 03:04:06Z', 'payload', json '{"x" :  1.0, "x": 2}', 'headers', json '{"h":1}', 'metadata', json '{"m": 1}',
        'idempotency_key', 'key', 'ordering_key', 'order', 'partition_key', 'part', 'trace_context', 'trace', 'content_class', 'class',
        'workspace_id', '11111111-1111-1111-1111-111111111111', 'max_attempts', 7, 'generation', 4, 'target', 'other');
    h record;
    o record;
    w uuid;
    c record;
begin
    select * into strict h from postrider.hand_over('billing', 'billing.mail', v_message, 'smtp is down', 'smtp', p_delay_ms => 60000);
    assert (h.status, h.repeated) = ('pending', false) and h.available_at > clock_timestamp(), h;
    commit;
    select * into strict o from postrider.outbox where id = v_id;
    assert (o.status, o.attempts, o.failures, o.max_attempts, o.cycle, o.delivery_id) = ('pending', 1, 1, 7, 1, h.delivery_id), o;
    assert (o.consumer, o.handler, o.channel, o.event_type, o.event_version, o.source, o.target)
         = ('billing', 'billing.mail', 'broker', 'a.b', 3, 'shop', 'other'), o;
    assert (o.occurred_at, o.published_at, o.idempotency_key, o.ordering_key, o.partition_key, o.trace_context, o.content_class)
         = ('2026-01-02 03:04:05Z', '2026-01-02 03:04:06Z', 'key', 'order', 'part', 'trace', 'class'), o;
    assert (o.workspace_id, o.generation, o.last_error, o.error_class)
         = ('11111111-1111-1111-1111-111111111111', 4, 'smtp is down', 'smtp'), o;
    assert not exists (select from postrider.message m where m.seq = o.seq or m.id = v_id);
    -- a retry gets the text that was handed over
    w := promise.worker('broker', '[{"name": "billing.mail", "event_types": ["a.*"]}]', 'billing');
    assert (select count(*) from postrider.claim_due(w)) = 0, 'not before it is due';
    perform promise.due_now('broker');
    select * into strict c from postrider.claim_due(w);
    assert (c.payload::text, c.headers::text, c.attempts, c.id) = ('{"x" :  1.0, "x": 2}', '{"h":1}', 2, v_id), c;
    perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered')));
    assert (select array_agg(status) from postrider.outbox where id = v_id) = '{delivered}';
    -- and is recognised when the broker sends it once more
    assert (select (x.repeated, x.status, x.delivery_id) = (true, 'delivered', h.delivery_id)
            from postrider.hand_over('billing', 'billing.mail', v_message) x);
    assert (select array_agg(status) from postrider.outbox where id = v_id) = '{delivered}';
    -- redelivered as any other
    assert postrider.redeliver(v_id, 'billing', 'billing.mail', false, 'me', 'again', 'broker') = 2;
    assert promise.run(w, 'delivered') = 1;
end
$$;

-- repetitions are recognised by id and cycle, per consumer and handler
do $$
declare
    v_message jsonb := '{"id": "0190a000-0000-7000-8000-000000000001", "event_type": "a"}';
begin
    assert not (select repeated from postrider.hand_over('twice', 'a.x', v_message::json));
    assert (select repeated from postrider.hand_over('twice', 'a.x', v_message::json));
    assert (select repeated from postrider.hand_over('twice', 'a.x', (v_message || '{"cycle": 1}')::json, 'other', 'error', 'terminal'));
    assert not (select repeated from postrider.hand_over('twice', 'a.x', (v_message || '{"cycle": 2}')::json));
    assert not (select repeated from postrider.hand_over('twice', 'a.y', v_message::json));
    assert not (select repeated from postrider.hand_over('thrice', 'a.x', v_message::json));
    assert (select count(*) from postrider.outbox where id = '0190a000-0000-7000-8000-000000000001') = 4;
end
$$;

-- an id that is no UUID is hashed with its source, and is the idempotency key
do $$
declare
    h record;
begin
    select * into h from postrider.hand_over('named', 'a.x', '{"id": "order-17", "source": "shop", "event_type": "a"}');
    assert (select (d.message_id, d.idempotency_key) = (encode(substring(sha256(E'shop\norder-17') for 16), 'hex')::uuid, 'order-17')
            from postrider.delivery d where d.id = h.delivery_id);
    assert (select repeated from postrider.hand_over('named', 'a.x', '{"id": "order-17", "source": "shop", "event_type": "a"}'));
    assert not (select repeated from postrider.hand_over('named', 'a.x', '{"id": "order-17", "source": "store", "event_type": "a"}'));
end
$$;

-- a terminal failure is a dead letter with an alert; it can be replayed, moved, and is recognised there
do $$
declare
    v_message json := '{"id": "0190a000-0000-7000-8000-000000000002", "event_type": "a", "payload": {"n": 1}}';
    h record;
    w uuid;
begin
    select * into h from postrider.hand_over('dead', 'a.x', v_message, 'no such user', 'missing', 'terminal');
    assert h.status = 'failed', h;
    assert (select (d.last_error, d.error_class, d.attempts, d.channel) = ('no such user', 'missing', 1, 'broker')
            from postrider.dead_letters d where d.delivery_id = h.delivery_id);
    assert (select count(*) from postrider.alerts where delivery_id = h.delivery_id and kind = 'dead_letter') = 1;
    assert (select repeated from postrider.hand_over('dead', 'a.x', v_message));
    commit;
    perform promise.worker('outbox_gen_7', '[{"name": "a.x", "event_types": ["*"]}]', 'dead');
    perform postrider.outbox_replay('0190a000-0000-7000-8000-000000000002', 7, 'me');
    assert (select (o.status, o.channel, o.cycle) = ('pending', 'outbox_gen_7', 2)
            from postrider.outbox o where o.id = '0190a000-0000-7000-8000-000000000002');
    assert (select (x.repeated, x.delivery_id) = (true, h.delivery_id) from postrider.hand_over('dead', 'a.x', v_message) x);
    -- One that stays is run by the workers of the channel, up to its last attempt.
    select * into h from postrider.hand_over('ends', 'a.x', v_message, p_delay_ms => 0);
    w := promise.worker('broker', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 2, "retry": {"curve": "immediate"}}]', 'ends');
    perform promise.due_now('broker');
    for i in 2..5 loop
        assert promise.run(w, 'transient') = 1, i;
        perform promise.due_now('broker');
    end loop;
    assert (select status from postrider.delivery where id = h.delivery_id) = 'failed', 'the limits of the handler of that time';
    perform postrider.outbox_replay('0190a000-0000-7000-8000-000000000002', null, 'me')
    where not exists (select from postrider.delivery d where d.id <> h.delivery_id and d.status = 'failed');
    assert promise.run(w, 'delivered') = 1;
    assert (select (status, cycle) = ('delivered', 2) from postrider.delivery where id = h.delivery_id);
end
$$;

-- a message that was not run is uncharged; one of a lost worker is a suspect
do $$
declare
    w uuid := promise.worker('broker', '[{"name": "a.x", "event_types": ["*"]}]', 'lost');
begin
    perform postrider.hand_over_many(w, '[
        {"message": {"id": "1", "event_type": "a"}, "handler": "a.x", "outcome": "interrupted", "error_class": "worker_lost"},
        {"message": {"id": "2", "event_type": "a"}, "handler": "a.x", "outcome": "interrupted"},
        {"message": {"id": "3", "event_type": "a"}, "handler": "a.x", "outcome": "snooze", "delay_ms": 60000},
        {"message": {"id": "3", "event_type": "a"}, "handler": "a.x", "outcome": "snooze"}]');
    assert (select array_agg(concat_ws(' ', idempotency_key, status, attempts, suspect, available_at > clock_timestamp()) order by idempotency_key)
            from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id where c.name = 'lost')
         = '{"1 pending 0 t f","2 pending 0 f f","3 pending 0 f t"}';
    assert (select array_agg(c.was) from postrider.cancel(jsonb_build_object('consumer', 'lost', 'ids', jsonb_build_array(
                postrider.message_uuid('3', null))), 'me', 'not needed') c) = '{pending}';
end
$$;

-- failures without a success open the circuit, and intake() says so; failures between successes do not
do $$
declare
    v_handlers jsonb := '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 3}}, {"name": "a.y", "event_types": ["*"]}]';
    w uuid := promise.worker('broker', v_handlers, 'down');
    i record;
begin
    for n in 1..6 loop
        select * into i from postrider.hand_over_many(w, json_build_array(json_build_object(
            'message', json_build_object('id', 'well ' || n, 'event_type', 'a'), 'handler', 'a.x', 'outcome', 'transient')), '{a.x}');
        assert (i.paused, i.held) = (false, '{}'::text[]), i;
    end loop;
    for n in 1..3 loop
        assert (select held from postrider.intake(w)) = '{}';
        select * into i from postrider.hand_over_many(w, json_build_array(json_build_object(
            'message', json_build_object('id', 'down ' || n, 'event_type', 'a'), 'handler', 'a.x', 'outcome', 'transient')));
    end loop;
    assert (i.paused, i.held) = (false, '{a.x}'::text[]), i;
    assert (select (held, paused) = ('{a.x}'::text[], false) from postrider.intake(w));
    -- Failures during the outage are not charged to the message.
    perform postrider.hand_over_many(w, '[{"message": {"id": "then", "event_type": "a"}, "handler": "a.x", "outcome": "transient"}]');
    assert (select attempts from postrider.delivery where idempotency_key = 'then') = 0;
    perform postrider.pause_consumer('down', true, 'broker', 'me', 'repair');
    assert (select paused from postrider.intake(w));
    perform promise.raises(format('select postrider.intake(%L)', gen_random_uuid()), 'PR004');
end
$$;

-- of several messages all are stored or none, and errors name the argument
do $$
declare
    w uuid := promise.worker('broker', '[{"name": "a.x", "event_types": ["*"]}]', 'strict');
    v_count bigint := (select count(*) from postrider.delivery);
    v_call constant text := $q$select postrider.hand_over('strict', 'a.x', '%s')$q$;
begin
    perform promise.raises(format($q$select postrider.hand_over_many(%L, '[
        {"message": {"id": "1", "event_type": "a"}, "handler": "a.x", "outcome": "transient"},
        {"message": {"id": "2", "event_type": "a"}, "handler": "a.z", "outcome": "transient"}]')$q$, w), 'PR011');
    perform promise.raises(format($q$select postrider.hand_over_many(%L, '[
        {"message": {"id": "1", "event_type": "a"}, "handler": "a.x", "outcome": "transient"},
        {"message": {"id": "2", "event_type": ""}, "handler": "a.x", "outcome": "transient"}]')$q$, w), 'PR001');
    perform promise.raises(format($q$select postrider.hand_over_many(%L, '{}')$q$, w), 'PR001');
    perform promise.raises(format($q$select postrider.hand_over_many(%L, '[1]')$q$, w), 'PR001');
    perform promise.raises($q$select postrider.hand_over_many(gen_random_uuid(), '[]')$q$, 'PR004');
    assert promise.refused(format(v_call, '{"event_type": "a"}')) = 'hand_over: the message has no id';
    assert promise.refused(format(v_call, '{"id": "x"}')) = 'hand_over: event_type is missing';
    assert promise.refused(format(v_call, '[]')) = 'hand_over: the message must be a JSON object';
    assert promise.refused(format(v_call, '{"id": "x", "event_type": "a", "paylod": 1}'))
         = 'hand_over: unknown key ''paylod'' in a message; did you mean ''payload''?';
    assert promise.refused(format(v_call, json_build_object('id', repeat('x', 256), 'event_type', 'a'))) like '%id must have at most 255 bytes';
    assert promise.refused(format(v_call, json_build_object('id', 'x', 'event_type', repeat('x', 256)))) like '%event_type must have at most 255 bytes';
    assert promise.refused(format(v_call, '{"id": "x", "event_type": "a", "cycle": 0}')) like '%cycle must be between 1 and 1000000';
    assert promise.refused($q$select postrider.hand_over('strict', 'a.x', '{"id": "x", "event_type": "a"}', p_outcome => 'delivered')$q$)
         like '%a message that was delivered is not handed over';
    assert promise.refused($q$select postrider.hand_over('strict', 'a.x', '{"id": "x", "event_type": "a"}', p_outcome => 'sad')$q$)
         like 'an outcome must be %';
    assert promise.refused($q$select postrider.hand_over('strict', 'a.x', null)$q$) like '%must be a JSON object';
    perform promise.raises($q$select postrider.hand_over('strict', 'noscope', '{"id": "x", "event_type": "a"}')$q$, 'PR013');
    perform promise.raises($q$select postrider.hand_over('Bad name', 'a.x', '{"id": "x", "event_type": "a"}')$q$, 'PR013');
    assert (select count(*) from postrider.delivery) = v_count;
end
$$;

-- a payload that is too large to be handed out is a dead letter when it is due
do $$
declare
    w uuid := promise.worker('broker', '[{"name": "a.x", "event_types": ["*"]}]', 'large');
    h record;
begin
    select * into h from postrider.hand_over('large', 'a.x', json_build_object(
        'id', 'l', 'event_type', 'a', 'payload', repeat('x', 1100000)), p_outcome => 'interrupted');
    assert (select count(*) from postrider.claim_due(w)) = 0;
    assert (select (status, error_class) = ('failed', 'too_large') from postrider.delivery where id = h.delivery_id);
end
$$;

-- in one status each, until retention; no message is published to the channel, and no partition is held
do $$
begin
    assert not exists (select from postrider.delivery d where d.broker_cycle is not null
                       and (select count(*) from postrider.outbox o where o.delivery_id = d.id) <> 1);
    assert (select count(*) from postrider.outbox where channel = 'broker')
         = (select count(*) from postrider.delivery d where d.channel = 'broker');
    perform promise.raises($q$select postrider.publish('a', p_channel => 'broker')$q$, 'PR001');
    perform promise.raises($q$insert into postrider.message (event_type, channel) values ('a', 'broker')$q$, 'PR001');
    perform promise.publish('elsewhere', 1);
    assert postrider.partition_holder('message_tail') is null;
    assert (select count(*) from postrider.partitions() p where postrider.partition_holder(p.name) is not null) = 0;
    update postrider.delivery set delivered_at = delivered_at - interval '400 days' where status = 'delivered' and channel = 'broker';
    perform postrider.retention_run();
    assert (select bool_and(deleted_at is not null) from postrider.delivery where status = 'delivered' and channel = 'broker');
end
$$;

-- the consumer belongs to the role that handed over first; producers may not
drop role if exists postrider_test_bridge, postrider_test_other;
create role postrider_test_bridge login in role postrider_worker;
create role postrider_test_other login in role postrider_worker;
set session authorization postrider_test_bridge;
select postrider.hand_over('bridge', 'bridge.all', '{"id": "1", "event_type": "a"}') is not null;
set session authorization postrider_test_other;
do $$
begin
    perform postrider.hand_over('bridge', 'bridge.all', '{"id": "2", "event_type": "a"}');
    assert false;
exception when sqlstate 'PR010' then
    null;
end
$$;
reset session authorization;
set role postrider_producer;
do $$
begin
    perform postrider.hand_over('bridge', 'bridge.all', '{"id": "2", "event_type": "a"}');
    assert false;
exception when insufficient_privilege then
    null;
end
$$;
reset role;
select postrider.remove_consumer('bridge', 'me', 'done', 'broker', true) is not null;
drop role postrider_test_bridge, postrider_test_other;
