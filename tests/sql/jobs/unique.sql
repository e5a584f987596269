-- Promises about unique jobs:
--   publishing a key that is held publishes nothing, returns the id of the job that holds it and says so
--   a key is released exactly when its scope ends: at the start, at the end however it comes, or after the period
--   serial: one job runs, one waits, and the waiting one is started when the running one has ended
--   a job needs a target and one handler; producers cannot write keys otherwise; keys are compared, not hashes of them
--   a replay takes the key again, or is refused
--   partitions, removal of the consumer and copies keep keys and jobs together
\ir ../include/promises.sql
\ir ../include/due_deliveries.sql

-- unique(channel, n, key, scope, …): publishes a job; its number, negative when it is a duplicate of that one.
create function promise.unique(
    p_channel text, p_n int, p_key text, p_scope text default 'until_finished', p_period interval default null
) returns int
    language sql
    as $$
    select case when u.duplicate then -(select (m.payload ->> 'n')::int from postrider.message m where m.id = u.id) else p_n end
    from postrider.publish_unique('a', 'reader', p_key, p_scope, jsonb_build_object('n', p_n), p_period, p_channel => p_channel) u
    $$;
-- settle(worker, outcome): ends the open lease of the worker, all messages alike.
create function promise.settle(p_worker uuid, p_outcome text default 'delivered') returns text
    language sql
    as $$
    select postrider.settle(p_worker, l.id, l.token, '{}', (
        select jsonb_agg(jsonb_build_object('seq', m, 'outcome', p_outcome)) from unnest(l.members) m))
    from postrider.lease l where l.worker_id = p_worker and l.finished_at is null and p_outcome <> 'delivered'
    union all
    select postrider.settle(p_worker, l.id, l.token)
    from postrider.lease l where l.worker_id = p_worker and l.finished_at is null and p_outcome = 'delivered'
    $$;
create function promise.held(p_channel text) returns text[]
    language sql
    as $$
    select array_agg(k.key || case when k.running then ' running' else '' end order by k.key, k.running)
    from postrider.unique_keys k where k.channel = p_channel
    $$;

-- until_finished: held while it waits, runs and is retried; released in the transaction that delivers it
do $$
declare
    w uuid := promise.worker('finish', '[{"name": "a.x", "event_types": ["a"], "retry": {"curve": "immediate"}}]');
begin
    assert promise.unique('finish', 1, 'k') = 1;
    assert promise.unique('finish', 2, 'k') = -1, 'also within the transaction';
    assert promise.unique('finish', 3, 'K') = 3, 'keys differ by every byte';
    commit;
    assert promise.unique('finish', 4, 'k') = -1;
    assert promise.numbers(w) = '{1,3}';
    assert promise.unique('finish', 5, 'k') = -1, 'it runs';
    perform promise.settle(w, 'transient');
    assert promise.unique('finish', 6, 'k') = -1, 'it waits for a retry';
    assert promise.due(w, 'transient') = '{1,3}';
    assert promise.unique('finish', 7, 'k') = -1;
    assert promise.due(w) = '{1,3}';
    assert promise.held('finish') is null;
    assert promise.unique('finish', 8, 'k') = 8;
    commit;
    assert promise.numbers(w) = '{8}';
    commit;
    perform promise.settle(w);
    assert promise.unique('finish', 9, 'k') = 9, 'delivered at the first attempt';
    commit;
    perform promise.numbers(w);
    perform promise.settle(w, 'terminal');
    assert promise.unique('finish', 10, 'k') = 10, 'dead at the first attempt';
    commit;
    perform promise.park(w);
    perform postrider.bury(array_agg(d.id), 'test', 'test') from postrider.delivery d
    where d.channel = 'finish' and d.status = 'pending';
    assert promise.held('finish') is null, 'buried';
end
$$;

-- a rollback releases the key with the message
do $$
declare
    w uuid := promise.worker('undone');
begin
    commit;
    perform promise.unique('undone', 1, 'k');
    rollback;
    assert promise.unique('undone', 2, 'k') = 2;
    begin
        perform promise.unique('undone', 3, 'other');
        raise exception using errcode = 'ZZ001';
    exception when sqlstate 'ZZ001' then null;
    end;
    assert promise.unique('undone', 4, 'other') = 4;
    assert current_setting('lock_timeout') = '0', 'the setting is restored';
end
$$;

-- until_started: released by the claim, kept while a circuit or a missing handler keeps it from being handed out
do $$
declare
    w uuid := promise.worker('start', '[{"name": "a.x", "event_types": ["a"]}]');
begin
    perform promise.unique('start', 1, 'k', 'until_started');
    commit;
    assert promise.unique('start', 2, 'k', 'until_started') = -1;
    assert promise.numbers(w) = '{1}';
    assert promise.unique('start', 3, 'k', 'until_started') = 3, 'the first one runs';
    commit;
    perform promise.settle(w);
    commit;
    perform promise.park(w);
    assert promise.unique('start', 4, 'k', 'until_started') = -3, 'a delivery that was never run still waits';
    commit;
    assert promise.due(w, 'terminal') = '{3}';
    assert promise.unique('start', 5, 'k', 'until_started') = 5;
    commit;
    perform postrider.outbox_replay(d.message_id, null, 'test') from postrider.delivery d
    where d.channel = 'start' and d.status = 'failed';
    assert promise.due(w) = '{3}', 'a replay needs no key of that scope';
    assert promise.held('start') = '{k}', 'which is the other job''s';
end
$$;

-- period: regardless of the state of the job, and no longer
do $$
declare
    w uuid := promise.worker('period');
begin
    perform promise.unique('period', 1, 'k', 'period', interval '1 hour');
    commit;
    assert promise.numbers(w) = '{1}';
    perform promise.settle(w);
    assert promise.unique('period', 2, 'k', 'period', interval '1 hour') = -1;
    commit;
    update postrider.unique_job set expires_at = clock_timestamp() where key = 'k' and scope = 'period';
    assert promise.held('period') is null;
    assert promise.unique('period', 3, 'k', 'period', interval '1 hour') = 3;
    assert promise.unique('period', 4, 'k', 'until_finished') = -3;
    update postrider.unique_job set expires_at = clock_timestamp() where key = 'k' and scope = 'period';
    commit;
    assert exists (select from postrider.maintain() m where m = 'removed 1 unique keys whose period is over');
    assert not exists (select from postrider.unique_job where scope = 'period');
end
$$;

-- serial: one runs, one waits; the waiting one starts when the running one has ended, through retries and crashes
do $$
declare
    w uuid := promise.worker('serial', '[{"name": "a.x", "event_types": ["a"], "retry": {"curve": "immediate"}}]');
begin
    perform promise.unique('serial', 1, 'k', 'serial');
    commit;
    assert promise.unique('serial', 2, 'k', 'serial') = -1;
    assert promise.numbers(w) = '{1}';
    commit;
    assert promise.unique('serial', 3, 'k', 'serial') = 3, 'what it is about may have changed since the first one started';
    assert promise.unique('serial', 4, 'k', 'serial') = -3;
    assert promise.unique('serial', 5, 'j', 'serial') = 5;
    commit;
    assert promise.held('serial') = '{j,k,"k running"}';
    assert promise.numbers(w) = '{5}', 'another key is not held up';
    assert promise.due(w) is null and postrider.next_due(w) is null;
    commit;
    assert promise.unique('serial', 6, 'k', 'serial') = -3, 'it still waits';
    perform postrider.release(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert promise.due(w, 'transient') = '{1,5}', 'given back, it still has its turn';
    assert promise.due(w) = '{1,5}', 'and when it is retried';
    commit;
    assert promise.due(w, 'terminal') = '{3}', 'the next one follows when it has ended';
    assert promise.held('serial') is null;
    -- A replay waits like a job that is published.
    assert promise.unique('serial', 7, 'k', 'serial') = 7;
    commit;
    perform promise.raises($r$select postrider.outbox_replay(d.message_id, null, 'test') from postrider.delivery d
                           where d.channel = 'serial' and d.status = 'failed'$r$, 'PR012');
    assert promise.numbers(w) = '{7}';
    commit;
    perform postrider.outbox_replay(d.message_id, null, 'test') from postrider.delivery d
    where d.channel = 'serial' and d.status = 'failed';
    assert promise.unique('serial', 8, 'k', 'serial') = -3;
    assert promise.due(w) is null;
    perform promise.settle(w);
    assert promise.due(w) = '{3}';
    assert promise.held('serial') is null;
end
$$;

-- a dead worker keeps neither job nor key
do $$
declare
    w uuid := promise.worker('dies');
    o uuid;
begin
    perform promise.unique('dies', n, 'k' || n, case n when 1 then 'serial' else 'until_finished' end) from generate_series(1, 2) n;
    commit;
    assert promise.numbers(w) = '{1,2}';
    perform promise.unique('dies', 3, 'k1', 'serial');
    update postrider.worker set alive_until = '-infinity' where id = w;
    commit;
    assert (select leases from postrider.reap()) = 1;
    assert promise.held('dies') = '{k1,"k1 running",k2}';
    commit;
    o := promise.worker('dies');
    assert promise.numbers(o) = '{}', 'the third is blocked';
    assert promise.due(o) = '{1,2}';
    assert promise.due(o) = '{3}';
    assert promise.held('dies') is null;
end
$$;

-- a replay or a redelivery takes the key again, or is refused with the id of the holder
do $$
declare
    w uuid := promise.worker('again', '[{"name": "a.x", "event_types": ["a"]}]');
    v_dead uuid;
    v_text text;
begin
    perform promise.unique('again', 1, 'k');
    commit;
    perform promise.numbers(w);
    perform promise.settle(w, 'terminal');
    select d.message_id into v_dead from postrider.delivery d where d.channel = 'again';
    assert promise.unique('again', 2, 'k') = 2;
    commit;
    begin
        perform postrider.outbox_replay(v_dead, null, 'test');
        assert false;
    exception when sqlstate 'PR012' then
        v_text := sqlerrm;
    end;
    assert v_text = format('outbox_replay: the unique key ''k'' of message %s is held by message %s', v_dead,
                           (select k.id from postrider.unique_keys k where k.channel = 'again')), v_text;
    assert (select status from postrider.delivery d where d.message_id = v_dead) = 'failed';
    perform postrider.replay_start(jsonb_build_object('ids', jsonb_build_array(v_dead)), 'test', 'test');
    perform postrider.replay_step();
    assert (select i.outcome || ': ' || i.note from postrider.replay_items i where i.id = v_dead) = 'skipped: its unique key is held';
    perform promise.numbers(w);
    perform promise.settle(w);
    commit;
    perform postrider.outbox_replay(v_dead, null, 'test');
    assert promise.unique('again', 3, 'k') = -1;
    assert promise.due(w) = '{1}';
    perform postrider.redeliver(v_dead, 'reader', 'a.x', false, 'test', 'test', 'again');
    assert promise.unique('again', 4, 'k') = -1;
    assert promise.due(w) = '{1}';
    assert promise.unique('again', 5, 'k') = 5;
    perform promise.raises(format($r$select postrider.redeliver(%L, 'reader', 'a.x', false, 'test', 'test', 'again')$r$, v_dead), 'PR012');
end
$$;

-- a target and one handler; a known scope; a key of 1 to 255 bytes
do $$
declare
    w uuid := promise.worker('strict', '[{"name": "a.x", "event_types": ["a", "b"]}, {"name": "b.x", "event_types": ["b"]}]');
begin
    perform promise.raises($r$select postrider.publish_unique('a', null, 'k', p_channel => 'strict')$r$, 'PR001');
    perform promise.raises($r$select postrider.publish_unique('a', 'other', 'k', p_channel => 'strict')$r$, 'PR003');
    perform promise.raises($r$select postrider.publish_unique('c', 'reader', 'k', p_channel => 'strict')$r$, 'PR011');
    perform promise.raises($r$select postrider.publish_unique('b', 'reader', 'k', p_channel => 'strict')$r$, 'PR001');
    perform promise.raises($r$select postrider.publish_unique('a', 'reader', '', p_channel => 'strict')$r$, 'PR001');
    perform promise.raises($r$select postrider.publish_unique('a', 'reader', null, p_channel => 'strict')$r$, 'PR001');
    perform promise.raises($r$select postrider.publish_unique('a', 'reader', repeat('k', 256), p_channel => 'strict')$r$, 'PR002');
    perform promise.raises($r$select postrider.publish_unique('a', 'reader', 'k', 'for_ever', p_channel => 'strict')$r$, 'PR001');
    perform promise.raises($r$select postrider.publish_unique('a', 'reader', 'k', 'period', p_channel => 'strict')$r$, 'PR001');
    perform promise.raises($r$select postrider.publish_unique('a', 'reader', 'k', 'serial', p_period => '1 h', p_channel => 'strict')$r$, 'PR001');
    perform promise.raises($r$select postrider.publish_unique('', 'reader', 'k', p_channel => 'strict')$r$, 'PR001');
    assert promise.unique('strict', 1, repeat('k', 255)) = 1;
end
$$;

-- producers take keys with publish_unique alone
create role promise_unique_producer in role postrider_producer;
do $$
begin
    perform promise.worker('rights');
    commit;
    set local role promise_unique_producer;
    assert (select not duplicate from postrider.publish_unique('a', 'reader', 'k', p_channel => 'rights'));
    perform promise.raises($r$insert into postrider.message (event_type, unique_key) values ('a', 'k')$r$, '42501');
    perform promise.raises($r$select from postrider.unique_job$r$, '42501');
    rollback;
end
$$;
drop role promise_unique_producer;

-- jobs of a partition that is dropped become deliveries, which keep their keys
do $$
declare
    w uuid := promise.worker('carried');
begin
    perform promise.unique('carried', n, 'k' || n, (array['until_started', 'until_finished', 'serial'])[n]) from generate_series(1, 3) n;
    commit;
    perform promise.park(w);
    commit;
    assert promise.held('carried') = '{k1,k2,k3}';
    assert promise.due(w) = '{1,2,3}';
    assert promise.held('carried') is null;
end
$$;

-- the keys of a consumer that is removed go with it
do $$
declare
    w uuid := promise.worker('removed');
begin
    perform promise.unique('removed', 1, 'k');
    perform postrider.unregister_worker(w);
    commit;
    perform postrider.remove_consumer('reader', 'test', 'test', 'removed', true);
    assert not exists (select from postrider.unique_job u where not exists (select from postrider.consumer c where c.id = u.consumer_id));
end
$$;

-- any unique_wait can be used as a lock timeout, and the caller's is kept
do $$
declare
    w uuid := promise.worker('waits');
begin
    set local lock_timeout = '1 min';
    for n in 1..3 loop
        update postrider.setting set value = (array['0', '1 microsecond', '100 days'])[n] where name = 'unique_wait';
        assert promise.unique('waits', n, 'k' || n) = n;
    end loop;
    set local lock_timeout = 0;
    assert promise.unique('waits', 4, 'k4') = 4;
    assert current_setting('lock_timeout') = '0';
end
$$;
