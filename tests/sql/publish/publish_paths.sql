-- Promises about every way to publish (functions, INSERT, COPY), each in its own transaction:
--   it holds the doorbell of its channel in shared mode, so that no consumer sleeps before its commit is visible
--   it checks its cluster
--   an invalid value is rejected with the name of its domain
\ir ../include/promises.sql

create function promise.shares_bell(p_channel text) returns void
    language plpgsql
    as $$
begin
    assert promise.bell_shared(p_channel), 'a publication on ' || p_channel || ' did not share its bell';
    assert current_setting('postrider.cluster', true) = 'known', 'the connection does not know its cluster';
end
$$;

begin;
insert into postrider.message (event_type) values ('way.default');
select promise.shares_bell('outbox_default');
commit;

begin;
insert into postrider.message (event_type, channel) values ('way.rows', 'ways_1'), ('way.rows', 'ways_2');
select promise.shares_bell('ways_1'), promise.shares_bell('ways_2');
commit;

begin;
insert into postrider.message (event_type, channel) select 'way.select', 'ways_' || n from generate_series(3, 4) n;
select promise.shares_bell('ways_3'), promise.shares_bell('ways_4');
commit;

-- parameters whose types the server infers, and parameters of a type of their own; the plan is kept
prepare inferred as insert into postrider.message (event_type, channel) values ('way.inferred', $1);
prepare typed(text) as insert into postrider.message (event_type, channel) values ('way.typed', $1);
set plan_cache_mode = force_generic_plan;
begin;
execute inferred('ways_5');
select promise.shares_bell('ways_5');
commit;
begin;
execute inferred('ways_5');
select promise.shares_bell('ways_5');
commit;
begin;
execute typed('ways_6');
select promise.shares_bell('ways_6');
commit;
begin;
execute typed('ways_6');
select promise.shares_bell('ways_6');
commit;
reset plan_cache_mode;

begin;
select postrider.publish('way.function', p_channel => 'ways_7') is not null as published;
select promise.shares_bell('ways_7');
commit;
begin;
select postrider.publish_many('[{"event_type": "way.many", "channel": "ways_8"}, {"event_type": "way.many", "channel": "ways_9"}]');
select promise.shares_bell('ways_8'), promise.shares_bell('ways_9');
commit;
begin;
insert into postrider.outbox (event_type, channel) values ('way.view', 'ways_10');
select promise.shares_bell('ways_10');
commit;
-- rows copied from the log are published like others
begin;
insert into postrider.message (event_type, channel)
select 'way.again', channel::text from postrider.message where channel = 'ways_10';
select promise.shares_bell('ways_10');
commit;

begin;
copy postrider.message (event_type) from stdin;
way.copy
\.
select promise.shares_bell('outbox_default');
commit;
begin;
copy postrider.message (event_type, channel) from stdin (delimiter ' ');
way.copy ways_11
way.copy ways_12
\.
select promise.shares_bell('ways_11'), promise.shares_bell('ways_12');
commit;

-- a rollback discards the cached cluster as well; the next publication checks again
reset postrider.cluster;
reset postrider.channels;
begin;
insert into postrider.message (event_type) values ('way.back');
rollback;
begin;
insert into postrider.message (event_type) values ('way.back');
select promise.shares_bell('outbox_default');
commit;

-- an invalid value is rejected with the name of its domain, and null is not subject to the limits
do $$
declare
    v_column text;
    v_value text;
    v_said text;
begin
    for v_column, v_value in values
        ('channel', quote_literal('')), ('channel', quote_literal(repeat('x', 64))), ('event_type', quote_literal('')),
        ('event_type', quote_literal(repeat('x', 256))), ('source', quote_literal(repeat('x', 256))),
        ('target', quote_literal('')), ('target', quote_literal(repeat('x', 256))),
        ('content_class', quote_literal(repeat('x', 256))), ('payload', 'to_json(repeat(''x'', 1048577))'),
        ('headers', 'to_json(repeat(''x'', 65537))'), ('metadata', 'to_jsonb(repeat(''x'', 65537))'),
        ('idempotency_key', quote_literal(repeat('x', 256))), ('ordering_key', quote_literal(repeat('x', 256))),
        ('partition_key', quote_literal(repeat('x', 256))), ('trace_context', quote_literal(repeat('x', 256))),
        ('max_attempts', '0'), ('max_attempts', '1001')
    loop
        begin
            v_said := 'nothing';
            if v_column = 'event_type' then
                execute format('insert into postrider.message (event_type) values (%s)', v_value);
            else
                execute format('insert into postrider.message (event_type, %I) values (''a'', %s)', v_column, v_value);
            end if;
        exception when check_violation then
            get stacked diagnostics v_said = constraint_name;
        end;
        assert starts_with(v_said, v_column || '_within_'), format('%s was refused by %s', v_column, v_said);
    end loop;
    insert into postrider.message (
        event_type, target, content_class, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, max_attempts)
    values ('way.nulls', null, null, null, null, null, null, null, null, null);
end
$$;
