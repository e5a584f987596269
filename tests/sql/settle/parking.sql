-- Promises about messages that have to wait, and so get a delivery when they are first seen:
--   a message that waits and is made a delivery has the whole envelope
--   a handler the claiming worker lacks gets a delivery; the worker's own handlers run at once
--   a message published to a consumer that has no handler for it waits, visible in outbox, until a handler is registered
\ir ../include/promises.sql

-- later, and other priorities: a delivery with the whole envelope
do $$
declare
    w uuid := promise.worker('wait', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 7, "max_crashes": 2,
                                        "retry": {"curve": "fixed"}}]');
    v_later timestamptz := clock_timestamp() + interval '1 hour';
    v_later_id uuid := postrider.publish(
        'a.b', '{"n": 1}', 'shop', 'reader', 'wait', null, 3, '2026-01-02 03:04:05Z',
        '11111111-1111-1111-1111-111111111111', 'idem', 'order', 'part', '{"h": 1}', '{"m": 1}', 'trace', 'class',
        42, v_later);
    v_urgent uuid := postrider.publish('a.b', '{"n": 2}', p_channel => 'wait', p_priority => 5);
    v_lazy uuid := postrider.publish('a.b', '{"n": 3}', p_channel => 'wait', p_priority => -5, p_max_attempts => 2);
    d postrider.delivery;
    m postrider.message;
begin
    commit;
    perform promise.park(w);
    commit;
    select * into strict d from postrider.delivery where message_id = v_later_id;
    select * into strict m from postrider.message where id = v_later_id;
    assert (d.handler, d.status, d.attempts, d.attempts_total, d.max_attempts, d.max_crashes, d.retry, d.available_at)
         = ('a.x', 'pending', 0, 0, 7, 2, '{"curve": "fixed"}', v_later), d;
    assert (d.seq, d.published_at, d.channel, d.event_type, d.event_version, d.occurred_at, d.source, d.target)
         = (m.seq, m.published_at, m.channel, m.event_type, m.event_version, m.occurred_at, m.source, m.target), d;
    assert (d.content_class, d.generation, d.workspace_id, d.payload::text, d.headers::text, d.metadata, d.idempotency_key)
         = (m.content_class, m.generation, m.workspace_id, m.payload::text, m.headers::text, m.metadata, 'idem'), d;
    assert (d.ordering_key, d.partition_key, d.trace_context, d.priority)
         = (m.ordering_key, m.partition_key, m.trace_context, m.priority), d;
    select * into strict d from postrider.delivery where message_id = v_urgent;
    assert d.priority = 5 and d.available_at <= clock_timestamp() and d.idempotency_key = v_urgent::text, d;
    select * into strict d from postrider.delivery where message_id = v_lazy;
    assert d.max_attempts = 2, 'the message''s max_attempts goes before the handler''s';
end
$$;

-- a handler this worker lacks gets a delivery; its own run at once
do $$
declare
    a uuid := promise.worker('lacks', '[{"name": "a.x", "event_types": ["both", "a"]}]');
    b uuid := promise.worker('lacks', '[{"name": "b.x", "event_types": ["both", "b"]},
                                        {"name": "c.x", "event_types": ["both"]}]');
    v_due text[];
    c record;
begin
    perform postrider.publish(t, p_channel => 'lacks') from unnest('{both,a,b}'::text[]) with ordinality as x(t, n) order by n;
    commit;
    assert (select array_agg(x.event_type) from postrider.claim(a) x) = '{both,a}', 'b is not for this worker';
    commit;
    assert (select array_agg(d.event_type || ' ' || d.handler order by d.event_type, d.handler)
            from postrider.delivery d where d.channel = 'lacks') = '{b b.x,both b.x,both c.x}';
    assert (select count(*) from postrider.claim(b)) = 0;
    select array_agg(x.event_type || ' ' || x.handler order by x.event_type, x.handler) into v_due
    from postrider.claim_due(b) x;
    assert v_due = '{b b.x,both b.x,both c.x}', v_due;
    assert (select count(*) from postrider.claim_due(a)) = 0;
end
$$;

-- a message that fails for the worker's own handlers leaves the others' deliveries alone
do $$
declare
    a uuid := promise.worker('apart', '[{"name": "a.x", "event_types": ["t"]}]');
    b uuid := promise.worker('apart', '[{"name": "b.x", "event_types": ["t"]}]');
    c record;
begin
    perform postrider.publish('t', p_channel => 'apart');
    commit;
    select * into strict c from postrider.claim(a);
    assert postrider.settle(a, c.lease_id, c.lease_token, null,
        jsonb_build_array(jsonb_build_object('seq', c.seq, 'outcome', 'terminal'))) = 'settled';
    assert (select array_agg(d.handler || ' ' || d.status || ' ' || d.attempts order by d.handler)
            from postrider.delivery d where d.channel = 'apart') = '{a.x failed 1,b.x pending 0}';
end
$$;

-- a message to a consumer without a handler for it waits for one to come
do $$
declare
    w uuid := promise.worker('lacking', '[{"name": "a.x", "event_types": ["a"]}]');
    b uuid;
    v_id uuid := postrider.publish('odd', '{"n": 1}', p_target => 'reader', p_channel => 'lacking');
    v_other uuid := postrider.publish('other', p_target => 'reader', p_channel => 'lacking');
    v_ignored uuid := postrider.publish('odd', p_channel => 'lacking');
    d postrider.delivery;
begin
    commit;
    assert promise.numbers(w) = '{}';
    commit;
    assert (select array_agg(x.message_id order by x.seq) from postrider.delivery x
            where x.channel = 'lacking' and x.handler = '' and x.status = 'pending') = array[v_id, v_other];
    assert (select array_agg(x.status || coalesce(x.handler, ' none') order by x.seq) from postrider.outbox x
            where x.channel = 'lacking') = '{"pending none","pending none"}', 'it must be visible';
    assert (select count(*) from postrider.claim_due(w)) = 0;
    b := promise.worker('lacking', '[{"name": "b.x", "event_types": ["odd"], "retry": {"curve": "fixed"}, "max_crashes": 9}]');
    commit;
    select * into strict d from postrider.delivery where message_id = v_id;
    assert (d.handler, d.retry, d.max_crashes, d.status) = ('b.x', '{"curve": "fixed"}', 9, 'pending'), d;
    assert (select array_agg(x.payload ->> 'n') from postrider.claim_due(b) x) = '{1}';
    assert (select handler from postrider.delivery where message_id = v_other) = '', 'not its type';
end
$$;
