-- Promises of exchange_native() about reports in which something has failed:
--   a transient failure gets the delivery that settle() would give it, without its help
--   what else can be reported, and whatever else follows, it leaves to settle()
\ir include/failures.sql

-- failures of all kinds, in whatever order
call promise.fail('plain', '[{"n": 3, "handler": "test.all", "outcome": "failed", "error": "no", "error_class": "x"}]', true);
call promise.fail('several', '[{"n": 9, "handler": "test.all", "outcome": "failed", "error": "nine", "error_class": "x"},
                               {"n": 1, "handler": "test.all", "outcome": "failed", "error": null, "error_class": "y"},
                               {"n": 10, "handler": "test.all", "outcome": "failed"},
                               {"n": 2, "handler": "test.all", "outcome": "failed", "error": "ä\"\n", "error_class": ""}]', true);

-- every column of a message
insert into postrider.message (channel, event_type, event_version, occurred_at, source, target, content_class, generation,
                               workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
                               trace_context)
select 'columns', 'a.b', 3, '2026-01-02 03:04:05Z', 'shop', null, 'class', 42, '11111111-1111-1111-1111-111111111111',
       case n when 1 then '{"b" : 1, "a": [1.50, 1e3, "\\ \" e99999"], "b":2}'
              when 2 then to_json(repeat('x', 3000)) else 'null' end::json,
       '{"h": "ö"}', '{"m": 1}', 'key ' || n, 'order', 'part', 'trace'
from generate_series(1, 10) n;
call promise.fail('columns', '[{"n": 1, "handler": "test.all", "outcome": "failed", "error": "no"},
                               {"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"},
                               {"n": 3, "handler": "test.all", "outcome": "failed", "error": "no"}]', true);

-- each in a transaction of its own
do $$
begin
    for i in 1 .. 10 loop
        perform promise.publish('transactions', 1);
        commit;
    end loop;
end
$$;
call promise.fail('transactions', '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"},
                                    {"n": 8, "handler": "test.all", "outcome": "failed", "error": "no"}]', true);

-- a handler that takes some types, when it is the only one
call promise.fail('only', '[{"n": 2, "handler": "test.some", "outcome": "failed", "error": "no"}]', true,
                  '[{"name": "test.some", "event_types": ["test.*"]}]');
-- of two, one that takes everything; both; both the same message
call promise.fail('everything', '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]', true,
                  '[{"name": "test.some", "event_types": ["test.*"]}, {"name": "test.all", "event_types": ["*"]}]');
call promise.fail('of two', '[{"n": 2, "handler": "test.ab", "outcome": "failed"}, {"n": 3, "handler": "test.a", "outcome": "failed"},
                              {"n": 2, "handler": "test.a", "outcome": "failed"}]',
                  true, '[{"name": "test.ab", "event_types": ["*"]}, {"name": "test.a", "event_types": ["*"]}]');
-- One that takes some and has delivered one of them: settle() would begin to count, and look that up when it has counted enough.
call promise.fail('some', '[{"n": 1, "handler": "test.some", "outcome": "failed", "error": "no"}]', true,
                  '[{"name": "test.some", "event_types": ["x", "test.*"]}, {"name": "test.all", "event_types": ["*"]}]', false);
call promise.fail('exactly', '[{"n": 1, "handler": "test.some", "outcome": "failed", "error": "no"}]', true,
                  '[{"name": "test.some", "event_types": ["test.happened"]}, {"name": "test.all", "event_types": ["*"]}]', false);

-- What is left to settle().
-- A handler that has delivered nothing: its circuit counts.
do $$
begin
    perform promise.publish('rare', 4), promise.publish('rare', 1, 'rare.one'), promise.publish('rare', 5);
end
$$;
call promise.fail('rare', '[{"n": 5, "handler": "test.rare", "outcome": "failed", "error": "no"}]', false,
                  '[{"name": "test.rare", "event_types": ["rare.*"]}, {"name": "test.all", "event_types": ["*"]}]');
-- many handlers
select jsonb_agg(jsonb_build_object('n', 2, 'handler', 'test.h' || i, 'outcome', 'failed')) as failures,
       jsonb_agg(jsonb_build_object('name', 'test.h' || i, 'event_types', '["*"]'::jsonb)) as handlers
from generate_series(1, 17) i \gset
call promise.fail('many', :'failures', false, :'handlers');
call promise.fail('terminal', '[{"n": 2, "handler": "test.all", "outcome": "terminal", "error": "no"}]', false);
call promise.fail('crashed', '[{"n": 2, "handler": "test.all", "outcome": "crashed", "error": "no"}]', false);
call promise.fail('snooze', '[{"n": 2, "handler": "test.all", "outcome": "snooze", "delay_ms": 1000}]', false);
call promise.fail('asked', '[{"n": 2, "handler": "test.all", "outcome": "failed", "delay_ms": 60000}]', false);
call promise.fail('all', '[{"n": 2, "outcome": "failed", "error": "no"}]', false);
call promise.fail('twice', '[{"n": 2, "handler": "test.all", "outcome": "failed"}, {"n": 2, "handler": "test.all", "outcome": "failed"}]',
                  false);
call promise.fail('absent', '[{"n": 2, "handler": "test.all", "outcome": "failed"},
                              {"seq": 1, "handler": "test.all", "outcome": "failed"}]', false);
call promise.fail('nothing', '[{"seq": 1, "handler": "test.all", "outcome": "failed"}]', false);
call promise.fail('long', jsonb_build_array(jsonb_build_object(
    'n', 2, 'handler', 'test.all', 'outcome', 'failed', 'error', repeat('ä', 9000), 'error_class', repeat('c', 300))), false);
-- what the policy, the message or its age says
call promise.fail('one attempt', '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]', false,
                  '[{"name": "test.all", "event_types": ["*"], "max_attempts": 1}]');
call promise.fail('wrong data', '[{"n": 2, "handler": "test.all", "outcome": "failed", "error_class": "sqlstate:22P02"}]', false);
call promise.fail('listed', '[{"n": 2, "handler": "test.all", "outcome": "failed", "error_class": "http:404"}]', false,
                  '[{"name": "test.all", "event_types": ["*"], "classes": {"terminal": ["http:4*"]}}]');
call promise.fail('old', '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]', false,
                  '[{"name": "test.all", "event_types": ["*"], "retry": {"max_age_ms": 1, "curve": "immediate"}}]');
insert into postrider.message (channel, event_type, max_attempts) select 'own', 'a', 7 from generate_series(1, 10);
call promise.fail('own', '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]', false);

-- documents that jsonb cannot hold, which stay as they are
insert into postrider.message (channel, event_type, payload, headers)
select 'strange', 'a', d::json, d::json
from unnest(array['{"a": "\u0000"}', '{"a": "\\\ud83d"}', '[1e200000]', repeat('[', 101) || repeat(']', 101), '{"e" : 1E-99999, "e":2}',
                  '1', '2', '3', '4', '5']) d;
select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed')) as failures from generate_series(1, 6) n \gset
call promise.fail('strange', :'failures', true);
