-- Promises about the history of runs:
--   record_runs() adds up counts in buckets of a minute, ten minutes and an hour; a slot that is taken again begins at 0
--   handlers that the worker did not register are passed over; malformed records are refused (PR001)
--   the table does not grow: a handler has at most 372 rows
--   run_history() sums up handlers, and its percentiles are those of the histogram, off by a quarter at most
--   a retired handler and a removed consumer lose their history
--   circuit_events() lists openings and decisions, newest first
\ir ../include/promises.sql

-- record_runs() adds up counts in buckets of three widths
do $$
declare
    v_worker uuid := promise.worker('adding', '[{"name": "a.x", "event_types": ["*"]}, {"name": "a.y", "event_types": ["*"]}]');
    v_runs jsonb := '[{"handler": "a.x", "delivered": 3, "transient": 1, "terminal": 1, "other": 2, "attempts": [5, 2],
                       "run_times": [0, 7], "queue_times": [1, 0, 4]}, {"handler": "a.y", "delivered": 1, "run_times": [1]},
                      {"handler": "not.mine", "delivered": 1}]';
    h jsonb;
    v_span text;
begin
    assert postrider.record_runs(v_worker, v_runs) > clock_timestamp() - interval '1 minute';
    perform postrider.record_runs(v_worker, v_runs);
    perform postrider.record_runs(v_worker);
    assert (select array_agg(distinct handler) from postrider.run_bucket) = '{a.x,a.y}';
    foreach v_span in array '{hour,day,week}'::text[] loop
        h := postrider.run_history(v_span, 'reader', 'adding', 'a.x');
        assert h -> 'total' @> '{"delivered": 6, "transient": 2, "terminal": 2, "other": 4, "attempts": [10, 4],
                                 "run_times": [0, 14], "queue_times": [2, 0, 8]}', h -> 'total';
        h := postrider.run_history(v_span, 'reader', 'adding');
        assert h -> 'total' @> '{"delivered": 8, "run_times": [2, 14]}', h -> 'total';
    end loop;
    assert (postrider.run_history('hour', 'nowhere') -> 'total' ->> 'delivered')::int = 0;
    assert postrider.run_history('hour', 'nowhere')::jsonb @> '{"buckets": [], "total": {"run_ms": null, "attempts": []}}';
    perform promise.raises($q$select postrider.run_history('year')$q$, 'PR001');
end
$$;

-- malformed records are refused
do $$
declare
    v_worker uuid := promise.worker('refusing');
    v_bad text;
begin
    foreach v_bad in array array['{}', 'null', '[{"handler": "test.all", "colour": 1}]', '[{"handler": "test.all", "delivered": -1}]',
                                 '[{"handler": "test.all", "run_times": [-1]}]', '[{"handler": "test.all"}, {"handler": "test.all"}]'] loop
        perform promise.raises(format('select postrider.record_runs(%L, %L)', v_worker, v_bad), 'PR001');
    end loop;
    perform promise.raises('select postrider.record_runs(gen_random_uuid())', 'PR004');
end
$$;

-- a slot that is taken again begins at 0, and no handler has more than 372 rows
do $$
declare
    v_worker uuid := promise.worker('turning');
    v_consumer int := (select consumer_id from postrider.worker where id = v_worker);
begin
    -- Every slot has a bucket of the turn before.
    insert into postrider.run_bucket
    select v_consumer, 'test.all', w.width, s, date_trunc('hour', clock_timestamp()) - interval '30 days', 1000, 0, 0, 0, '{}', '{1000}', '{}'
    from (values (1, 60), (10, 144), (60, 168)) w(width, slots) cross join lateral generate_series(0, w.slots - 1) s;
    perform postrider.record_runs(v_worker, '[{"handler": "test.all", "delivered": 1, "run_times": [1]}]');
    assert (select count(*) from postrider.run_bucket where consumer_id = v_consumer) = 372;
    assert postrider.run_history('week', 'reader', 'turning')::jsonb -> 'total' @> '{"delivered": 1, "run_times": [1]}';
    -- A clock that was set back ends no newer bucket.
    update postrider.run_bucket set since = clock_timestamp() + interval '1 day' where consumer_id = v_consumer and delivered = 1;
    perform postrider.record_runs(v_worker, '[{"handler": "test.all", "delivered": 1}]');
    assert (select max(delivered) from postrider.run_bucket where consumer_id = v_consumer and since > clock_timestamp()) = 1;
end
$$;

-- percentiles are off by a quarter at most
do $$
declare
    v_ms float8;
    v_class int;
    q float8[];
begin
    assert postrider.quantiles('{}') is null and postrider.quantiles('{0,0}') is null and postrider.quantiles(null) is null;
    assert (select array_agg(postrider.time_bound(n)) from generate_series(1, 6) n) = '{0,0.064,0.096,0.128,0.192,0.256}';
    foreach v_ms in array '{0.2,1,7,33,250,1000,61000,3600000}'::float8[] loop
        v_class := (select max(n) from generate_series(1, 74) n where postrider.time_bound(n) <= v_ms);
        q := postrider.quantiles(array_fill(0::bigint, array[v_class - 1]) || 100::bigint);
        assert q[1] between v_ms * 0.75 and v_ms * 1.34, format('%s: %s', v_ms, q);
        assert q[1] <= q[2] and q[2] <= q[3];
    end loop;
    -- 90 fast ones and 10 slow ones.
    q := postrider.quantiles('{90,0,0,0,0,0,0,0,10}');
    assert q[1] < 0.064 and q[2] > postrider.time_bound(9) and q[3] <= postrider.time_bound(10), q;
end
$$;

-- a retired handler and a removed consumer lose their history
do $$
declare
    v_worker uuid := promise.worker('leaving', '[{"name": "a.x", "event_types": ["x"]}, {"name": "a.y", "event_types": ["y"]}]');
    v_consumer int := (select consumer_id from postrider.worker where id = v_worker);
begin
    perform postrider.record_runs(v_worker, '[{"handler": "a.x", "delivered": 1}, {"handler": "a.y", "delivered": 1}]');
    commit;
    perform postrider.retire_handler('reader', 'a.x', 'leaving');
    assert (select array_agg(distinct handler) from postrider.run_bucket where consumer_id = v_consumer) = '{a.y}';
    commit;
    perform postrider.unregister_worker(v_worker);
    perform postrider.remove_consumer('reader', 'ann', 'gone', 'leaving', true);
    assert not exists (select from postrider.run_bucket where consumer_id = v_consumer);
end
$$;

-- circuit_events() lists openings and decisions, newest first
do $$
declare
    v_worker uuid := promise.worker('circuits');
    v_events text[];
begin
    insert into postrider.alert (kind, at, handler_name, consumer, channel, error_class)
    values ('circuit_opened', clock_timestamp() - interval '1 hour', 'test.all', 'reader', 'circuits', 'timeout'),
           ('circuit_opened', clock_timestamp(), 'test.all', 'reader', 'elsewhere', 'timeout');
    perform postrider.hold_handler('reader', 'test.all', 'ann', 'calm', 'circuits');
    perform postrider.release_handler('reader', 'test.all', 'bob', 'go', 'circuits');
    select array_agg(concat_ws(' ', e.event, e.actor, e.reason, e.error_class)) into v_events
    from postrider.circuit_events('reader', 'circuits', 'test.all') e;
    assert v_events = '{release_handler bob go,hold_handler ann calm,opened timeout}', v_events;
    assert postrider.handler_shown('reader', 'circuits', 'test.all') #>> '{handler,handler}' = 'test.all';
    assert json_array_length(postrider.handler_shown('reader', 'circuits', 'test.all') -> 'events') = 3;
    assert postrider.handler_shown('reader', 'circuits', 'none.such') is null;
end
$$;
