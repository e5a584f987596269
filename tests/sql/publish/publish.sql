-- Promises of publishing:
--   publish() fills in the envelope, and its id is a UUID version 7 that sorts by time
--   publish() rejects missing and malformed (PR001) and oversized (PR002) values
--   publish_many() keeps the order of its array, stores every key, has publish()'s defaults, and says which message is bad
--   an insert into the view publishes every envelope column, and refuses columns that a publisher may not set
--   a producer may INSERT and COPY envelope columns and nothing else
--   a rollback removes the message
\ir ../include/promises.sql

-- publish() fills in the envelope
do $$
declare
    v_before timestamptz := clock_timestamp();
    v_id uuid := postrider.publish('user.created');
    m postrider.message;
begin
    select * into strict m from postrider.message where id = v_id;
    assert m.channel = 'outbox_default', m.channel;
    assert m.event_type = 'user.created' and m.event_version = 1 and m.source = '' and m.priority = 0;
    assert m.payload::jsonb = '{}', m.payload;
    assert num_nulls(m.target, m.content_class, m.generation, m.workspace_id, m.headers, m.metadata,
                     m.idempotency_key, m.ordering_key, m.partition_key, m.trace_context, m.available_at,
                     m.max_attempts) = 12, 'something optional was filled in';
    assert m.occurred_at between v_before and clock_timestamp(), m.occurred_at;
    assert m.published_at between v_before and clock_timestamp(), m.published_at;
    assert m.xid = pg_current_xact_id(), m.xid;
end
$$;

-- publish() stores every argument
do $$
declare
    v_id uuid := '0190163d-8694-739b-aea5-966c26f8ad91';
    m postrider.message;
begin
    assert v_id = postrider.publish(
        'a.b', '{"x": 1}', 'shop', 'billing', 'orders', v_id, 3, '2026-01-02 03:04:05Z',
        '11111111-1111-1111-1111-111111111111', 'idem', 'order', 'part', '{"h": 1}', '{"m": 1}', 'trace', 'class',
        42, '2027-01-01Z', -7, 9);
    select * into strict m from postrider.message where id = v_id;
    assert (m.event_type, m.payload::jsonb, m.source, m.target, m.channel, m.event_version, m.occurred_at)
         = ('a.b', '{"x": 1}', 'shop', 'billing', 'orders', 3, '2026-01-02 03:04:05Z'), m;
    assert (m.workspace_id, m.idempotency_key, m.ordering_key, m.partition_key, m.headers::jsonb, m.metadata)
         = ('11111111-1111-1111-1111-111111111111', 'idem', 'order', 'part', '{"h": 1}', '{"m": 1}'), m;
    assert (m.trace_context, m.content_class, m.generation, m.available_at, m.priority, m.max_attempts)
         = ('trace', 'class', 42, '2027-01-01Z', -7, 9), m;
end
$$;

-- publish_many() and an insert into the view store as much
do $$
declare
    v_id constant uuid := '0190163d-8694-739b-aea5-966c26f8ad94';
    v_message constant jsonb := '{
        "event_type": "a.b", "payload": {"x": 1}, "source": "shop", "target": "billing", "event_version": 3,
        "occurred_at": "2026-01-02T03:04:05+00:00", "workspace_id": "11111111-1111-1111-1111-111111111111",
        "idempotency_key": "idem", "ordering_key": "order", "partition_key": "part", "headers": {"h": 1},
        "metadata": {"m": 1}, "trace_context": "trace", "content_class": "class", "generation": 42,
        "available_at": "2027-01-01T00:00:00+00:00", "priority": -7, "max_attempts": 9}';
    v_stored jsonb;
begin
    set local timezone = 'utc';
    perform postrider.publish_many(jsonb_build_array(v_message || '{"channel": "stored.many"}'));
    insert into postrider.outbox (
        id, channel, event_type, payload, source, target, event_version, occurred_at, workspace_id, idempotency_key,
        ordering_key, partition_key, headers, metadata, trace_context, content_class, generation, available_at, priority,
        max_attempts)
    select v_id, 'stored.view', r.event_type, r.payload, r.source, r.target, r.event_version, r.occurred_at, r.workspace_id,
           r.idempotency_key, r.ordering_key, r.partition_key, r.headers, r.metadata, r.trace_context, r.content_class,
           r.generation, r.available_at, r.priority, r.max_attempts
    from jsonb_populate_record(null::postrider.outbox, v_message) r;
    for v_stored in select to_jsonb(m) from postrider.message m where m.channel like 'stored.%' loop
        assert v_stored @> v_message, v_stored;
    end loop;
    assert (select count(*) from postrider.message where channel = 'stored.many') = 1;
    assert (select id from postrider.message where channel = 'stored.view') = v_id, 'the id is the publisher''s, too';
    insert into postrider.outbox (event_type, id) values ('a.b', '0190163d-8694-739b-aea5-966c26f8ad95');
    assert exists (select from postrider.message
                   where id = '0190163d-8694-739b-aea5-966c26f8ad95' and channel = 'outbox_default');
end
$$;

-- publish() takes null for "the default"
do $$
declare
    v_id uuid := postrider.publish(
        'a.b', null, null, null, p_event_version => null, p_occurred_at => null, p_priority => null);
    m postrider.message;
begin
    select * into strict m from postrider.message where id = v_id;
    assert m.payload::jsonb = '{}' and m.source = '' and m.event_version = 1 and m.priority = 0, m;
    assert m.occurred_at is not null;
    assert substr(v_id::text, 15, 1) = '7', v_id;
end
$$;

-- an id is a UUID version 7 that sorts by time
do $$
declare
    v_ids uuid[];
    v_ms bigint;
begin
    select array_agg(postrider.uuid_v7()) into v_ids from generate_series(1, 1000);
    assert (select count(distinct u) from unnest(v_ids) u) = 1000, 'ids repeat';
    assert (select bool_and(substr(u::text, 15, 1) = '7') from unnest(v_ids) u), 'version is not 7';
    assert (select bool_and(substr(u::text, 20, 1) in ('8', '9', 'a', 'b')) from unnest(v_ids) u), 'wrong variant';
    v_ms := ('x' || substr(replace(v_ids[1000]::text, '-', ''), 1, 12))::bit(48)::bigint;
    assert abs(v_ms - extract(epoch from clock_timestamp()) * 1000) < 60000, v_ms;
    perform pg_sleep(0.002);
    assert postrider.uuid_v7() > all (v_ids), 'a later id sorts before an earlier one';
end
$$;

-- publish() rejects missing, malformed and oversized values
select promise.raises($$select postrider.publish(null)$$, 'PR001');
select promise.raises($$select postrider.publish('')$$, 'PR001');
select promise.raises($$select postrider.publish(repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_channel => '')$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_channel => null)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_channel => repeat('x', 64))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_priority => 101)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_priority => -32769)$$, 'PR001');
select promise.raises($$select postrider.publish('a', to_jsonb(repeat('x', 1048577)))$$, 'PR002');
select postrider.publish(repeat('x', 255), to_jsonb(repeat('x', 1048000)), p_channel => repeat('c', 63)) \g /dev/null
-- The limits count bytes, not characters.
select promise.raises($$select postrider.publish(repeat('ü', 128))$$, 'PR002');

-- publish_many() keeps the order of its array and has publish()'s defaults
do $$
declare
    v_types text[];
begin
    assert 3 = postrider.publish_many(
        '[{"event_type": "m.c", "channel": "many"}, {"event_type": "m.a", "channel": "many", "payload": {"x": 1},
           "source": "s", "target": "t", "priority": 3, "max_attempts": 2, "available_at": "2027-01-01T00:00:00Z",
           "id": "0190163d-8694-739b-aea5-966c26f8ad92", "headers": {"h": 1}, "generation": 8},
          {"event_type": "m.b", "channel": "many"}]');
    select array_agg(event_type order by seq) into v_types from postrider.message where channel = 'many';
    assert v_types = '{m.c,m.a,m.b}', v_types;
    assert exists (select from postrider.message where channel = 'many' and event_type = 'm.b' and payload::jsonb = '{}'
                   and event_version = 1 and source = '' and priority = 0 and substr(id::text, 15, 1) = '7');
    assert exists (select from postrider.message where id = '0190163d-8694-739b-aea5-966c26f8ad92'
                   and (source, target, priority, max_attempts, available_at, headers::jsonb, generation)
                     = ('s', 't', 3, 2, '2027-01-01Z', '{"h": 1}', 8));
    assert 0 = postrider.publish_many('[]');
    assert 10000 = postrider.publish_many((select jsonb_agg('{"event_type": "m", "channel": "many2"}'::jsonb)
                                           from generate_series(1, 10000)));
end
$$;
select promise.raises($$select postrider.publish_many(null)$$, 'PR001');
select promise.raises($$select postrider.publish_many('{}')$$, 'PR001');
select promise.raises($$select postrider.publish_many('"x"')$$, 'PR001');
select promise.raises($$select postrider.publish_many(
    (select jsonb_agg('{"event_type": "m"}'::jsonb) from generate_series(1, 10001)))$$, 'PR002');

-- one bad message of publish_many() takes the others with it
do $$
begin
    perform promise.raises(
        $q$select postrider.publish_many('[{"event_type": "m", "channel": "bad"},
                                           {"event_type": "m", "channel": "bad", "id": "nonsense"}]')$q$, '22P02');
    assert not exists (select from postrider.message where channel = 'bad');
    begin
        perform postrider.publish_many('[{"event_type": "m", "channel": "bad"}, {"event_type": "", "channel": "bad"}]');
        raise exception 'it was published';
    exception when sqlstate 'PR001' then
        assert sqlerrm = 'publish_many: message 2: event_type is missing', sqlerrm;
    end;
    begin
        perform postrider.publish('');
        raise exception 'it was published';
    exception when sqlstate 'PR001' then
        assert sqlerrm = 'publish: event_type is missing', sqlerrm;
    end;
end
$$;

-- an insert into the view publishes, and refuses columns that a publisher may not set
do $$
declare
    v_id uuid;
    m postrider.message;
begin
    insert into postrider.outbox (event_type, payload, channel, max_attempts)
    values ('v.a', '{"x": 1}', 'view', 4) returning id into v_id;
    select * into strict m from postrider.message where id = v_id;
    assert (m.event_type, m.payload::jsonb, m.channel, m.max_attempts, m.source, m.event_version, m.priority)
         = ('v.a', '{"x": 1}', 'view', 4, '', 1, 0), m;
    insert into postrider.outbox (event_type, id) values ('v.a', '0190163d-8694-739b-aea5-966c26f8ad93');
    insert into postrider.outbox (event_type, channel, status)
    select 'v.b', 'view', 'pending' from generate_series(1, 3);
    assert 3 = (select count(*) from postrider.message where event_type = 'v.b' and channel = 'view');
end
$$;
select promise.raises($$insert into postrider.outbox (event_type, status) values ('a', 'delivered')$$, 'PR001');
select promise.raises($$insert into postrider.outbox (event_type, handler) values ('a', 'a.b')$$, 'PR001');
select promise.raises($$insert into postrider.outbox (event_type, consumer) values ('a', 'b')$$, 'PR001');
select promise.raises($$insert into postrider.outbox (payload) values ('{}')$$, 'PR001');

-- a producer may INSERT and COPY envelope columns and nothing else
set role postrider_producer;
select postrider.publish('p.a', p_channel => 'rights') \g /dev/null
select postrider.publish_many('[{"event_type": "p.a", "channel": "rights"}]') \g /dev/null
insert into postrider.message (event_type, channel) values ('p.a', 'rights');
insert into postrider.outbox (event_type, channel) values ('p.a', 'rights');
copy postrider.message (event_type, channel, payload) from stdin (delimiter '|');
p.a|rights|{"n": 1}
p.a|rights|{"n": 2}
\.
insert into postrider.message (
    id, channel, event_type, event_version, occurred_at, source, target, content_class, generation, workspace_id,
    payload, headers, metadata, idempotency_key, ordering_key, partition_key, trace_context, available_at, priority,
    max_attempts)
values (gen_random_uuid(), 'rights', 'p.a', 1, now(), '', null, null, 1, null, '{}', null, null, 'k', null, null,
        null, now(), 0, 5);
select promise.raises($$insert into postrider.message (event_type, seq) overriding system value values ('a', 1)$$, '42501');
select promise.raises($$insert into postrider.message (event_type, xid) values ('a', '5')$$, '42501');
select promise.raises($$insert into postrider.message (event_type, published_at) values ('a', now())$$, '42501');
select promise.raises($$insert into postrider.message (event_type) values ('a') returning seq$$, '42501');
select promise.raises($$insert into postrider.outbox (event_type, seq) values ('a', 1)$$, '42501');
select promise.raises($$insert into postrider.message_tail (event_type) values ('a')$$, '42501');
select promise.raises($$select from postrider.message$$, '42501');
select promise.raises($$update postrider.message set payload = '{}'$$, '42501');
select promise.raises($$delete from postrider.message$$, '42501');
select promise.raises($$select nextval('postrider.message_seq_seq')$$, '42501');
reset role;
do $$
begin
    assert 7 = (select count(*) from postrider.message where channel = 'rights');
    assert (select bool_and(seq is not null and xid <= pg_current_xact_id()
                            and published_at <= clock_timestamp() and id is not null)
            from postrider.message where channel = 'rights');
    assert 7 = (select count(distinct seq) from postrider.message where channel = 'rights');
end
$$;

-- the log itself rejects the values that publish() rejects
select promise.raises($$insert into postrider.message (event_type) values ('')$$, '23514');
select promise.raises($$insert into postrider.message (event_type, channel) values ('a', '')$$, '23514');
select promise.raises($$insert into postrider.message (event_type, source) values ('a', repeat('x', 256))$$, '23514');
select promise.raises($$insert into postrider.message (event_type, max_attempts) values ('a', 0)$$, '23514');
select promise.raises(
    $$insert into postrider.message (event_type, payload) values ('a', to_jsonb(repeat('x', 1048577)))$$, '23514');
select promise.raises(
    $$insert into postrider.message (event_type, headers) values ('a', to_jsonb(repeat('x', 65537)))$$, '23514');

-- a rollback removes the message: not in the log, not for a consumer, not in the view
do $$
declare
    w uuid := promise.worker('rollback');
begin
    commit;
    perform postrider.publish('r.a', p_channel => 'rollback');
    rollback;
    assert not exists (select from postrider.message where channel = 'rollback');
    assert promise.numbers(w) = '{}';
    assert not exists (select from postrider.outbox where channel = 'rollback');
    begin
        perform postrider.publish('r.a', p_channel => 'rollback');
        raise exception 'undone';
    exception when raise_exception then null;
    end;
    perform postrider.publish('r.b', '{"n": 7}', p_channel => 'rollback');
    commit;
    assert promise.numbers(w) = '{7}', 'the savepoint that was rolled back must not come along';
end
$$;
