-- Promises about removing consumers:
--   a consumer without unhandled messages is removed, with all its rows; others stay
--   a consumer with a live worker is not removed, also with p_owed
--   a consumer with unhandled messages of any kind is not removed without p_owed
--   the audit has actor, reason and removed rows; without an actor or a reason nothing is removed
--   it holds back no partition of the log any more
--   a replay of its dead letters ends
--   a worker that reconnects has to register, and gets messages published from then on
--   the inbox entries of its handlers are kept
\ir ../include/promises.sql
\ir ../include/dead.sql

-- worker_of(channel): the worker of its consumer.
create function promise.worker_of(p_channel text) returns uuid
    language sql
    as $$ select worker from postrider.workers where channel = p_channel $$;

-- leave(worker): as if its heartbeat were overdue.
create function promise.leave(p_worker uuid) returns void
    language sql
    as $$
    update postrider.worker set alive_until = clock_timestamp() - interval '1 second' where id = p_worker
    $$;

-- a consumer without unhandled messages is removed, with all its rows; others stay
do $$
begin
    perform promise.worker('quiet');
    perform promise.worker('quiet', p_consumer => 'other');
    perform promise.publish('quiet', 3);
end
$$;
do $$
declare
    w uuid;
    v_id int;
begin
    select k.id, k.consumer_id into strict w, v_id
    from postrider.worker k join postrider.consumer c on c.id = k.consumer_id where c.channel = 'quiet' and c.name = 'reader';
    assert promise.drain(w) = 3;
    perform promise.leave(w);
    assert (select (pending, failed) = (0, 0) from postrider.remove_consumer('reader', 'ann', 'it was a trial', 'quiet'));
    assert not exists (select from postrider.consumer where id = v_id);
    assert not exists (select from postrider.handler where consumer_id = v_id);
    assert not exists (select from postrider.worker where consumer_id = v_id);
    assert not exists (select from postrider.lease where consumer_id = v_id);
    assert (select count(*) from postrider.consumers where channel = 'quiet') = 1;
    assert exists (select from postrider.lease l join postrider.consumer c on c.id = l.consumer_id where c.name = 'other');
    assert not exists (select from postrider.outbox where channel = 'quiet' and consumer = 'reader');
    perform promise.leave(k.id) from postrider.worker k join postrider.consumer c on c.id = k.consumer_id where c.name = 'other';
    perform promise.raises($q$select postrider.remove_consumer('reader', 'ann', 'again', 'quiet')$q$, 'PR003');
    perform promise.raises($q$select postrider.remove_consumer(null, 'ann', 'no name')$q$, 'PR003');
end
$$;

-- a consumer with a live worker is not removed, also with p_owed
do $$
declare
    w uuid := promise.worker('busy');
begin
    perform promise.raises($q$select postrider.remove_consumer('reader', 'ann', 'why not', 'busy', true)$q$, 'PR012');
    perform promise.leave(w);
    perform postrider.remove_consumer('reader', 'ann', 'why not', 'busy');
end
$$;

-- a consumer with unhandled messages of any kind is not removed without p_owed
create function promise.stays(p_channel text) returns boolean
    language plpgsql
    as $$
begin
    perform promise.leave(promise.worker_of(p_channel));
    perform promise.raises(format('select postrider.remove_consumer(%L, %L, %L, %L)', 'reader', 'ann', 'old', p_channel), 'PR012');
    perform promise.raises(
        format('select postrider.remove_consumer(%L, %L, %L, %L, null)', 'reader', 'ann', 'old', p_channel), 'PR012');
    return exists (select from postrider.consumers where channel = p_channel);
end
$$;
do $$
begin
    perform promise.worker('behind');
    perform promise.publish('behind', 1);
    assert promise.stays('behind');

    perform promise.worker('leased');
    perform promise.publish('leased', 1);
end
$$;
do $$
begin
    perform promise.numbers(promise.worker_of('leased'));
    assert promise.stays('leased');
end
$$;
do $$ begin perform promise.worker('failing'); perform promise.publish('failing', 2); end $$;
call promise.die(promise.worker_of('failing'), 'transient');
do $$ begin perform promise.worker('dead'); perform promise.publish('dead', 3); end $$;
call promise.die(promise.worker_of('dead'));
do $$
begin
    assert promise.stays('failing');
    assert promise.stays('dead');
    assert (select (pending, failed) = (2, 0) from postrider.remove_consumer('reader', 'ann', 'old', 'failing', true));
    assert (select (pending, failed) = (0, 3) from postrider.remove_consumer('reader', 'ann', 'old', 'dead', true));
    perform postrider.remove_consumer('reader', 'ann', 'old', c, true) from unnest(array['behind', 'leased']) as c;
    assert not exists (select from postrider.delivery where channel in ('failing', 'dead'));
    assert not exists (select from postrider.circuit k where not exists (select from postrider.consumer c where c.id = k.consumer_id));
    assert (select coalesce(sum(g.count), 0) from postrider.dead_letter_groups g where g.consumer = 'reader') = 0;
end
$$;

-- the audit has actor, reason and removed rows; without an actor or a reason nothing is removed
do $$
begin
    assert (select (actor, reason, filter, before ->> 'failed') = ('ann', 'old', '{"channel": "dead", "consumer": "reader"}', '3')
            from postrider.audits where action = 'remove_consumer' and filter ->> 'channel' = 'dead');
    perform postrider.create_consumer('reader', 'unsaid');
    perform promise.raises($q$select postrider.remove_consumer('reader', 'ann', ' ', 'unsaid')$q$, 'PR001');
    perform promise.raises($q$select postrider.remove_consumer('reader', null, 'why', 'unsaid')$q$, 'PR001');
    assert exists (select from postrider.consumers where channel = 'unsaid');
end
$$;

-- it holds back no partition of the log any more
do $$ begin perform postrider.create_consumer('holder', 'held'); perform promise.publish('held', 1); end $$;
do $$
declare
    v_partition text := (select c.relname from postrider.message m join pg_class c on c.oid = m.tableoid where m.channel = 'held');
begin
    perform postrider.remove_consumer('other', 'ann', 'it has seen enough', 'quiet', true);
    assert postrider.partition_holder(v_partition) = 'holder';
    perform postrider.remove_consumer('holder', 'ann', 'not read', 'held', true);
    assert postrider.partition_holder(v_partition) is null;
end
$$;

-- a replay of its dead letters ends
do $$ begin perform promise.worker('replayed'); perform promise.publish('replayed', 2); end $$;
call promise.die(promise.worker_of('replayed'));
do $$
declare
    v_replay bigint := postrider.replay_start('{"channel": "replayed"}', 'ann', 'mended');
begin
    assert (select moved from postrider.replay_step(p_replay => v_replay)) = 2;
    perform promise.leave(promise.worker_of('replayed'));
    assert (select (pending, failed) = (2, 0) from postrider.remove_consumer('reader', 'ann', 'not worth it', 'replayed', true));
    assert (select phase from postrider.replay_step(p_replay => v_replay)) = 'finished';
    assert (select array_agg(distinct outcome || ' ' || note) from postrider.replay_items where replay = v_replay)
        = array['cancelled its consumer was removed'];
end
$$;

-- a worker that reconnects has to register, and gets messages published from then on
do $$ begin perform promise.worker('again'); perform promise.publish('again', 5); end $$;
do $$
declare
    w uuid := promise.worker_of('again');
begin
    perform promise.leave(w);
    perform postrider.remove_consumer('reader', 'ann', 'away', 'again', true);
    perform promise.raises(format('select postrider.claim(%L, 10)', w), 'PR004');
end
$$;
do $$ begin perform promise.worker('again'); perform promise.publish('again', 2); end $$;
do $$ begin assert promise.numbers(promise.worker_of('again')) = '{1,2}'; end $$;

-- the inbox entries of its handlers are kept
do $$
begin
    perform promise.worker('known');
    assert postrider.handle_once(row('reader', 'test.all', '', 'order 42'));
    perform promise.leave(promise.worker_of('known'));
    perform postrider.remove_consumer('reader', 'ann', 'moved', 'known');
    perform promise.worker('known');
    assert not postrider.handle_once(row('reader', 'test.all', '', 'order 42'));
end
$$;
