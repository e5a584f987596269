-- Promises about moving a consumer to an instant:
--   messages before it that were not handed out are skipped, those since it are handed out again, and the counts are exact; a dry run
--     says the same, changes nothing and keeps no claim waiting
--   messages in a lease stay with their worker, deliveries stay as they are
--   a transaction that has not ended is delivered when it commits
--   handlers that were registered later get the messages again, too, and their failures are retried
--   messages that wait are skipped, their keys are free, and they are never handed out; the audit records it
--   messages that wait for their ordering key are skipped, or come once more in their order, like all others; a retry behind them starts
\ir ../include/promises.sql
\ir ../include/ordering.sql

create function promise.seek(p_channel text, p_to timestamptz, p_dry_run boolean default false) returns text
    language sql
    as $$
    select format('%s %s %s', s.skipped, s.waiting, s.again)
    from postrider.seek_consumer('reader', p_to, 'test', 'a test', p_channel, p_dry_run) s
    $$;
create function promise.settle_all(p_worker uuid) returns void
    language sql
    as $$
    select postrider.settle(p_worker, l.id, l.token) from postrider.lease l where l.worker_id = p_worker and l.finished_at is null
    $$;

-- forward and back
do $$
declare
    w uuid := promise.worker('both');
    v_at timestamptz;
begin
    perform promise.publish('both', 3);
    commit;
    v_at := clock_timestamp();
    perform postrider.publish('test.happened', '{"n": 4}', p_channel => 'both');
    commit;
    perform postrider.publish('test.happened', '{"n": 5}', p_channel => 'both');
    commit;
    assert promise.numbers(w, 1) = '{1}';
    commit;
    assert promise.seek('both', v_at, true) = '2 0 0';
    assert not exists (select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory' and classid = postrider.lock_claims());
    assert promise.seek('both', v_at) = '2 0 0';
    commit;
    assert promise.numbers(w) = '{4,5}', 'the first one is its worker''s, the next two are skipped';
    assert (select postrider.settle(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null limit 1) = 'settled';
    perform promise.settle_all(w);
    commit;
    assert promise.seek('both', v_at) = '0 0 2';
    commit;
    assert promise.numbers(w) = '{4,5}';
    perform promise.settle_all(w);
    commit;
    assert promise.seek('both', '-infinity', true) = '0 0 5';
    assert promise.seek('both', '-infinity') = '0 0 5', 'those that were skipped come again, too';
    commit;
    assert promise.numbers(w, 2) = '{1,2}';
    assert promise.seek('both', null) = '3 0 0';
    commit;
    assert promise.numbers(w) = '{}';
    perform promise.publish('both', 1);
    commit;
    assert promise.numbers(w) = '{1}', 'the next one is there';
    commit;
    assert (select count(*) from postrider.audits where action = 'seek_consumer') = 4;
    perform promise.raises('select promise.seek(''both'', ''infinity'')', 'PR001');
    perform promise.raises('select promise.seek(''nowhere'', null)', 'PR003');
    perform promise.raises('select postrider.seek_consumer(''reader'', null, ''test'', '''', ''both'')', 'PR001');
end
$$;

-- deliveries stay, whichever way; a handler of later gets earlier messages, and a failure of one is retried
do $$
declare
    w uuid := promise.worker('stay', '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
begin
    perform promise.publish('stay', 2);
    commit;
    perform promise.numbers(w);
    perform postrider.settle(w, l.id, l.token, l.members[1:1], jsonb_build_array(jsonb_build_object('seq', l.members[2], 'outcome', 'transient')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert promise.seek('stay', null) = '0 0 0';
    commit;
    assert (select array_agg((c.payload ->> 'n')::int) from postrider.claim_due(w, 10) c) = '{2}';
    perform postrider.unregister_worker(w);
    commit;
    w := promise.worker('stay', '[{"name": "b.x", "event_types": ["*"], "retry": {"curve": "immediate"}}]');
    perform postrider.retire_handler('reader', 'a.x', 'stay');
    commit;
    assert promise.seek('stay', '-infinity') = '0 0 2';
    commit;
    assert promise.numbers(w) = '{1,2}';
    perform postrider.settle(w, l.id, l.token, '{}', (select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'transient')) from unnest(l.members) s))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert (select array_agg((c.payload ->> 'n')::int || c.handler order by c.delivery_id) from postrider.claim_due(w, 10) c) = '{1b.x,2b.x}',
           'and not of a handler that is gone';
    commit;
end
$$;

-- messages that wait: skipped with their keys and sets, and not repeated
do $$
declare
    w uuid := promise.worker('wait', '[{"name": "a.x", "event_types": ["*"]}]');
    v_at timestamptz;
begin
    perform postrider.publish('a', '{"n": 1}', p_channel => 'wait', p_priority => 1);
    commit;
    assert promise.numbers(w) = '{1}';
    perform promise.settle_all(w);
    commit;
    perform postrider.publish('a', '{"n": 2}', p_channel => 'wait', p_available_at => clock_timestamp() + interval '1 hour');
    perform postrider.publish_unique('a', 'reader', 'k', p_payload => '{"n": 3}', p_channel => 'wait');
    perform postrider.publish_set('s', '[{"event_type": "a", "target": "reader", "channel": "wait"}]', '{"event_type": "done"}');
    commit;
    v_at := clock_timestamp();
    perform postrider.publish('a', '{"n": 4}', p_channel => 'wait', p_priority => 1);
    commit;
    assert promise.seek('wait', v_at, true) = '3 3 0', promise.seek('wait', v_at, true);
    assert promise.seek('wait', v_at) = '3 3 0';
    commit;
    assert not exists (select from postrider.unique_keys);
    assert (select ended || ' ' || failed from postrider.job_sets where name = 's' and completed_at is not null) = '1 1';
    assert promise.numbers(w) = '{4}';
    perform promise.settle_all(w);
    assert promise.seek('wait', '-infinity') = '0 0 0';
    commit;
    assert promise.numbers(w) = '{}';
end
$$;

-- ordering keys: no claim fails because a message waits for its key already
create function promise.names(p_worker uuid) returns text
    language sql
    as $$ select coalesce(string_agg(c.payload ->> 'n', ' ' order by c.payload ->> 'n'), '') from postrider.claim(p_worker, 100) c $$;
do $$
declare
    w uuid := promise.ordered('ordered');
    v_at timestamptz;
begin
    perform promise.keyed('ordered', 'a1 a2 b1');
    commit;
    v_at := clock_timestamp();
    perform promise.keyed('ordered', 'a3 b2 c1');
    commit;
    assert promise.names(w) = 'a1 b1 c1';
    commit;
    assert promise.seek('ordered', '-infinity', true) = '0 0 3', 'a2, a3 and b2 were not handed out';
    assert promise.seek('ordered', '-infinity') = '0 0 3';
    commit;
    assert promise.names(w) = '', 'its worker has one of each key';
    perform promise.settle_all(w);
    commit;
    assert promise.names(w) = 'a1 b1 c1', 'once more';
    perform promise.settle_all(w);
    commit;
    assert promise.names(w) = 'a2 b2';
    assert promise.seek('ordered', v_at) = '0 0 2', 'b2 and c1; a3 was not handed out';
    perform promise.settle_all(w);
    commit;
    assert promise.names(w) = 'a3 b2 c1';
    perform promise.keyed('ordered', 'a4 d1');
    perform promise.settle_all(w);
    commit;
    assert promise.names(w) = 'a4 d1';
    perform promise.keyed('ordered', 'a5 a6 d2');
    commit;
    assert promise.names(w) = '';
    commit;
    assert promise.seek('ordered', null) = '3 0 0', 'messages that wait for a key were not handed out';
    commit;
    perform promise.settle_all(w);
    commit;
    assert promise.names(w) = '';
    assert not exists (select from postrider.follower);
    perform promise.keyed('ordered', 'a7');
    commit;
    assert promise.names(w) = 'a7';
    perform promise.settle_all(w);
    commit;
end
$$;

-- messages of a chain that its worker gives back, before and after they were read again
do $$
declare
    w uuid;
    v_all text;
    l record;
begin
    foreach w in array array[promise.ordered('back1'), promise.ordered('back2')] loop
        perform promise.keyed(c.channel, 'a1 a2 a3 a4') from postrider.consumer c join postrider.worker o on o.consumer_id = c.id and o.id = w;
        commit;
        for i in 1..3 loop
            perform postrider.exchange_packed(w, 100);
            commit;
        end loop;
        select e.lease_id, e.lease_token into l from postrider.exchange_waiting(w, 100, p_chain => 3) e;
        commit;
        perform promise.seek(c.channel, '-infinity') from postrider.consumer c join postrider.worker o on o.consumer_id = c.id and o.id = w;
        commit;
        for i in 1..3 loop
            exit when w = (select o.id from postrider.worker o join postrider.consumer c on c.id = o.consumer_id where c.channel = 'back1');
            perform postrider.exchange_packed(w, 100);
            commit;
        end loop;
        assert postrider.release(w, l.lease_id, l.lease_token) in ('released', 'settled');
        commit;
        v_all := null;
        for i in 1..12 loop
            v_all := concat_ws(' ', v_all, nullif(promise.names(w), ''), nullif(promise.due(w), ''));
            perform promise.settle_all(w);
            commit;
        end loop;
        assert v_all = 'a1 a1 a2 a3 a4', v_all || ': the first one was handed out, so it is a delivery as well';
    end loop;
end
$$;

-- a replay that waits behind skipped messages of its key starts
do $$
declare
    w uuid := promise.ordered('later', 'skip');
begin
    perform promise.keyed('later', 'a1');
    commit;
    assert promise.names(w) = 'a1';
    perform postrider.settle(w, l.id, l.token, '{}', (select jsonb_agg(jsonb_build_object('seq', s, 'outcome', 'terminal')) from unnest(l.members) s))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    perform promise.keyed('later', 'a2 a3');
    commit;
    assert promise.names(w) = 'a2';
    commit;
    perform postrider.edit_and_replay(d.delivery_id, '{"n": "e1"}', null, 'test', 'a test') from postrider.dead_letters d where d.ordering_key = 'a';
    perform promise.settle_all(w);
    commit;
    assert promise.due(w) = '', 'a3 is before it';
    assert promise.seek('later', null) = '1 0 0';
    commit;
    assert promise.names(w) || promise.due(w) = 'e1', 'a3 is skipped';
    commit;
end
$$;

-- a replay that waits for its turn, and the same message once more from the log
do $$
declare
    w uuid := promise.ordered('twice', 'skip');
    v_all text;
begin
    perform promise.keyed('twice', 'a1 a2');
    commit;
    assert promise.names(w) = 'a1';
    perform postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'terminal')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert promise.names(w) = 'a2';
    perform postrider.outbox_replay(d.id, null, 'test') from postrider.dead_letters d where d.channel = 'twice';
    commit;
    perform promise.seek('twice', '-infinity');
    commit;
    for i in 1..3 loop
        perform postrider.exchange_packed(w, 100);
        commit;
    end loop;
    perform promise.settle_all(w);
    commit;
    for i in 1..8 loop
        v_all := concat_ws(' ', v_all, nullif(promise.names(w), ''), nullif(promise.due(w), ''));
        perform promise.settle_all(w);
        commit;
    end loop;
    assert v_all = 'a1 a1 a2', v_all;
end
$$;

-- a message that was retried comes once more, and is cancelled: the next one of its key starts
do $$
declare
    w uuid := promise.ordered('cancelled');
begin
    perform promise.keyed('cancelled', 'a1 a2');
    commit;
    assert promise.names(w) = 'a1';
    perform postrider.settle(w, l.id, l.token, '{}', jsonb_build_array(jsonb_build_object('seq', l.members[1], 'outcome', 'transient')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert promise.due(w) = 'a1';
    commit;
    assert promise.names(w) = 'a2';
    perform promise.settle_all(w);
    commit;
    perform promise.seek('cancelled', '-infinity');
    commit;
    for i in 1..3 loop
        perform postrider.exchange_packed(w, 100);
        commit;
    end loop;
    perform postrider.cancel(jsonb_build_object('ids', jsonb_build_array(m.id)), 'test', 'a test')
    from postrider.message m where m.channel = 'cancelled' and m.payload ->> 'n' = 'a1';
    commit;
    assert promise.names(w) = 'a2';
    perform promise.settle_all(w);
    commit;
end
$$;
