-- Promises about JSON documents that a producer can insert and jsonb cannot represent: numbers beyond numeric, a zero byte,
-- half a character, nesting as deep as the stack allows. Claims hand them out as they are, and views show them as a string.
\ir ../include/promises.sql

create temp table strange (name text, document text);
insert into strange values
    ('large', '{"n": 1e200000}'), ('fine', '[1e-20000]'), ('long', '1' || repeat('0', 140000)),
    ('zero', '{"a": "\u0000"}'), ('half', '{"a": "\ud83d"}');
-- The deepest document that an insert takes: with the stack that a claim has used by then, it is too deep.
do $$
declare
    v_fits int := 10;
    v_fails int := 100000;
    v_middle int;
begin
    while v_fails - v_fits > 1 loop
        v_middle := (v_fits + v_fails) / 2;
        begin
            perform (repeat('[', v_middle) || repeat(']', v_middle))::json;
            v_fits := v_middle;
        exception when statement_too_complex then v_fails := v_middle;
        end;
    end loop;
    insert into strange values ('deep', repeat('[', v_fits) || repeat(']', v_fits));
end
$$;

select promise.worker('strange') as worker \gset
-- parked on sight, and handed out at once
insert into postrider.message (channel, event_type, payload, available_at)
select 'strange', name, document::json, now() + interval '1 hour' from strange;
insert into postrider.message (channel, event_type, payload) select 'strange', name, document::json from strange;
insert into postrider.message (channel, event_type, payload) values ('strange', 'plain', '{"n": 1}');

select promise.park(:'worker');
create temp table claimed as select * from postrider.claim(:'worker', 100);
do $$
begin
    assert 7 = (select count(*) from claimed), 'every message that is not parked was handed out';
    assert 6 = (select count(*) from postrider.delivery where channel = 'strange'), 'the others are parked';
    assert (select bool_and(c.payload::text = s.document) from claimed c join strange s on s.name = c.event_type), 'as it was published';
    assert (select bool_and(jsonb_typeof(payload) = case event_type when 'plain' then 'object' else 'string' end)
            from postrider.outbox where channel = 'strange'), 'a document that jsonb cannot hold is a string';
end
$$;

-- a second attempt gets the same document as the first, byte for byte
do $$
declare
    w uuid := promise.worker('bytes');
    l postrider.lease;
    v_documents text[] := array['{"b" : 1.50,"a":1, "b":2}', '{"a": "\u0000"}'];
    v_raw text[];
begin
    insert into postrider.message (channel, event_type, payload, headers)
    select 'bytes', 'a', d::json, d::json from unnest(v_documents) d;
    insert into postrider.message (channel, event_type, payload, available_at) values ('bytes', 'a', '[1 ]', now() + interval '1 hour');
    commit;
    perform promise.park(w);
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'transient'), jsonb_build_object('seq', l.members[2], 'outcome', 'transient')));
    perform promise.due_now('bytes');
    commit;
    v_raw := array(select c.payload || coalesce(c.headers::text, '') from postrider.claim_due(w, 10) c order by c.payload::text);
    assert v_raw = (select array_agg(x order by x) from unnest(
        array[v_documents[1] || v_documents[1], v_documents[2] || v_documents[2], '[1 ]']) x), v_raw;
    assert (select count(*) filter (where jsonb_typeof(o.payload) = 'string') = 1
                   and count(*) filter (where o.payload = '{"a": 1, "b": 2}' and o.headers = o.payload) = 1
                   and count(*) = 3
            from postrider.outbox o where o.channel = 'bytes');
end
$$;
