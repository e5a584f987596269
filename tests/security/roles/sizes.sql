-- Promises about sizes:
--   a limit means the text, not what compression makes of it, by every way in
--   a claim that meets a message that is too large makes a dead letter of it, of the class too_large, and goes on
--   headers count towards the 16 MB of a claim
--   a document that is small as json, and large or slow as jsonb, is handed out as it is, and shown as a string: it stops no claim, list or audit
\ir ../../sql/include/promises.sql
drop role if exists test_sizes_producer;
create role test_sizes_producer login in role postrider_producer;
grant temporary on database :DBNAME to test_sizes_producer;

-- compressed values from a column are measured uncompressed
set session authorization test_sizes_producer;
create temp table bomb (payload json, headers json, metadata jsonb);
alter table bomb alter payload set storage extended;
insert into bomb values (json_build_object('a', repeat('x', 3000000)), json_build_object('a', repeat('x', 200000)),
                         jsonb_build_object('a', repeat('x', 200000)));
create temp table fair as
select json_build_object('a', repeat('x', 1000000)) as payload, json_build_object('a', repeat('x', 60000)) as headers,
       jsonb_build_object('a', repeat('x', 60000)) as metadata;
do $$
begin
    assert (select max(pg_column_size(payload)) < 1048576 and max(pg_column_size(headers)) < 65536 from bomb), 'they look small';
end
$$;
reset session authorization;
grant usage on schema promise to test_sizes_producer;
set session authorization test_sizes_producer;
select promise.raises('insert into postrider.message (event_type, channel, payload) select ''a'', ''size'', payload from bomb', '23514');
select promise.raises('insert into postrider.message (event_type, channel, headers) select ''a'', ''size'', headers from bomb', '23514');
select promise.raises('insert into postrider.message (event_type, channel, metadata) select ''a'', ''size'', metadata from bomb', '23514');
create temp table bomb_b as select payload::jsonb as payload, headers::jsonb as headers, metadata from bomb;
select promise.raises('select postrider.publish(''a'', payload, p_channel => ''size'') from bomb_b', '23514');
select promise.raises('select postrider.publish(''a'', p_channel => ''size'', p_headers => headers) from bomb_b', '23514');
select promise.raises('select postrider.publish(''a'', p_channel => ''size'', p_metadata => metadata) from bomb_b', '23514');
select promise.raises('insert into postrider.outbox (event_type, channel, payload) select ''a'', ''size'', payload from bomb_b', '23514');
select promise.raises('select postrider.publish_many(jsonb_build_array(jsonb_build_object(''event_type'', ''a'', ''payload'', payload)))
                       from bomb_b', 'PR002');
-- a number that is short in jsonb and long as text
select promise.raises('select postrider.publish(''a'', (''['' || string_agg(''1e131000'', '','') || '']'')::jsonb, p_channel => ''size'')
                       from generate_series(1, 100)', '23514');
-- what is within the limits may be compressed
insert into postrider.message (event_type, channel, payload, headers, metadata) select 'a', 'size', payload, headers, metadata from fair;
reset session authorization;

-- an older or an owner's message that is too large is dead for every handler, with a class of its own, and the rest goes on
select set_config('promise.one', promise.worker('old', '[{"name": "a.x", "event_types": ["*"]}, {"name": "a.y", "event_types": ["big"],
    "honour_terminal": false}]')::text, false),
       set_config('promise.two', promise.worker('old', p_consumer => 'other')::text, false) \g /dev/null
alter domain postrider.payload drop constraint payload_within_1048576_bytes;
alter domain postrider.headers drop constraint headers_within_65536_bytes;
insert into postrider.message (event_type, channel, payload) values ('small', 'old', '{"n": 1}');
insert into postrider.message (event_type, channel, payload) select 'big', 'old', json_build_object('a', repeat('x', 3000000));
insert into postrider.message (event_type, channel, headers) select 'small', 'old', json_build_object('a', repeat('x', 70000));
insert into postrider.message (event_type, channel, payload) values ('small', 'old', '{"n": 2}');
-- one that has to wait because of its priority
insert into postrider.message (event_type, channel, payload, priority) select 'late', 'old', json_build_object('a', repeat('x', 3000000)), 1;
do $$
declare
    v_one constant uuid := current_setting('promise.one');
    v_two constant uuid := current_setting('promise.two');
begin
    assert promise.drain(v_one) = 2, 'what is small is handed out';
    assert promise.drain(v_two, 1) = 2, 'one by one, too';
    assert (select array_agg(concat_ws(' ', d.consumer, d.handler, d.error_class, d.outcome, d.attempts)
                             order by d.consumer, d.handler, d.event_type)
            from postrider.dead_letters d where d.channel = 'old')
        = array_fill('other test.all too_large terminal 0'::text, '{3}') || array_fill('reader a.x too_large terminal 0'::text, '{3}')
          || 'reader a.y too_large terminal 0'::text,
        (select array_agg(concat_ws(' ', d.consumer, d.handler, d.error_class, d.outcome, d.attempts)) from postrider.dead_letters d);
    assert (select bool_and(d.last_error like '%too large%') from postrider.dead_letters d where d.channel = 'old');
    assert (select count(*) from postrider.alerts where error_class = 'too_large') = 7, 'people are told';
    assert not exists (select from postrider.circuit), 'that is no outage';
    -- a replay does not bring it to a handler either; an edited one it does
    perform postrider.outbox_replay(d.id, null, 'me') from postrider.dead_letters d
    where d.consumer = 'reader' and d.handler = 'a.x' and d.event_type = 'big';
end
$$;
do $$
declare
    v_one constant uuid := current_setting('promise.one');
    d postrider.dead_letters;
begin
    assert not exists (select from postrider.claim_due(v_one, 10));
    select * into strict d from postrider.dead_letters where consumer = 'reader' and handler = 'a.x' and event_type = 'big';
    assert d.cycle = 2 and d.error_class = 'too_large', d.cycle;
    perform postrider.edit_and_replay(d.delivery_id, '{"n": 3}', null, 'me', 'test');
    assert (select payload::text from postrider.claim_due(v_one, 10)) = '{"n": 3}';
end
$$;

-- headers count: 400 messages with 60 KB of headers that hardly compress are more than one claim
select set_config('promise.three', promise.worker('heads', p_consumer => 'heads')::text, false) \g /dev/null
insert into postrider.message (event_type, channel, headers)
select 'a', 'heads', json_build_object('a', (select string_agg(md5(n::text || i), '') from generate_series(1, 1870) i))
from generate_series(1, 400) n;
do $$
declare
    v_three constant uuid := current_setting('promise.three');
    v_got int;
    v_bytes bigint;
begin
    select count(*), sum(octet_length(headers::text)) into v_got, v_bytes from postrider.claim(v_three, 1000);
    assert v_got between 100 and 300 and v_bytes < 17000000, format('%s messages, %s bytes', v_got, v_bytes);
    select sum(octet_length(h.messages)) into v_bytes from postrider.exchange_packed(v_three, 1000) h;
    assert v_bytes between 1000000 and 17000000, v_bytes;
end
$$;
-- and so do payloads that are small only while they are stored
insert into postrider.message (event_type, channel, payload)
select 'a', 'heads', json_build_object('a', repeat('x', 200000)) from generate_series(1, 300) n;
do $$
declare
    v_three constant uuid := current_setting('promise.three');
    v_bytes bigint;
begin
    for i in 1..3 loop
        select coalesce(sum(octet_length(h.messages)), 0) into v_bytes from postrider.exchange_packed(v_three, 10000) h;
        assert v_bytes < 17000000, v_bytes;
    end loop;
end
$$;

-- numbers that are short as json and long as jsonb, and members that jsonb has to sort: claims hand out the text, views show it as a string
select set_config('promise.four', promise.worker('strange', '[{"name": "n.x", "event_types": ["*"], "max_attempts": 1}]',
                                                 p_consumer => 'strange')::text, false) \g /dev/null
set session authorization test_sizes_producer;
insert into postrider.message (event_type, channel, payload, headers)
select 'a', 'strange', ('[' || string_agg('1e130900', ',') || ']')::json, '{"n": [1e-16383, 0e16383, 0e-16383]}'
from generate_series(1, 20000);
insert into postrider.message (event_type, channel, payload)
select 'b', 'strange', ('[' || string_agg('1.2345678901234567e-' || 10 + n % 290, ',') || ']')::json from generate_series(1, 1000) n;
insert into postrider.message (event_type, channel, payload)
values ('c', 'strange', '{"hash": "5e123456", "small": 1.5e-300, "large": 1.7976931348623157e308, "list": [1, 2.5, "e999"]}');
insert into postrider.message (event_type, channel, payload)
select 'd', 'strange', ('{' || string_agg(format('"%s" : 1', n), ',') || '}')::json from generate_series(1, 50000) n;
insert into postrider.message (event_type, channel, payload)
select 'e', 'strange', ('[' || string_agg('1', ',') || ',1e100]')::json from generate_series(1, 500000);
insert into postrider.message (event_type, channel, payload)
select 'f', 'strange', json_agg('a:b:c:' || n) from generate_series(1, 10000) n;
reset session authorization;
set statement_timeout = '20s';
do $$
declare
    v_four constant uuid := current_setting('promise.four');
    v_handed_out json[];
    v_shown jsonb[];
    d postrider.dead_letters;
    l record;
begin
    v_handed_out := array(select c.payload from postrider.claim(v_four, 10) c order by c.event_type);
    assert cardinality(v_handed_out) = 6 and v_handed_out[1]::text like '[1e130900,1e130900,%' and length(v_handed_out[1]::text) = 180001;
    select n.* into l from promise.newest_lease(v_four) n;
    perform postrider.settle(v_four, l.id, l.token, '{}', (
        select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'terminal', 'error', 'no')) from unnest(l.members) s));
    v_shown := array(select n.payload from postrider.dead_letters n where n.consumer = 'strange' order by n.event_type);
    assert (select string_agg(jsonb_typeof(s), ' ' order by n) from unnest(v_shown) with ordinality as t(s, n))
        = 'string array object string array array', (select array_agg(jsonb_typeof(s)) from unnest(v_shown) s);
    assert v_shown[2] -> 999 = '1.2345678901234567e-140' and v_shown[3] ->> 'hash' = '5e123456'
           and v_shown[3] -> 'large' = '1.7976931348623157e308', 'documents of usual numbers are shown as they are';
    select * into strict d from postrider.dead_letters where consumer = 'strange' and event_type = 'a';
    assert octet_length(d.payload::text) < 1000000 and jsonb_typeof(d.headers) = 'string';
    assert octet_length(postrider.message_shown(d.id)::text) < 100000;
    assert (select octet_length(s.shown::text) + octet_length(s.payload_lines) < 1000000 from postrider.dead_letter_shown(d.id::text) s);
    perform postrider.edit_and_replay(d.delivery_id, null, '{}', 'me', 'test');
    assert (select max(octet_length(a.before::text) + octet_length(a.after::text)) < 200000
            from postrider.audits a where a.action = 'edit_and_replay'), 'the audit stays readable';
    assert (select c.payload::text from postrider.claim_due(v_four, 10) c) = v_handed_out[1]::text;
    -- metadata are jsonb: their text is measured
    perform promise.raises(format('select postrider.hand_over(''strange'', ''n.x'', %L)', format(
        '{"id": "m", "event_type": "a", "payload": {}, "metadata": {"n": [%s]}}', (select string_agg('1e130900', ',') from generate_series(1, 4000)))),
        'PR002');
end
$$;
reset statement_timeout;

-- a query of the outbox that needs no payload reads none
do $$
declare
    v_line text;
begin
    for v_line in explain (verbose) select id, seq, consumer, handler, status, attempts, available_at from postrider.outbox loop
        assert v_line not like '%readable%', v_line;
    end loop;
end
$$;

-- nor is a message of a broker parsed that is larger than any in the log
do $$
begin
    assert jsonb_typeof(postrider.readable(('[' || repeat('1,', 600000) || '1]')::json)) = 'string';
    assert jsonb_typeof(postrider.readable(('[' || repeat('1,', 500000) || '1]')::json)) = 'array';
end
$$;

-- deep documents are not indented
do $$
begin
    assert octet_length(postrider.indented((repeat('[', 400) || '0' || repeat(',0', 100000) || repeat(']', 400))::jsonb)) < 1000000;
    assert octet_length(postrider.indented((repeat('[', 3000) || '0' || repeat(',0', 20000) || repeat(']', 3000))::jsonb)) < 1000000;
    assert postrider.indented('{"a": [1]}') = E'{\n    "a": [\n        1\n    ]\n}';
end
$$;

-- an edit is measured uncompressed, too
do $$
declare
    v_dead constant bigint := (select delivery_id from postrider.dead_letters where consumer = 'strange' and event_type = 'b');
begin
    perform promise.raises(format('select postrider.edit_and_replay(%s, payload, null, ''me'', ''test'') from bomb_b', v_dead), 'PR002');
    perform promise.raises(format('select postrider.edit_and_replay(%s, null, headers, ''me'', ''test'') from bomb_b', v_dead), 'PR002');
end
$$;
drop owned by test_sizes_producer;
drop role test_sizes_producer;
