-- Promises about progress and results of jobs:
--   a handler's worker records both while it holds the job, from a lease or as a delivery; values that are left out stay
--   a worker that has lost the job, or another one, records nothing
--   sizes are limited, and malformed reports are refused
--   the rows go with the message, with its last delivery and with the consumer; a viewer sees the fraction, but neither text nor result
\ir ../include/promises.sql

-- report(worker, values): reports progress of all messages that the worker holds by a lease.
create function promise.report(p_worker uuid, p_values jsonb) returns int
    language sql
    as $$
    select coalesce(postrider.record_progress(p_worker, (
        select json_agg(jsonb_build_object('lease', l.id, 'token', l.token, 'seq', s.seq, 'handler', 'test.all', 'id', m.id) || p_values)
        from postrider.lease l
        cross join lateral unnest(l.members) as s(seq)
        join postrider.message m on m.seq = s.seq
        where l.worker_id = p_worker and l.finished_at is null)), 0)
    $$;
create function promise.progress(p_channel text) returns text[]
    language sql
    as $$
    select array_agg(concat_ws(' ', p.handler, p.fraction, p.text, p.result) order by p.recorded_at)
    from postrider.progress p where p.channel = p_channel
    $$;

do $$
declare
    w uuid := promise.worker('steps', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    v uuid := promise.worker('steps', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    d record;
begin
    perform promise.publish('steps', 1);
    commit;
    perform promise.numbers(w);
    assert promise.progress('steps') is null, 'a job that records nothing has no row';
    assert promise.report(w, '{"fraction": 0.25, "text": "page 1"}') = 1;
    assert promise.progress('steps') = '{"test.all 0.25 page 1"}';
    assert promise.report(w, '{"fraction": 0.5}') = 1;
    assert promise.progress('steps') = '{"test.all 0.5 page 1"}', 'a value that is left out stays';
    assert promise.report(w, '{"result": {"n": 1e2}}') = 1;
    assert promise.progress('steps') = '{"test.all 0.5 page 1 {\"n\": 100}"}';
    commit;
    -- Another worker, another token, an unknown handler.
    assert (select postrider.record_progress(v, json_build_array(json_build_object(
                'lease', l.id, 'token', l.token, 'seq', l.members[1], 'handler', 'test.all', 'id', gen_random_uuid(), 'fraction', 1)))
            from postrider.lease l where l.worker_id = w and l.finished_at is null) = 0;
    assert promise.report(w, jsonb_build_object('fraction', 1, 'token', gen_random_uuid())) = 0;
    assert promise.report(w, '{"fraction": 1, "handler": "test.none"}') = 0;
    assert promise.report(w, '{"fraction": 1, "seq": 0}') = 0;
    perform postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'transient')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    select * into strict d from postrider.claim_due(v, 1);
    assert postrider.record_progress(w, json_build_array(json_build_object(
               'delivery', d.delivery_id, 'token', d.lease_token, 'fraction', 1))) = 0, 'it is the other worker''s now';
    assert postrider.record_progress(v, json_build_array(
               json_build_object('delivery', d.delivery_id, 'token', d.lease_token, 'text', 'earlier'),
               json_build_object('delivery', d.delivery_id, 'token', d.lease_token, 'text', 'again', 'fraction', 0.75))) = 1;
    assert promise.progress('steps') = '{"test.all 0.75 again {\"n\": 100}"}', 'a retry has the same row, and the last report counts';
    perform postrider.settle_due(v, jsonb_build_array(jsonb_build_object(
        'delivery', d.delivery_id, 'token', d.lease_token, 'outcome', 'delivered')));
    assert postrider.record_progress(v, json_build_array(json_build_object(
               'delivery', d.delivery_id, 'token', d.lease_token, 'fraction', 1))) = 0, 'it has ended';
    commit;
end
$$;

-- malformed reports
do $$
declare
    w uuid := promise.worker('refused');
begin
    perform promise.raises(format('select postrider.record_progress(%L, %L)', w, r.reports), r.state)
    from (values ('{}', 'PR001'), ('[1]', 'PR001'), ('[{"fraction": 1.5}]', 'PR001'), ('[{"fraction": "1"}]', 'PR001'),
                 ('[{"fraction": -0.1}]', 'PR001'), ('[{"text": 1}]', 'PR001'), ('[{}, {"fraction": 2}]', 'PR001'),
                 ('[{}, {"text": 1}]', 'PR001'), ('[{"txt": "x"}]', 'PR001'),
                 (json_build_array(json_build_object('text', repeat('x', 1001)))::text, 'PR002'),
                 (json_build_array(json_build_object('result', repeat('x', 16383)))::text, 'PR002')) r(reports, state);
    perform promise.raises(format('select postrider.record_progress(%L, ''[]'')', gen_random_uuid()), 'PR004');
    assert postrider.record_progress(w, '[]') = 0;
    assert postrider.record_progress(w, json_build_array(json_build_object(
        'text', repeat('x', 1000), 'result', repeat('x', 16382)))) = 0, 'as large as it may be';
end
$$;

-- with the consumer; and the columns that a viewer sees
do $$
declare
    w uuid := promise.worker('gone', p_consumer => 'leaver');
begin
    perform promise.publish('gone', 1);
    commit;
    perform promise.numbers(w);
    assert promise.report(w, '{"fraction": 0.1, "text": "secret"}') = 1;
    commit;
    set local role postrider_viewer;
    assert (select fraction from postrider.progress where channel = 'gone') = 0.1::real;
    perform promise.raises('select text from postrider.progress', '42501');
    perform promise.raises('select result from postrider.progress', '42501');
    reset role;
    update postrider.worker set alive_until = '-infinity' where id = w;
    perform postrider.remove_consumer('leaver', 'test', 'a test', 'gone', true);
    assert not exists (select from postrider.job_progress p
                       where not exists (select from postrider.consumer c where c.id = p.consumer_id));
    commit;
end
$$;

-- retention
do $$
declare
    w uuid := promise.worker('old');
begin
    perform promise.publish('old', 2);
    commit;
    perform promise.numbers(w);
    assert promise.report(w, '{"fraction": 0.1}') = 2;
    -- The second one becomes a dead letter.
    perform postrider.settle(w, l.id, l.token, l.members[1:1], jsonb_build_array(jsonb_build_object('seq', l.members[2], 'outcome', 'terminal')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    perform postrider.retention_run();
    assert cardinality(promise.progress('old')) = 2, 'the messages are in the log';
    commit;
    update postrider.job_progress set created_at = created_at - interval '100 days';
    update postrider.delivery set published_at = published_at - interval '100 days' where channel = 'old';
    delete from postrider.message where channel = 'old';
    perform postrider.drop_partitions(clock_timestamp() - interval '99 days');
    commit;
    -- The oldest partition begins with the log; as if it had been dropped.
    perform postrider.ensure_partitions();
    commit;
end
$$;
select name from postrider.partitions() where from_at = '-infinity' \gset
alter table postrider.message detach partition postrider.:name;
do $$
begin
    assert (select things from postrider.retention_run(1000, true) where entity = 'job_progress') = 1, 'the one without a delivery';
    perform postrider.retention_run();
    assert cardinality(promise.progress('old')) = 1, 'the dead letter is still there';
    delete from postrider.delivery where channel = 'old';
    perform postrider.retention_run();
    assert promise.progress('old') is null;
    commit;
end
$$;
