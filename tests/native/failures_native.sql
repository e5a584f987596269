-- Promises of exchange_native() about reports in which something has failed:
--   a transient failure gets the delivery that settle() would give it, without its help
--   when it is due again first_retry() says, and chance
--   what else can be reported, or of whatever else has to be known more, it leaves to settle()
--   policies and functions that have changed, indexes that were made or dropped it knows at once
\ir ../sql/include/promises.sql
\ir include/helped.sql
create extension amcheck;

create function promise.helped() returns bigint
    language sql
    as $$
    select promise.helped('postrider.settle_in_sql(uuid, bigint, uuid, bigint[], jsonb)')
    $$;

-- claim(worker, limit, native): the new lease, by the library as if the session had been this worker's all the time, or in SQL.
create function promise.claim(p_worker uuid, p_limit int, p_native boolean) returns postrider.lease
    language plpgsql
    as $$
begin
    perform set_config('postrider.worker', w.id || ' ' || w.consumer_id, false),
            set_config('postrider.looked', w.consumer_id::text, false)
    from postrider.worker w where w.id = p_worker;
    if p_native then
        perform postrider.exchange_native(p_worker, p_limit);
    else
        perform postrider.exchange_packed(p_worker, p_limit);
    end if;
    return promise.newest_lease(p_worker);
end
$$;

-- of(lease, failures): where a failure says the n-th member of the lease, its seq.
create function promise.of(p_lease postrider.lease, p_failures jsonb) returns jsonb
    language sql
    as $$
    select jsonb_agg(case when f ? 'n' then f - 'n' || jsonb_build_object('seq', p_lease.members[(f ->> 'n')::int]) else f end)
    from jsonb_array_elements(p_failures) f
    $$;

-- report(lease, failures): settles it by the library, and says how often settle() had to help.
create function promise.report(p_lease postrider.lease, p_failures jsonb) returns bigint
    language plpgsql
    as $$
begin
    perform promise.helped();
    assert 'settled' = postrider.settle(p_lease.worker_id, p_lease.id, p_lease.token, null, promise.of(p_lease, p_failures));
    return promise.helped();
end
$$;

-- deliveries(lease): what became of its members, without what is another one's in every row.
create function promise.deliveries(p_lease postrider.lease) returns jsonb
    language sql
    as $$
    select jsonb_agg(to_jsonb(jsonb_populate_record(d, '{"raw_payload": null, "raw_headers": null}'))
                     - array['id', 'consumer_id', 'created_at', 'available_at', 'first_failed_at', 'dead_at', 'delivered_at']
                     || jsonb_build_object('raw_payload', d.raw_payload::text, 'raw_headers', d.raw_headers::text,
                                           'wait', d.available_at - d.first_failed_at, 'dead', d.dead_at is not null)
                     order by d.seq, d.handler)
    from postrider.delivery d where d.consumer_id = p_lease.consumer_id and d.seq = any (p_lease.members)
    $$;

-- fail(channel, failures, alone, handlers): ten messages claimed by two consumers, one by the library and one in SQL,
-- and the same report of both: so many deliveries, the same ones, with the help of settle() or without.
create procedure promise.fail(
    p_channel text, p_failures jsonb, p_alone boolean, p_handlers jsonb default '[{"name": "test.all", "event_types": ["*"]}]',
    p_circuits boolean default true
)
    language plpgsql
    as $$
declare
    v_handlers jsonb := (select jsonb_agg('{"retry": {"curve": "fixed", "base_ms": 5000, "jitter": "none"}}' || h)
                         from jsonb_array_elements(p_handlers) h);
    a uuid := promise.worker(p_channel, v_handlers, 'native', true);
    b uuid := promise.worker(p_channel, v_handlers, 'sql', true);
    la postrider.lease;
    lb postrider.lease;
    h postrider.handed_out;
    v_helped bigint;
begin
    if not exists (select from postrider.message where channel = p_channel) then
        perform promise.publish(p_channel, 10);
    end if;
    commit;
    la := promise.claim(a, 10, true);
    commit;
    lb := promise.claim(b, 10, false);
    assert la.members = lb.members and cardinality(la.members) = 10, format('%s, %s', la.members, lb.members);
    commit;
    perform promise.helped();
    h := postrider.exchange_native(a, 0, la.id, la.token, null, promise.of(la, p_failures));
    v_helped := promise.helped();
    assert h.settled = 'settled', h;
    assert promise.bell_shared(p_channel) = (promise.deliveries(la) is not null), 'somebody may sleep';
    commit;
    assert postrider.settle_in_sql(b, lb.id, lb.token, null, promise.of(lb, p_failures)) = 'settled';
    commit;
    assert promise.deliveries(la) is not distinct from promise.deliveries(lb),
        format('%s: %s, and in SQL %s', p_channel, promise.deliveries(la), promise.deliveries(lb));
    assert (select finished_at is not null and members = '{}' from postrider.lease where id = la.id);
    assert not p_circuits
        or (select jsonb_agg(to_jsonb(k) - array['consumer_id', 'failing_since', 'changed_at', 'opened_at', 'probe_at'])
            from postrider.circuit k where k.consumer_id = la.consumer_id)
        is not distinct from
           (select jsonb_agg(to_jsonb(k) - array['consumer_id', 'failing_since', 'changed_at', 'opened_at', 'probe_at'])
            from postrider.circuit k where k.consumer_id = lb.consumer_id), 'circuits';
    assert p_alone = (v_helped = 0), format('%s: helped %s times', p_channel, v_helped);
end
$$;

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
call promise.fail('nobody', '[{"n": 2, "handler": "test.all", "outcome": "failed"},
                              {"seq": 1, "handler": "test.all", "outcome": "failed"}]', false);
call promise.fail('nothing', '[{"seq": 1, "handler": "test.all", "outcome": "failed"}]', false);
call promise.fail('long', jsonb_build_array(jsonb_build_object(
    'n', 2, 'handler', 'test.all', 'outcome', 'failed', 'error', repeat('ä', 9000), 'error_class', repeat('c', 300))), false);
-- everything has failed: the circuit counts
select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed')) as failures from generate_series(1, 10) n \gset
call promise.fail('everything fails', :'failures', false);
-- and is at rest only when something has succeeded again
do $$
declare
    w uuid;
    l postrider.lease;
    v_types text;
    v_helped bigint;
begin
    foreach v_types in array array['*', 'test.*'] loop
        w := promise.worker('rest ' || v_types, jsonb_build_array(jsonb_build_object(
            'name', 'test.all', 'event_types', jsonb_build_array(v_types))));
        perform promise.publish('rest ' || v_types, 40);
        commit;
        foreach v_helped in array array[1, 1, 0] loop
            l := promise.claim(w, 4, true);
            commit;
            assert v_helped = promise.report(l, (
                select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed'))
                from generate_series(1, case when exists (select from postrider.circuit where consumer_id = l.consumer_id)
                                             then 1 else 4 end) n));
            commit;
        end loop;
        assert (select failures = 0 and state = 'closed' from postrider.circuit where consumer_id = l.consumer_id);
    end loop;
end
$$;
-- Of a handler of which settle() does not know that, the count stays. One that is not closed is always looked at.
do $$
declare
    w uuid := promise.worker('counted', '[{"name": "test.some", "event_types": ["test.*"]}, {"name": "test.all", "event_types": ["*"]}]');
    l postrider.lease;
    v_state text;
begin
    perform promise.publish('counted', 40);
    insert into postrider.circuit (consumer_id, handler, failures, failing_since)
    select consumer_id, 'test.some', 3, now() from postrider.worker where id = w;
    commit;
    foreach v_state in array array['closed', 'trial'] loop
        l := promise.claim(w, 4, true);
        update postrider.circuit set state = v_state where consumer_id = l.consumer_id;
        commit;
        assert (v_state <> 'closed')::int = promise.report(l, '[{"n": 2, "handler": "test.some", "outcome": "failed"}]'), v_state;
        commit;
        assert v_state <> 'closed' or 3 = (select failures from postrider.circuit where consumer_id = l.consumer_id);
    end loop;
end
$$;

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

-- a message that has a delivery already; a lease that was extended, that is another session's, or taken back
do $$
declare
    w uuid;
    l postrider.lease;
    v_case text;
begin
    foreach v_case in array array['as it was', 'delivery', 'extended', 'partly', 'older', 'revised', 'retired'] loop
        w := promise.worker(v_case);
        perform promise.publish(v_case, 10);
        commit;
        l := promise.claim(w, 4, true);
        commit;
        case v_case
            when 'delivery' then
                insert into postrider.delivery (consumer_id, handler, crashes_max, available_at, seq, published_at, message_id, channel,
                    event_type, event_version, occurred_at, source, payload, idempotency_key, priority)
                select l.consumer_id, 'test.all', 3, now(), m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version,
                       m.occurred_at, m.source, '{}', m.id::text, 0
                from postrider.message m where m.seq = l.members[2];
            when 'extended' then
                assert postrider.extend(w, l.id, l.token, interval '1 hour') = 'extended';
            when 'partly' then
                perform postrider.settle(w, l.id, l.token, l.members[1:1]);
            when 'older' then
                for i in 1 .. 5 loop
                    perform promise.claim(w, 1, true);
                    commit;
                end loop;
            when 'revised' then  -- the message is one of the revision before
                perform promise.worker(v_case, '[{"name": "test.all", "event_types": ["test.*"]}]');
            when 'retired' then
                perform postrider.retire_handler('reader', 'test.all', v_case);
            else null;
        end case;
        commit;
        assert (v_case <> 'as it was')::int = promise.report(l, '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]'),
            v_case;
        assert (select count(*) = 1 and min(last_error) is not distinct from case when v_case <> 'delivery' then 'no' end
                from postrider.delivery where seq = l.members[2]), v_case;
        commit;
    end loop;
end
$$;

-- what settle() refuses
do $$
declare
    w uuid := promise.worker('refused', '[{"name": "test.all", "event_types": ["*"]}, {"name": "test.rare", "event_types": ["rare.*", "test", "x"]}]');
    l postrider.lease;
begin
    perform promise.publish('refused', 2), promise.publish('refused', 1, 'rare.one'), promise.publish('refused', 1, 'rarest');
    commit;
    l := promise.claim(w, 4, true);
    commit;
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token, promise.of(l, f)), expected)
    from (values ('[{"n": 2, "handler": "test.other", "outcome": "failed"}]'::jsonb, 'PR011'),
                 ('[{"n": 2, "handler": "test.rare", "outcome": "failed"}]', 'PR011'),
                 ('[{"n": 4, "handler": "test.rare", "outcome": "failed"}]', 'PR011'),
                 ('[{"n": 2, "handler": "test.all", "outcome": "gone"}]', 'PR001'),
                 ('[{"n": 2, "handler": "test.all"}]', 'PR001'),
                 ('[{"handler": "test.all", "outcome": "failed"}]', 'PR001'),
                 ('[{"seq": 1.5, "handler": "test.all", "outcome": "failed"}]', 'PR001'),
                 ('[{"seq": "1", "handler": "test.all", "outcome": "failed"}]', 'PR001'),
                 ('[1]', 'PR001')) v(f, expected);
    assert postrider.settle(w, l.id, gen_random_uuid(), null, promise.of(l,
        '[{"n": 2, "handler": "test.all", "outcome": "failed"}]')) = 'lost_lease';
    assert promise.deliveries(l) is null;
end
$$;

-- chance: full jitter spreads the first delay evenly, and never below the floor
do $$
declare
    w uuid := promise.worker('chance', '[{"name": "test.all", "event_types": ["*"],
                                          "retry": {"base_ms": 10000, "floor_ms": 1000}}]');
    l postrider.lease;
    v_waits float8[];
    v_most jsonb := (select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed',
                                                         'error_class', 'sqlstate:40001')) from generate_series(1, 1000) n);
begin
    perform promise.publish('chance', 1001);
    commit;
    l := promise.claim(w, 1001, true);
    commit;
    assert 0 = promise.report(l, v_most);
    rollback;
    assert 1 = promise.report(l, jsonb_set(v_most, '{500,error_class}', '"sqlstate:22001"')), 'one of another class';
    rollback;
    assert 0 = promise.report(l, v_most);
    v_waits := array(select extract(epoch from d.available_at - d.first_failed_at) from postrider.delivery d
                     where d.consumer_id = l.consumer_id order by 1);
    assert cardinality(v_waits) = 1000 and v_waits[1] >= 1 and v_waits[1000] <= 10, v_waits;
    assert (select count(distinct x) from unnest(v_waits) x) > 850, 'they are not the same few';
    for i in 2 .. 9 loop  -- each tenth of the range but the first, which the floor cuts
        assert (select count(*) from unnest(v_waits) x where x >= i and x < i + 1) between 50 and 150, i;
    end loop;
end
$$;

-- a policy that was changed holds from the next report on, and so does a function
do $$
declare
    w uuid;
    l postrider.lease;
    v_wait interval;
begin
    foreach v_wait in array array['1 second', '7 seconds']::interval[] loop
        w := promise.worker('changed', jsonb_build_array(jsonb_build_object(
            'name', 'test.all', 'event_types', '["*"]'::jsonb, 'retry', jsonb_build_object(
                'curve', 'fixed', 'jitter', 'none', 'base_ms', extract(epoch from v_wait) * 1000))));
        for i in 1 .. 2 loop
            perform promise.publish('changed', 3);
            commit;
            l := promise.claim(w, 3, true);
            commit;
            assert 0 = promise.report(l, '[{"n": 2, "handler": "test.all", "outcome": "failed"}]');
            assert (promise.deliveries(l) -> 0 ->> 'wait')::interval = v_wait, promise.deliveries(l);
            commit;
        end loop;
    end loop;
end
$$;

-- Indexes: all rows are in all of them, in those that were made a moment ago and those nobody expected, too.
create function promise.fail_one(p_worker uuid) returns bigint
    language sql
    as $$
    select promise.report(promise.claim(p_worker, 3, true), '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]')
    $$;
create function promise.check_indexes() returns int
    language plpgsql
    as $$
declare
    v_index regclass;
    v_rows text;
    v_in_index bigint;
    v_in_table bigint;
    v_count int := 0;
begin
    for v_index in
        select indexrelid from pg_index where indrelid in ('postrider.delivery'::regclass, 'postrider.lease'::regclass)
    loop
        perform bt_index_check(v_index, true);
        -- It does not look for rows that should not be there.
        select format('select count(*) from %s where %s', i.indrelid::regclass, pg_get_expr(i.indpred, i.indrelid)) into v_rows
        from pg_index i where i.indexrelid = v_index and i.indpred is not null;
        if found then
            set local enable_seqscan = off;
            set local enable_bitmapscan = off;
            execute v_rows into v_in_index;
            set local enable_seqscan = on;
            set local enable_indexscan = off;
            set local enable_indexonlyscan = off;
            execute v_rows into v_in_table;
            reset enable_indexscan;
            reset enable_indexonlyscan;
            assert v_in_index = v_in_table, format('%s: %s and %s', v_index, v_in_index, v_in_table);
        end if;
        v_count := v_count + 1;
    end loop;
    return v_count;
end
$$;
do $$
declare
    w uuid := promise.worker('indexes');
    v_before int;
begin
    perform promise.publish('indexes', 90);
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    v_before := promise.check_indexes();
    assert v_before >= 12;
    commit;
    create index more_idx on postrider.delivery (lower(event_type), seq) include (handler) where last_error like 'n%';
    create index lease_more_idx on postrider.lease ((id % 7)) where worker_id is not null;
    assert promise.fail_one(w) = 0, 'in the transaction that made it';
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    assert promise.check_indexes() = v_before + 2;
    set local enable_seqscan = off;
    assert 3 <= (select count(*) from postrider.delivery where lower(event_type) = 'test.happened' and last_error like 'n%'
                 and consumer_id = (select consumer_id from postrider.worker where id = w));
    commit;
    drop index postrider.more_idx, postrider.lease_more_idx;
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    assert promise.check_indexes() = v_before;
end
$$;

-- a table where somebody decides about rows, or that has another rule, is left to SQL
create function promise.decide() returns trigger language plpgsql as 'begin return new; end';
do $$
declare
    w uuid := promise.worker('decided');
begin
    perform promise.publish('decided', 90);
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    create trigger decide before insert on postrider.delivery for each row execute function promise.decide();
    assert promise.fail_one(w) = 1, 'a trigger before';
    drop trigger decide on postrider.delivery;
    create trigger decide after insert on postrider.delivery for each statement execute function promise.decide();
    assert promise.fail_one(w) = 1, 'a trigger of statements';
    drop trigger decide on postrider.delivery;
    create trigger decide after insert on postrider.delivery referencing new table as news for each row
        execute function promise.decide();
    assert promise.fail_one(w) = 1, 'a trigger with a table';
    drop trigger decide on postrider.delivery;
    create trigger decide before update on postrider.delivery for each row execute function promise.decide();
    assert promise.fail_one(w) = 0, 'nothing is inserted by an update';
    alter table postrider.delivery add constraint more check (seq > 0);
    assert promise.fail_one(w) = 1, 'a check';
    alter table postrider.delivery drop constraint more;
    assert promise.fail_one(w) = 0;
    alter table postrider.delivery add column more int default 1;
    assert promise.fail_one(w) = 1, 'a column';
    rollback;
end
$$;

-- who watches rows is told of each, as the one who writes them in SQL and with the path that he has there
create table promise.told (who text, what text, path text);
grant insert on promise.told to postrider_owner;
create function promise.watch() returns trigger
    language plpgsql
    as $$
begin
    insert into promise.told
    select current_user, concat_ws(' ', tg_op, tg_table_name, n -> 'seq', o -> 'finished_at' = 'null', jsonb_array_length(n -> 'members')),
           current_setting('search_path')
    from (select to_jsonb(new) as n, case when tg_op = 'UPDATE' then to_jsonb(old) end as o) r;
    return null;
end
$$;
create trigger watch after insert or update on postrider.lease for each row execute function promise.watch();
create trigger watch after insert or update on postrider.delivery for each row execute function promise.watch();
do $$
declare
    w uuid := promise.worker('told');
    l postrider.lease;
    v_failures jsonb;
begin
    perform promise.publish('told', 30);
    commit;
    perform promise.claim(w, 1, true);
    commit;
    l := promise.claim(w, 3, true);
    delete from promise.told;
    v_failures := promise.of(l, '[{"n": 1, "handler": "test.all", "outcome": "failed"}, {"n": 2, "handler": "test.all", "outcome": "failed"}]');
    perform promise.helped();
    set local role postrider_worker;
    perform postrider.exchange_native(w, 5, l.id, l.token, null, v_failures);
    reset role;
    assert promise.helped() = 0;
    assert (select array_agg(what) from promise.told) = array[
        'INSERT lease 5', 'UPDATE lease t 0', 'INSERT delivery ' || l.members[1], 'INSERT delivery ' || l.members[2]],
        (select array_agg(t) from promise.told t);
    assert (select bool_and(who = 'postrider_owner' and path = 'pg_catalog, pg_temp') from promise.told), (select array_agg(t) from promise.told t);
    assert current_setting('search_path') <> 'pg_catalog, pg_temp';
end
$$;
drop trigger watch on postrider.lease;
drop trigger watch on postrider.delivery;

-- a function that was changed is asked anew; where there is none, settle() decides
do $$
declare
    w uuid := promise.worker('function');
    l postrider.lease;
    v_most jsonb := (select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed'))
                     from generate_series(1, 200) n);
begin
    perform promise.publish('function', 500);
    commit;
    for i in 1 .. 2 loop
        l := promise.claim(w, 201, true);
        commit;
        assert 0 = promise.report(l, v_most);
        assert (select bool_and((d.available_at - d.first_failed_at = interval '3 days') = (i = 2)) from postrider.delivery d
                where d.seq = any (l.members)), i;
        commit;
        execute replace(pg_get_functiondef('postrider.first_retry'::regproc), 'then d.available_at end',
                        'then p_now + interval ''3 days'' end');
        commit;
    end loop;
    drop function postrider.first_retry;
    assert promise.fail_one(w) = 1;
end
$$;
