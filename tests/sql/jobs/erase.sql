-- Promises about erasing messages:
--   no table has any of the content: log, deliveries, edits, errors, progress, alerts, audit, inbox, keys
--   a job that waits, is retried or runs is not run afterwards, and a worker's report about it changes nothing; other jobs are not touched
--   neither a new consumer nor one that seeks back gets an erased message; it cannot be restored, replayed or redelivered
--   filters describe a subject, or are refused; a dry run counts; only the owner may; the audit has ids and no content
--   it locks the consumers of the messages that it erases, and no other
\ir ../include/promises.sql
\ir ../include/traces.sql

create function promise.erase(p_filter jsonb, p_dry_run boolean default false) returns text
    language sql
    as $$
    select format('%s %s %s', e.messages, e.deliveries, e.jobs) from postrider.erase(p_filter, 'test', 'asked for', p_dry_run) e
    $$;
create function promise.personal(p_n int) returns jsonb
    language sql
    as $$
    select jsonb_build_object('n', p_n, 'user', jsonb_build_object('mail', 'jane@example.com'))
    $$;

-- every place that content can be in
do $$
declare
    w uuid := promise.worker('places', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    v_ids uuid[];
    d record;
begin
    -- Delivered, dead, retried, running, waiting, ahead of the cursor, and one of another subject.
    v_ids := array(select postrider.publish('a', promise.personal(n), p_channel => 'places', p_headers => '{"to": "jane@example.com"}',
                                            p_metadata => '{"for": "jane@example.com"}', p_idempotency_key => 'jane@example.com ' || n,
                                            p_ordering_key => 'jane@example.com', p_partition_key => 'jane@example.com')
                   from generate_series(1, 5) n);
    perform postrider.publish('a', '{"n": 6, "user": {"mail": "john@example.com"}}', p_channel => 'places');
    commit;
    assert promise.numbers(w, 4) = '{1,2,3,4}';
    perform postrider.record_progress(w, json_build_array(json_build_object(
        'lease', l.id, 'token', l.token, 'seq', l.members[4], 'handler', 'test.all', 'id', v_ids[4], 'text', 'mail to jane@example.com',
        'result', 'jane@example.com')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    perform postrider.handle_once(row('reader', 'test.all', '', 'jane@example.com 1'));
    perform postrider.settle(w, l.id, l.token, l.members[1:1], jsonb_build_array(
        jsonb_build_object('seq', l.members[2], 'outcome', 'terminal', 'error', 'no such mailbox: jane@example.com'))),
            postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(
        jsonb_build_object('seq', l.members[3], 'outcome', 'transient', 'error', 'try jane@example.com again')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    v_ids := v_ids || postrider.edit_and_replay(e.delivery_id, promise.personal(20), null, 'test', 'wrong')
    from postrider.dead_letters e where e.channel = 'places';
    v_ids := v_ids || (select u.id from postrider.publish_unique('a', 'reader', 'jane@example.com', p_payload => promise.personal(7), p_channel => 'places') u);
    v_ids := v_ids || postrider.publish('a', promise.personal(8), p_channel => 'places', p_available_at => '2999-01-01');
    commit;
    assert promise.traces('jane@example.com') = '{alert,audit,circuit,delivery,event_handled,job_progress,message,unique_job}', promise.traces('jane@example.com')::text;

    assert promise.erase('{"payload": {"path": "$.user.mail", "equals": "jane@example.com"}}', true) = '8 3 6',
           promise.erase('{"payload": {"path": "$.user.mail", "equals": "jane@example.com"}}', true);
    assert cardinality(promise.traces('jane@example.com')) = 8;
    assert promise.erase('{"payload": {"path": "$.user.mail", "equals": "jane@example.com"}}') = '8 3 6';
    commit;
    assert promise.traces('jane@example.com') = '{}', promise.traces('jane@example.com')::text;
    assert promise.traces('john@example.com') = '{message}';
    assert (select count(*) from postrider.message where target = '!erased' and payload::text = '{"erased": true}') = 7;
    assert (select filter -> 'by' = '["payload"]' and jsonb_array_length(filter -> 'ids') = 8 from postrider.audits where action = 'erase');

    -- The worker no longer holds the running message, and no erased message is handed out again.
    assert (select postrider.settle(w, l.id, l.token) from postrider.lease l where l.worker_id = w order by l.id desc limit 1) = 'settled';
    assert (select array_agg(j) from postrider.cancelled_jobs(w) j) @> array[v_ids[4]];
    assert promise.numbers(w) = '{6}';
    assert promise.numbers(w) = '{}';
    assert not exists (select from postrider.claim_due(w, 10));
    assert not exists (select from postrider.unique_keys);
    commit;
    assert not exists (select from postrider.dead_letters);
    perform promise.raises(format('select postrider.restore(''{"ids": ["%s"]}'', ''test'', ''x'')', v_ids[2]), 'PR012');
    perform promise.raises(format('select postrider.outbox_replay(%L, null, ''test'')', v_ids[2]), 'PR012');
    perform promise.raises(format('select postrider.redeliver(%L, ''reader'', ''test.all'', true, ''test'', ''x'', ''places'')', v_ids[1]), 'PR014');
    assert promise.erase('{"payload": {"path": "$.user.mail", "equals": "jane@example.com"}}') = '0 0 0', 'there is none left';
    commit;
    perform postrider.seek_consumer('reader', '-infinity', 'test', 'a test', 'places');
    commit;
    assert promise.numbers(w) = '{6}';
    commit;
    w := promise.worker('places', p_consumer => 'newcomer', p_from_beginning => true);
    commit;
    assert promise.numbers(w) = '{6}';
    commit;
    -- Retention goes on as before.
    perform postrider.maintain();
    commit;
end
$$;

-- by id, key and workspace, within a time; malformed filters; rights
do $$
declare
    v_id uuid := postrider.publish('b', '{"n": 1}', p_channel => 'filters', p_ordering_key => 'u1', p_partition_key => 'p1',
                                   p_idempotency_key => 'i1', p_workspace_id => '01890000-0000-7000-8000-000000000001');
    f record;
begin
    commit;
    for f in
        select * from (values (jsonb_build_object('ids', jsonb_build_array(v_id)), '1 0 0'),
                 ('{"ordering_key": "u1"}', '1 0 0'), ('{"partition_key": "p1"}', '1 0 0'), ('{"idempotency_key": "i1"}', '1 0 0'),
                 ('{"workspace_id": "01890000-0000-7000-8000-000000000001", "channel": "filters", "event_type": "b"}', '1 0 0'),
                 ('{"ordering_key": "u1", "event_type": "c"}', '0 0 0'), ('{"ordering_key": "u1", "until": "2020-01-01"}', '0 0 0'),
                 ('{"ordering_key": "u1", "since": "2020-01-01"}', '1 0 0'), ('{"payload": {"path": "$.n", "equals": 1}, "channel": "filters"}', '1 0 0'),
                 ('{"payload": {"path": "$.n", "equals": "1"}, "channel": "filters"}', '0 0 0')) v(filter, found)
    loop
        assert promise.erase(f.filter, true) = f.found, f.filter::text || ' ' || promise.erase(f.filter, true);
    end loop;
    perform promise.raises(format('select promise.erase(%L)', x), 'PR001')
    from unnest('{null,"[]","{}","{\"event_type\": \"b\"}","{\"ids\": \"x\"}","{\"ids\": [\"x\"]}","{\"ordering_key\": 1}","{\"key\": \"u1\"}",
                  "{\"payload\": 1}","{\"payload\": {\"path\": \"$[\", \"equals\": 1}}","{\"payload\": {\"path\": \"$.n\"}}",
                  "{\"ordering_key\": \"u1\", \"since\": \"soon\"}"}'::text[]) x;
    perform promise.raises('select postrider.erase(''{"ordering_key": "u1"}'', ''test'', '''')', 'PR001');
    set local role postrider_operator;
    perform promise.raises('select postrider.erase(''{"ordering_key": "u1"}'', ''test'', ''x'')', '42501');
    reset role;
    assert promise.erase('{"ordering_key": "u1"}') = '1 0 0';
    assert (select payload::text = '{"erased": true}' and ordering_key is null and workspace_id is not null from postrider.message where id = v_id);
    commit;
end
$$;

-- Consumers of other channels do not wait for it.
do $$
declare
    v_id uuid;
begin
    perform promise.worker('erase_here');
    perform promise.worker('erase_there');
    v_id := postrider.publish('a', p_channel => 'erase_here', p_partition_key => 'erase me');
    perform postrider.publish('a', p_channel => 'erase_there', p_partition_key => 'keep me');
    commit;
    assert (select e.messages = 1 from postrider.erase('{"partition_key": "erase me"}', 'test', 'lock') e);
    assert (select count(*) = 1 and bool_and(l.objid = c.id)
            from pg_locks l cross join (select id from postrider.consumer where channel = 'erase_here') c
            where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.classid = postrider.lock_claims()::oid and l.objsubid = 2);
    commit;
end
$$;

-- the alert about the circuit that its error opened
do $$
declare
    w uuid := promise.worker('opened', '[{"name": "a.x", "event_types": ["*"], "circuit": {"failures": 1}}]');
    v_id uuid := postrider.publish('a', '{}', p_channel => 'opened');
begin
    commit;
    perform postrider.settle(w, c.lease_id, c.lease_token, null, jsonb_build_array(
        jsonb_build_object('seq', c.seq, 'outcome', 'transient', 'error', 'no mailbox of jane@example.com'))) from postrider.claim(w, 1) c;
    commit;
    assert (select count(*) from postrider.alert where kind = 'circuit_opened' and last_error ~ 'jane') = 1;
    perform postrider.erase(jsonb_build_object('ids', jsonb_build_array(v_id)), 'test', 'asked to');
    commit;
    assert promise.traces('jane@example.com') = '{}', promise.traces('jane@example.com')::text;
end
$$;
