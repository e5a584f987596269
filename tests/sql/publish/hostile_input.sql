-- Promises about hostile input: names, types, keys, payloads and error texts that look like SQL or control sequences,
-- or are arbitrary text, either pass through unchanged or are refused with a reason, and the consumer gets its other messages.
\ir ../include/promises.sql

create temp table hostile (n int generated always as identity, text text);
insert into hostile (text) values
    ($t$'; drop table postrider.message; --$t$),
    ($t$"; select pg_sleep(10); --$t$),
    ($t$$$; raise exception 'x'; $$$t$),
    ($t$\'; \\ \x00 \u0000$t$),
    ($t$%s %I %L %1$s %n$t$),
    ($t${"a": {"b": ["c", null]}}$t$),
    ($t$<script>alert(1)</script>$t$),
    (E'\x1b[31m red \x1b]0;title\x07 \x08\x08'),
    (E'line\nline\r\n\ttab'),
    (U&'\202Egnp.exe\202C \200B \FEFF'),
    (U&'\+01F600 e\0301'),
    ('*'), ('a.*'), ('..'), ('.'), (' '), (repeat('x', 255)), ('-'), ('null'), ('{}'), ('{a,b}'), ('1e999');

select promise.worker('hostile') as worker \gset
select set_config('promise.worker', :'worker', false) \g /dev/null

-- As a type, a source and every key, by each way to publish. A value that is too long is refused with a reason.
do $$
declare
    h record;
begin
    for h in select * from hostile loop
        perform postrider.publish(
            h.text, jsonb_build_object('n', h.n, h.text, h.text), p_channel => 'hostile', p_source => h.text,
            p_idempotency_key => h.text, p_ordering_key => h.text, p_partition_key => h.text,
            p_content_class => h.text, p_headers => jsonb_build_object(h.text, h.text));
    end loop;
    perform postrider.publish_many((
        select jsonb_agg(jsonb_build_object('channel', 'hostile', 'event_type', text, 'source', text,
                                            'payload', jsonb_build_object('n', n, 'text', text))) from hostile));
    insert into postrider.outbox (channel, event_type, payload)
    select 'hostile', text, jsonb_build_object('n', n, 'text', text) from hostile;
end
$$;
create temp table claimed as select * from postrider.claim(:'worker', 1000);
do $$
begin
    assert (select count(*) from claimed) = 3 * (select count(*) from hostile), 'something was lost';
    assert (select bool_and(c.event_type = h.text and (c.source = h.text or c.source = ''))
            from claimed c join hostile h on h.n = (c.payload ->> 'n')::int), 'something was changed on its way';
    assert (select bool_and(c.payload ->> h.text = h.text and c.idempotency_key = h.text and c.ordering_key = h.text
                            and c.partition_key = h.text and c.content_class = h.text and c.headers ->> h.text = h.text)
            from claimed c join hostile h on h.n = (c.payload ->> 'n')::int
            where c.headers is not null), 'a key was changed on its way';
end
$$;

-- As error, class, actor, reason and filter: kept as text, found as text.
select postrider.settle(:'worker', (select min(lease_id) from claimed), (select (array_agg(lease_token))[1] from claimed), null, (
    select jsonb_agg(jsonb_build_object('seq', c.seq, 'outcome', 'terminal', 'error', c.event_type,
                                        'error_class', c.event_type))
    from claimed c where c.headers is not null)) \g /dev/null
do $$
declare
    v_count int;
    h record;
begin
    assert (select count(*) from postrider.delivery d join hostile x on d.last_error = x.text and d.error_class = x.text
            where d.channel = 'hostile' and d.status = 'failed') = (select count(*) from hostile), 'an error text was changed';
    for h in select * from hostile loop
        select count(*) into v_count
        from postrider.dead_page(jsonb_build_object('event_type', h.text, 'channel', 'hostile'));
        assert v_count >= 1, format('a dead letter of type %L is not found', h.text);
        select count(*) into v_count
        from postrider.dead_page(jsonb_build_object('error_class', h.text, 'channel', 'hostile'));
        assert v_count >= 1, format('a dead letter of class %L is not found', h.text);
    end loop;
    -- one by one, with every text as actor and reason
    for h in select d.message_id, x.text from postrider.delivery d join hostile x on x.text = d.event_type
             where d.channel = 'hostile' and d.status = 'failed' loop
        perform postrider.outbox_replay(h.message_id, null, 'by ' || h.text);
    end loop;
    assert not exists (select from postrider.delivery where channel = 'hostile' and status = 'failed');
end
$$;

-- Names of consumers, handlers and channels: rejected unless they are valid, and no row is created.
do $$
declare
    h record;
    v_before int := (select count(*) from postrider.consumer);
begin
    for h in select * from hostile where text !~ '^[a-z0-9_][a-z0-9_.-]{0,62}$' loop
        perform promise.raises(format('select postrider.create_consumer(%L)', h.text), 'PR013');
        perform promise.raises(format('select postrider.register_worker(gen_random_uuid(), %L, ''[{"name": "a.b", "event_types": ["*"]}]'')', h.text), 'PR013');
    end loop;
    for h in select * from hostile where text !~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)+$' loop
        perform promise.raises(format('select promise.worker(''hostile'', jsonb_build_array(jsonb_build_object(''name'', %L::text, ''event_types'', ''["*"]''::jsonb)))', h.text), 'PR013');
    end loop;
    assert v_before = (select count(*) from postrider.consumer), 'a consumer was made';
end
$$;

-- Payloads: a zero byte, half a character, ten megabytes and numbers beyond a double.
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    perform promise.raises($q$select postrider.publish('a', '{"a": "\u0000"}')$q$, '22P05');
    perform promise.raises($q$select postrider.publish('a', '{"a": "\ud83d"}')$q$, '22P02');
    perform promise.raises($q$insert into postrider.message (event_type, payload) values ('a', convert_from('\x7b2261223a2022ff227d', 'UTF8')::json)$q$, '22021');
    perform promise.raises($q$insert into postrider.message (event_type, payload) values ('a', to_json(repeat('x', 10485760)))$q$, '23514');
    perform promise.raises($q$select postrider.publish('a', to_jsonb(repeat('x', 10485760)))$q$, 'PR002');
    perform promise.raises(format($q$select postrider.publish(%L)$q$, repeat('x', 256)), 'PR002');
    perform promise.raises($q$select postrider.publish('')$q$, 'PR001');
    perform postrider.publish('number', '{"n": 123456789012345678901234567890.5e300}', p_channel => 'hostile');
    perform postrider.publish('number', '{"n": -0}', p_channel => 'hostile');
end
$$;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    assert (select count(*) from postrider.claim(w) c where c.event_type = 'number') = 2, 'a large number stopped a claim';
end
$$;
