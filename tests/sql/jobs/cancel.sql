-- Promises about cancelling jobs:
--   a job that waits, in the log, for its time, for a retry or behind its unique key, is never run afterwards, and no other is lost
--   a running job is taken from its worker: cancelled_jobs() returns it once, and the worker's report changes nothing
--   a cancelled job is kept: failed and discarded, without an alert; restore makes a dead letter of it; its unique key is free
--   filters describe jobs; a named one that has ended or does not exist is refused; owners cancel their own, and the audit records it
--   a dry run lists the jobs, those that run among them, changes nothing and is not audited
--   large leases on the channel do not make it slow
\ir ../include/promises.sql

create function promise.job(p_channel text, p_n int, p_type text default 'a', p_due interval default null) returns uuid
    language sql
    as $$
    select postrider.publish(p_type, jsonb_build_object('n', p_n), p_channel => p_channel, p_available_at => clock_timestamp() + p_due)
    $$;
create function promise.cancel(p_id uuid) returns text
    language sql
    as $$
    select string_agg(c.was, ',') from postrider.cancel(jsonb_build_object('ids', jsonb_build_array(p_id)), 'test', 'not wanted') c
    $$;
create function promise.state(p_id uuid) returns text
    language sql
    as $$
    select string_agg(p.state, ',') from postrider.job_places(p_id) p
    $$;

-- in the log, ahead of the cursor: never run, the others are, and claims are back to normal behind it
do $$
declare
    w uuid := promise.worker('log');
    v_ids uuid[];
begin
    v_ids := array(select promise.job('log', n) from generate_series(1, 5) n);
    commit;
    assert promise.state(v_ids[2]) = 'queued';
    assert promise.cancel(v_ids[2]) = 'pending';
    commit;
    assert promise.state(v_ids[2]) = 'cancelled';
    assert promise.cancel(v_ids[4]) = 'pending';
    commit;
    assert (select cardinality(cancelled) = 2 and '' = any (handlers) from postrider.consumer where channel = 'log');
    assert promise.numbers(w, 2) = '{1}';
    commit;
    assert promise.numbers(w, 10) = '{3,5}';
    commit;
    assert (select cancelled is null and handlers = '{test.all}' from postrider.consumer where channel = 'log');
    assert not exists (select from postrider.claim_due(w, 10));
    perform postrider.settle(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null;
    assert (select array_agg(promise.state(i)) from unnest(v_ids) i) = '{delivered,cancelled,delivered,cancelled,delivered}';
    assert not exists (select from postrider.alerts a where a.channel = 'log');
    assert (select outcome || ' ' || status || ' ' || deleted_reason from postrider.delivery d where d.message_id = v_ids[2])
         = 'cancelled failed cancelled: not wanted';
    perform postrider.restore(jsonb_build_object('ids', jsonb_build_array(v_ids[2])), 'test', 'wanted');
    assert promise.state(v_ids[2]) = 'dead';
    perform postrider.outbox_replay(v_ids[2], null, 'test');
    assert (select array_agg((c.payload ->> 'n')::int) from postrider.claim_due(w, 10) c) = '{2}';
end
$$;

-- that wait for their time: known to the claims already, or not yet; and one that waits for a retry
do $$
declare
    w uuid := promise.worker('time', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    v_first uuid := promise.job('time', 1, 'a', interval '0');
    v_next uuid;
    v_late uuid := promise.job('time', 3, 'a', interval '1 hour');
begin
    commit;
    assert promise.state(v_late) = 'waiting';
    assert promise.numbers(w) = '{1}';
    commit;
    v_next := promise.job('time', 2, 'a', interval '0');
    commit;
    assert promise.cancel(v_next) = 'pending' and promise.cancel(v_late) = 'pending';
    commit;
    assert not exists (select from postrider.waiting t join postrider.consumer c on c.id = t.consumer_id where c.channel = 'time');
    assert (select cancelled is null from postrider.consumer where channel = 'time');
    assert promise.numbers(w) = '{}';
    perform postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'transient')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    assert promise.state(v_first) = 'retrying';
    assert promise.cancel(v_first) = 'pending';
    assert not exists (select from postrider.claim_due(w, 10));
    assert not exists (select from postrider.cancelled_jobs(w)), 'none of them ran';
end
$$;

-- running jobs, of a lease and of a delivery: the worker gets each once, and its report changes nothing
do $$
declare
    w uuid := promise.worker('runs', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    v_ids uuid[] := array(select promise.job('runs', n) from generate_series(1, 3) n);
    l postrider.lease;
    d record;
begin
    commit;
    assert promise.numbers(w) = '{1,2,3}';
    commit;
    assert promise.state(v_ids[2]) = 'in_flight' and promise.cancel(v_ids[2]) = 'in_flight';
    commit;
    assert (select array_agg(j) from postrider.cancelled_jobs(w) j) = v_ids[2:2];
    assert not exists (select from postrider.cancelled_jobs(w));
    select * into l from postrider.lease where worker_id = w and finished_at is null;
    assert not exists (select from postrider.heartbeat(w, array[l.id])), 'the others are still its own';
    assert postrider.settle(w, l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', (select seq from postrider.message where id = v_ids[2]), 'outcome', 'transient'),
        jsonb_build_object('seq', (select seq from postrider.message where id = v_ids[3]), 'outcome', 'transient'))) = 'settled';
    assert (select array_agg(promise.state(i)) from unnest(v_ids) i) = '{delivered,cancelled,retrying}';
    select c.delivery_id, c.lease_token into d from postrider.claim_due(w, 10) c;
    assert promise.cancel(v_ids[3]) = 'in_flight';
    assert (select array_agg(j) from postrider.cancelled_jobs(w) j) = v_ids[3:3];
    assert (select result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
        'delivery', d.delivery_id, 'token', d.lease_token, 'outcome', 'delivered')))) = 'lost_lease';
    assert promise.state(v_ids[3]) = 'cancelled';
end
$$;

-- the last message of a lease: the lease is lost
do $$
declare
    w uuid := promise.worker('last');
    v_id uuid := promise.job('last', 1);
    l postrider.lease;
begin
    commit;
    perform promise.numbers(w);
    select * into l from postrider.lease where worker_id = w and finished_at is null;
    perform promise.cancel(v_id);
    assert (select array_agg(h) from postrider.heartbeat(w, array[l.id]) h) = array[l.id];
    assert postrider.settle(w, l.id, l.token) = 'settled';
    assert promise.state(v_id) = 'cancelled';
end
$$;

-- by unique key: the key is free, and the job that was blocked by it runs
do $$
declare
    w uuid := promise.worker('keys');
begin
    perform postrider.publish_unique('a', 'reader', 'k', 'serial', '{"n": 1}', p_channel => 'keys');
    perform postrider.publish_unique('a', 'reader', 'j', 'until_finished', '{"n": 10}', p_channel => 'keys');
    commit;
    assert promise.numbers(w) = '{1,10}';
    perform postrider.publish_unique('a', 'reader', 'k', 'serial', '{"n": 2}', p_channel => 'keys');
    commit;
    assert promise.numbers(w) = '{}';
    assert (select promise.state(k.id) from postrider.unique_keys k where k.channel = 'keys' and k.key = 'k' and not k.running) = 'blocked';
    perform promise.cancel(k.id) from postrider.unique_keys k where k.channel = 'keys' and k.running;
    assert (select array_agg((c.payload ->> 'n')::int) from postrider.claim_due(w, 10) c) = '{2}';
    assert (select array_agg(c.was order by c.was) from postrider.cancel('{"unique_key": "j", "consumer": "reader", "channel": "keys"}',
                                                                         'test', 'test') c) = '{in_flight}';
    assert (select count(*) from postrider.cancel('{"unique_key": "k", "channel": "keys"}', 'test', 'test')) = 1;
    assert not exists (select from postrider.unique_keys where channel = 'keys');
end
$$;

-- filters; a limit; rejected calls; the audit
do $$
declare
    w uuid := promise.worker('filter');
    v_done uuid := promise.job('filter', 0);
begin
    commit;
    perform promise.drain(w);
    perform promise.job('filter', n, case when n % 2 = 0 then 'even' else 'odd' end) from generate_series(1, 6) n;
    perform promise.job('filter', 7, 'even', interval '1 hour');
    commit;
    assert (select count(*) from postrider.cancel('{"consumer": "reader", "channel": "filter", "event_type": "odd"}', 'test', 'test', 2)) = 2;
    commit;
    assert (select count(*) from postrider.cancel('{"consumer": "reader", "channel": "filter", "event_type": "even"}', 'test', 'test')) = 4;
    commit;
    assert promise.numbers(w) = '{5}';
    commit;
    perform promise.raises(format($r$select promise.cancel(%L)$r$, v_done), 'PR012');
    perform promise.raises($r$select promise.cancel(gen_random_uuid())$r$, 'PR014');
    perform promise.raises($r$select postrider.cancel('{}', 'test', 'test')$r$, 'PR001');
    perform promise.raises($r$select postrider.cancel('[]', 'test', 'test')$r$, 'PR001');
    perform promise.raises($r$select postrider.cancel('{"channel": "filter"}', 'test', 'test')$r$, 'PR001');
    perform promise.raises($r$select postrider.cancel('{"ids": ["x"]}', 'test', 'test')$r$, 'PR001');
    perform promise.raises($r$select postrider.cancel('{"consumer": 1}', 'test', 'test')$r$, 'PR001');
    perform promise.raises($r$select postrider.cancel('{"consumers": "reader"}', 'test', 'test')$r$, 'PR001');
    perform promise.raises($r$select postrider.cancel('{"consumer": "reader"}', 'test', 'test', 0)$r$, 'PR001');
    perform promise.raises($r$select postrider.cancel('{"consumer": "reader"}', 'test', '')$r$, 'PR001');
    assert (select a.after ->> 'jobs' from postrider.audits a where a.action = 'cancel' and a.filter ->> 'event_type' = 'even') = '4';
end
$$;

-- a dry run
do $$
declare
    w uuid := promise.worker('dry');
    v_filter constant jsonb := '{"consumer": "reader", "channel": "dry"}';
    v_counted bigint := (postrider.job_figures() ->> 'cancelled')::bigint;
    v_audits bigint := (select count(*) from postrider.audits);
    v_running uuid := promise.job('dry', 1);
begin
    commit;
    perform promise.numbers(w);
    perform promise.job('dry', n) from generate_series(2, 3) n;
    perform promise.job('dry', 4, 'later', interval '1 hour');
    commit;
    assert (select array_agg(c.was order by c.was) from postrider.cancel(v_filter, null, null, p_dry_run => true) c)
         = '{in_flight,pending,pending,pending}';
    assert (select count(*) from postrider.cancel(v_filter || '{"event_type": "later"}', null, null, p_dry_run => true)) = 1;
    assert (select count(*) from postrider.cancel(v_filter, null, null, 2, true)) = 2;
    assert promise.state(v_running) = 'in_flight' and (select count(*) from postrider.audits) = v_audits;
    perform promise.raises($r$select postrider.cancel('{}', null, null, p_dry_run => true)$r$, 'PR001');
    perform promise.raises(format($r$select postrider.cancel('{"ids": ["%s"]}', null, null, p_dry_run => true)$r$, gen_random_uuid()), 'PR014');
    assert (select count(*) from postrider.cancel(v_filter, 'test', 'test')) = 4;
    commit;
    assert (postrider.job_figures() ->> 'cancelled')::bigint = v_counted + 4;
end
$$;

-- the claim locks of a channel are held while jobs are locked, so large leases of any consumer there must not be compared with each job
do $$
declare
    w uuid := promise.worker('cancel_large');
begin
    insert into postrider.message (channel, event_type, payload) select 'cancel_large', 'a', '{}' from generate_series(1, 40000);
    commit;
    for i in 1..8 loop
        perform postrider.exchange_packed(w, 10000);
        commit;
    end loop;
    assert (select sum(cardinality(members)) = 40000 from postrider.lease where worker_id = w and finished_at is null);
end
$$;
set statement_timeout = '6s';
do $$
begin
    perform postrider.lock_jobs(array(
        select row(null, -n, null, null, false, c.id, c.name, c.channel, '', 'in_flight', null, null)::postrider.cancel_job
        from postrider.consumer c, generate_series(1, 60000) n where c.channel = 'cancel_large'), clock_timestamp() + interval '2 seconds');
end
$$;
reset statement_timeout;
