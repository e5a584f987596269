-- Promises about messages that wait, because they have a priority or an available_at:
--   they are handed out by priority and then by due time, never before they are due, and leave no trace when they succeed
--   they do not wait for the log, and the log does not wait for them; those of a priority below 0 wait until it is empty
--   a message of a low priority that has been due for a minute gets its share
--   large claims begin where the one before ended, and pass over nothing
--   a message whose row in the log was moved is found, and another row at its place is not mistaken for it
--   a message that failed, was released or was held by a dead worker becomes a delivery, for the handlers at the time it was handed out
--   outbox, redeliver, bury, reschedule, remove_consumer and the dropping of partitions handle them
\ir ../include/promises.sql

create function promise.waits(p_channel text, p_n int, p_priority int default 0, p_due interval default null) returns uuid
    language sql
    as $$
    select postrider.publish('a', jsonb_build_object('n', p_n), p_channel => p_channel, p_priority => p_priority,
                             p_available_at => clock_timestamp() + p_due)
    $$;

-- by priority, then by due time, never before they are due; no delivery is made
do $$
declare
    w uuid := promise.worker('sorted');
begin
    perform promise.waits('sorted', m.n, m.priority, m.due)
    from (values (1, 1, interval '0'), (2, 5, interval '-1 hour'), (3, 9, interval '1 hour'), (4, 5, interval '-2 hours'),
                 (5, 100, interval '-1 second'), (6, 0, interval '-1 day'), (7, 1, null), (8, -100, interval '-1 day'))
         as m(n, priority, due);
    commit;
    assert (select array_agg(o.status) from postrider.outbox o where o.channel = 'sorted') = array_fill('pending'::text, '{8}');
    assert promise.numbers(w) = '{5,4,2,1,7,6,8}';
    commit;
    assert (select array_agg(o.status || ' ' || (o.payload ->> 'n') order by o.seq) from postrider.outbox o
            where o.channel = 'sorted' and o.status <> 'in_flight') = '{pending 3}';
    perform postrider.settle(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert (select array_agg(distinct o.status) from postrider.outbox o where o.channel = 'sorted') = '{delivered,pending}';
    assert promise.numbers(w) = '{}';
    assert postrider.next_due(w) between clock_timestamp() + interval '59 minutes' and clock_timestamp() + interval '1 hour';
    assert not exists (select from postrider.delivery where channel = 'sorted');
    assert (select pending from postrider.consumers where channel = 'sorted') = 1;
end
$$;

-- a backlog of the log does not hold them up, nor they the log; below 0 they wait until it is empty
do $$
declare
    w uuid := promise.worker('overtakes');
begin
    perform promise.publish('overtakes', 30);
    perform promise.waits('overtakes', 100, 1);
    perform promise.waits('overtakes', 101, -1);
    perform promise.waits('overtakes', 102, 0, interval '1 hour') from generate_series(1, 100);
    perform promise.publish('overtakes', 1, 'last');
    commit;
    assert promise.numbers(w, 10) = '{1,2,3,4,5,6,7,8,9,10}';
    commit;
    assert promise.numbers(w, 10) = '{100}', 'the second claim is for those that wait';
    commit;
    assert promise.numbers(w, 100) = '{11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,1}';
    commit;
    assert promise.numbers(w, 10) = '{101}';
end
$$;

-- a tenth of a claim is for the message that has been due for longest
do $$
declare
    w uuid := promise.worker('starving');
begin
    perform promise.waits('starving', n, 9, interval '0') from generate_series(1, 50) n;
    perform promise.waits('starving', 100, -5, interval '-59 seconds');
    commit;
    assert not 100 = any (promise.numbers(w, 20));
    perform promise.waits('starving', 200, -5, interval '-61 seconds');
    commit;
    assert (select 200 = any (n) and cardinality(n) = 20 from promise.numbers(w, 20) n);
end
$$;

-- a failed message becomes a delivery, also of a handler that was registered after the message; the others leave no trace
do $$
declare
    w uuid := promise.worker('fails', '[{"name": "a.x", "event_types": ["a"], "retry": {"curve": "immediate"}}]');
    c record;
begin
    perform promise.waits('fails', n, 1) from generate_series(1, 3) n;
    commit;
    perform postrider.exchange_waiting(w, 1);
    w := promise.worker('fails', '[{"name": "a.x", "event_types": ["a"], "retry": {"curve": "immediate"}}, {"name": "b.x", "event_types": ["*"]}]');
    commit;
    select min(x.lease_id) as lease, (array_agg(x.lease_token))[1] as token, min(x.seq) as first, max(x.seq) as last
    into c from postrider.claim(w) x;
    commit;
    assert postrider.settle(w, c.lease, c.token, null, jsonb_build_array(
        jsonb_build_object('seq', c.first, 'handler', 'b.x', 'outcome', 'transient', 'error', 'no'),
        jsonb_build_object('seq', c.last, 'handler', 'a.x', 'outcome', 'terminal', 'error', 'never'))) = 'settled';
    commit;
    assert (select array_agg(d.handler || ' ' || d.status || ' ' || d.attempts || ' ' || d.priority order by d.seq, d.handler)
            from postrider.delivery d where d.channel = 'fails') = '{b.x pending 1 1,a.x failed 1 1}';
end
$$;

-- released or held by a dead worker: a delivery for each of the current handlers, uncharged
do $$
declare
    w uuid := promise.worker('back');
    l postrider.lease;
begin
    perform promise.waits('back', n, 1) from generate_series(1, 4) n;
    commit;
    perform postrider.claim(w, 2);
    perform postrider.claim(w, 2);
    select * into strict l from postrider.lease where worker_id = w and finished_at is null order by id limit 1;
    assert not exists (select from postrider.heartbeat(w, array[l.id])), 'it is still held';
    assert postrider.extend(w, l.id, l.token, '1 hour') = 'extended';
    assert postrider.release(w, l.id, l.token) = 'settled';
    perform postrider.unregister_worker(w);
    commit;
    assert (select leases from postrider.reap()) = 1;
    assert (select array_agg(d.status || ' ' || d.attempts order by d.seq) from postrider.delivery d where d.channel = 'back')
         = array_fill('pending 0'::text, '{4}');
end
$$;

-- a handler that was retired meanwhile keeps its messages, also ahead of the log's cursor
do $$
declare
    w uuid := promise.worker('retires', '[{"name": "a.x", "event_types": ["a"]}, {"name": "b.x", "event_types": ["b"]}]');
    c record;
begin
    perform promise.waits('retires', n, 1) from generate_series(1, 2) n;
    commit;
    select min(x.lease_id) as lease, (array_agg(x.lease_token))[1] as token, min(x.seq) as first into c from postrider.claim(w) x;
    perform postrider.retire_handler('reader', 'a.x', 'retires');
    commit;
    assert (select array_agg(o.handler || ' ' || o.status) from postrider.outbox o where o.channel = 'retires') = '{a.x in_flight,a.x in_flight}';
    assert postrider.settle(w, c.lease, c.token, '{}', jsonb_build_array(
        jsonb_build_object('seq', c.first, 'handler', 'a.x', 'outcome', 'transient'))) = 'open';
    assert postrider.release(w, c.lease, c.token) = 'settled';
    assert (select array_agg(d.handler || ' ' || d.attempts order by d.seq) from postrider.delivery d where d.channel = 'retires')
         = '{a.x 1,a.x 0}';
end
$$;

-- for no handler any more, or for one that the worker lacks: a delivery
do $$
declare
    w uuid := promise.worker('lacks', '[{"name": "a.x", "event_types": ["a"]}]');
    o uuid;
begin
    perform promise.waits('lacks', 1, 1);
    commit;
    perform postrider.pause_consumer('reader', true, 'lacks');
    assert promise.numbers(w) = '{}', 'the consumer is paused';
    perform postrider.pause_consumer('reader', false, 'lacks');
    o := promise.worker('lacks', '[{"name": "b.x", "event_types": ["a"]}]');
    commit;
    assert promise.numbers(w) = '{1}';
    commit;
    assert (select array_agg(d.handler) from postrider.delivery d where d.channel = 'lacks') = '{b.x}';
    perform promise.waits('lacks', 2, 1, interval '100 ms');
    commit;
    assert promise.numbers(w) = '{}';
    perform postrider.retire_handler('reader', h, 'lacks') from unnest('{a.x,b.x}'::text[]) h;
    commit;
    perform pg_sleep_until(postrider.next_due(w));
    assert promise.numbers(w) = '{}';
    commit;
    assert (select array_agg(d.handler order by d.id) from postrider.delivery d where d.channel = 'lacks') = '{b.x,""}';
end
$$;

-- each consumer has its own; a message to one of them is for that one
do $$
declare
    a uuid := promise.worker('both', p_consumer => 'a');
    b uuid := promise.worker('both', p_consumer => 'b');
begin
    perform promise.waits('both', 1, 1);
    perform postrider.publish('a', '{"n": 2}', p_channel => 'both', p_priority => 1, p_target => 'b');
    commit;
    assert promise.numbers(a) = '{1}';
    assert promise.numbers(b) = '{1,2}';
end
$$;

-- bury and reschedule: a message that waits gets deliveries for it, whether the cursor has reached it or not
do $$
declare
    w uuid := promise.worker('by_hand', '[{"name": "a.x", "event_types": ["*"]}, {"name": "a.y", "event_types": ["*"]}]');
    v_seen uuid := promise.waits('by_hand', 1, 7, interval '1 hour');
    v_other uuid := promise.waits('by_hand', 2, 7, interval '1 hour');
    v_new uuid;
begin
    commit;
    assert promise.numbers(w) = '{}', 'they are noted';
    v_new := promise.waits('by_hand', 3, 0, interval '2 hours');
    commit;
    assert postrider.bury(postrider.pending_deliveries(array[v_seen]), 'ann', 'not wanted') = 2;
    assert postrider.pending_deliveries(array[v_seen]) = '{}', 'they are dead';
    assert postrider.reschedule(postrider.pending_deliveries(array[v_new]), null, 'ann', 'now') = 2;
    commit;
    assert (select array_agg(distinct format('%s %s %s', o.payload ->> 'n', o.status, o.priority)) from postrider.outbox o
            where o.channel = 'by_hand') = '{1 failed 7,2 pending 7,3 pending 0}';
    assert (select array_agg(wa.seq) from postrider.waiting wa join postrider.message m on m.seq = wa.seq where m.channel = 'by_hand')
         = (select array_agg(m.seq) from postrider.message m where m.id = v_other), 'the others still wait';
    assert (select array_agg(d.id || d.handler order by d.handler) from postrider.claim_due(w) d) = array[v_new || 'a.x', v_new || 'a.y'];
    assert promise.numbers(w) = '{}';
end
$$;

-- redeliver: not while it waits; remove_consumer: not while something waits
do $$
declare
    w uuid := promise.worker('again');
    v_id uuid := promise.waits('again', 1, 1);
    v_later uuid := promise.waits('again', 2, 0, interval '1 hour');
begin
    commit;
    perform promise.raises(format('select postrider.redeliver(%L, %L, %L, false, %L, %L, %L)', v_id, 'reader', 'test.all', 'ann', 'x', 'again'),
                           'PR012');
    assert promise.drain(w) = 1;
    commit;
    perform promise.raises(format('select postrider.redeliver(%L, %L, %L, false, %L, %L, %L)', v_later, 'reader', 'test.all', 'ann', 'x', 'again'),
                           'PR012');
    assert postrider.redeliver(v_id, 'reader', 'test.all', false, 'ann', 'x', 'again') = 2;
    perform postrider.unregister_worker(w);
    commit;
    perform promise.raises($q$select postrider.remove_consumer('reader', 'ann', 'x', 'again')$q$, 'PR012');
    assert (select pending from postrider.remove_consumer('reader', 'ann', 'x', 'again', true)) = 2;
    assert not exists (select from postrider.waiting w where not exists (select from postrider.consumer c where c.id = w.consumer_id));
end
$$;

-- large claims begin where the one before ended; messages inserted before that place are late, but not lost
do $$
declare
    w uuid := promise.worker('continues');
    v_first bigint[];
    v_all bigint[] := '{}';
    h postrider.handed_out;
    i int := 0;
begin
    insert into postrider.message (channel, event_type, priority) select 'continues', 'a', 1 + n % 3 from generate_series(1, 900) n;
    commit;
    loop
        select e.* into h from postrider.exchange_waiting(w, 100, h.lease_id, h.lease_token) e;
        commit;
        exit when h.lease_id is null and i > 3;
        i := i + 1;
        v_first := (select l.members from postrider.lease l where l.consumer_id < 0 and l.id = h.lease_id);
        assert i > 2 or (select (l.taken_to).seq from postrider.lease l where l.id = h.lease_id) = v_first[100];
        assert i <> 3 or v_first[1] = (select m.seq from postrider.message m where m.channel = 'continues' and m.priority = 9), 'higher ones first';
        v_all := v_all || v_first;
        if i = 2 then
            insert into postrider.message (channel, event_type, priority) values ('continues', 'a', 9);
        elsif i = 3 then
            -- As if a row were inserted before that place.
            update postrider.waiting t set due_at = '-infinity'
            where t.seq = (select max(m.seq) from postrider.message m where m.channel = 'continues' and m.priority = 3);
        end if;
        commit;
    end loop;
    assert cardinality(v_all) = 901 and (select count(distinct s) from unnest(v_all) s) = 901, cardinality(v_all);
    assert v_all[1:100] = (select array_agg(m.seq order by m.published_at, m.seq)
                           from (select * from postrider.message m where m.channel = 'continues' and m.priority = 3 order by m.seq limit 100) m);
end
$$;

-- the place of a message's row is a hint: a row that was moved is found by the index, and another one in its place is not handed out
do $$
declare
    w uuid := promise.worker('moved');
begin
    perform promise.waits('moved', n, 1) from generate_series(1, 6) n;
    commit;
    assert promise.numbers(w, 1) = '{1}';
    commit;
    assert (select count(*) from postrider.waiting t join postrider.message m on m.seq = t.seq and m.ctid = t.place where m.channel = 'moved') = 5;
    assert promise.numbers(w, 1) = '{2}', 'found where it is';
    update postrider.message m set headers = '{"moved": true}' where m.channel = 'moved' and m.payload ->> 'n' = '3';
    update postrider.waiting t set place = (select m.ctid from postrider.message m where m.channel = 'moved' and m.payload ->> 'n' = '5')
    where t.seq = (select m.seq from postrider.message m where m.channel = 'moved' and m.payload ->> 'n' = '4');
    update postrider.waiting t set place = null
    where t.seq = (select m.seq from postrider.message m where m.channel = 'moved' and m.payload ->> 'n' = '6');
    commit;
    assert promise.numbers(w, 10) = '{3,4,5,6}';
end
$$;
