-- Promises about ordered consumers:
--   of the messages of one ordering key one is handed out at a time, in the order of their numbers, whatever the order of transaction ids
--   other keys, and messages without a key, do not wait for it; nor does a consumer that is not ordered
--   a message that failed, was released or was held by a dead worker blocks its key until it ends; the next message starts in the same
--     transaction
--   a dead letter holds its key, is skipped, or holds it for a time, as the consumer says; replay and discard start the next one
--   cancel, redeliver, edit_and_replay, bury, remove_consumer, retention and outbox handle followers
--   a message with a key and a priority or an available_at is a dead letter
\ir ../include/promises.sql
\ir ../include/ordering.sql

-- taken(worker): claims, and returns the names handed out.
create function promise.taken(p_worker uuid, p_limit int default 100) returns text
    language sql
    as $$
    select coalesce(string_agg(c.payload ->> 'n', ' ' order by c.payload ->> 'n'), '') from postrider.claim(p_worker, p_limit) c
    $$;

-- done(worker, names, outcome): settles messages of open leases. Without names all of them.
create function promise.done(p_worker uuid, p_names text default null, p_outcome text default 'delivered') returns void
    language plpgsql
    as $$
declare
    l postrider.lease;
    v_seqs bigint[];
begin
    for l in select * from postrider.lease where worker_id = p_worker and finished_at is null order by id loop
        v_seqs := array(select m.seq from postrider.message m
                        where m.seq = any (l.members) and (p_names is null or m.payload ->> 'n' = any (string_to_array(p_names, ' '))));
        continue when v_seqs = '{}';
        if p_outcome = 'delivered' then
            perform postrider.settle(p_worker, l.id, l.token, v_seqs);
        else
            perform postrider.settle(p_worker, l.id, l.token, '{}', (
                select jsonb_agg(jsonb_build_object('seq', s, 'outcome', p_outcome, 'error', 'no')) from unnest(v_seqs) s));
        end if;
    end loop;
end
$$;

-- blocked(channel): 'key status followers' of each blocked key.
create function promise.blocked(p_channel text) returns text
    language sql
    as $$
    select coalesce(string_agg(format('%s %s %s', b.key, b.status, b.followers), ', ' order by b.key), '')
    from postrider.blocked_keys b where b.channel = p_channel
    $$;

create function promise.state(p_channel text, p_name text) returns text
    language sql
    as $$
    select string_agg(case when o.deleted_at is null then o.status else 'discarded' end, ',')
    from postrider.outbox o where o.channel = p_channel and o.payload ->> 'n' = p_name
    $$;

create function promise.delivery(p_channel text, p_name text) returns bigint
    language sql
    as $$ select d.id from postrider.delivery d where d.channel = p_channel and d.payload ->> 'n' = p_name $$;

-- a report and a claim in one call: keys that find no room in the claim start with the next ones
do $$
declare
    w uuid := promise.ordered('full');
    h postrider.handed_out;
    l postrider.lease;
    v_names text := '';
begin
    perform promise.keyed('full', 'a1 b1 c1 d1 e1 a2 b2 c2 d2 e2');
    commit;
    perform promise.taken(w, 1);
    for i in 1..8 loop
        select * into l from postrider.lease where worker_id = w and finished_at is null order by id limit 1;
        exit when l.id is null;
        v_names := v_names || ' ' || (select string_agg(m.payload ->> 'n', '' order by m.payload ->> 'n')
                                      from postrider.message m where m.seq = any (l.members));
        select e.* into h from postrider.exchange_waiting(w, 2, l.id, l.token) e;
        assert h.settled = 'settled', h.settled;
        commit;
    end loop;
    assert (select count(*) = 10 from postrider.outbox o where o.channel = 'full' and o.status = 'delivered'), v_names;
end
$$;

-- one of a key at a time, also for another worker; other keys and messages without one go on; the next is ready with the report
do $$
declare
    w uuid := promise.ordered('one');
    v uuid := promise.ordered('one');
begin
    perform promise.keyed('one', 'a1 b1 a2 -1 c1 a3 b2 -2');
    commit;
    assert promise.taken(w) = '-1 -2', promise.taken(w);
    commit;
    assert promise.taken(w) = 'a1 b1 c1';
    commit;
    assert promise.taken(v) = '', 'a2 and b2 wait for a1 and b1';
    assert promise.state('one', 'a2') = 'pending' and promise.state('one', 'a1') = 'in_flight' and promise.state('one', '-1') = 'in_flight';
    assert promise.blocked('one') = 'a in_flight 2, b in_flight 1', promise.blocked('one');
    commit;
    perform promise.done(w, 'a1');
    commit;
    assert promise.taken(v) = 'a2', 'part of a lease is enough';
    assert promise.state('one', 'a1') = 'delivered';
    commit;
    perform promise.done(w);
    commit;
    assert promise.taken(w) = 'b2';
    commit;
    perform promise.done(v);
    perform promise.done(w);
    commit;
    assert promise.taken(w) = 'a3';
    commit;
    perform promise.done(w);
    commit;
    assert promise.taken(w) = '' and promise.blocked('one') = '';
    assert not exists (select from postrider.delivery where channel = 'one') and not exists (select from postrider.follower);
    assert (select array_agg(distinct status) from postrider.outbox where channel = 'one') = '{delivered}';
    assert (select ordering from postrider.consumers where channel = 'one') = 'hold';
end
$$;

-- a consumer that is not ordered gets all of them at once
do $$
declare
    w uuid := promise.worker('plain');
begin
    perform promise.keyed('plain', 'a1 a2 a3');
    commit;
    assert promise.taken(w) = 'a1 a2 a3';
end
$$;

-- in the exchange of the report the next one is claimed; pieces of a segment are not handed out before all of it was noted
do $$
declare
    w uuid := promise.ordered('pieces');
    h record;
begin
    perform promise.keyed('pieces', 'a1 a2 -1 b1 b2 -2 c1');
    commit;
    select * into h from postrider.exchange_packed(w, 1);
    assert h.parked = 2 and h.lease_id is null, h;
    commit;
    assert not exists (select from postrider.exchange_waiting(w, 10) e where e.lease_id is not null), 'the segment is not read';
    commit;
    select * into h from postrider.exchange_packed(w, 10);
    assert h.parked >= 3 and h.lease_id is not null, h;
    perform postrider.settle(w, h.lease_id, h.lease_token);
    commit;
    assert promise.taken(w) = 'a1 b1 c1';
    commit;
    select e.* into h from postrider.lease l, postrider.exchange_waiting(w, 10, l.id, l.token) e
    where l.worker_id = w and l.finished_at is null;
    assert h.settled = 'settled' and h.lease_id is not null, h;
    assert (select cardinality(members) from postrider.lease where worker_id = w and id = h.lease_id) = 2, 'a2 and b2';
end
$$;

-- a failure blocks its key, and no other; so do released messages and those of a dead worker
do $$
declare
    w uuid := promise.ordered('fails');
    v uuid := promise.ordered('fails');
begin
    perform promise.keyed('fails', 'a1 b1 a2 b2 c1 c2');
    commit;
    assert promise.taken(w) = 'a1 b1 c1';
    commit;
    perform promise.done(w, 'a1', 'transient');
    perform promise.done(w, 'b1', 'interrupted');
    commit;
    assert promise.taken(v) = '';
    assert promise.blocked('fails') = 'a pending 1, b pending 1, c in_flight 1', promise.blocked('fails');
    update postrider.worker set alive_until = clock_timestamp() - interval '1 minute' where id = w;
    commit;
    perform postrider.reap();
    commit;
    assert promise.taken(v) = '' and promise.blocked('fails') = 'a pending 1, b pending 1, c pending 1', promise.blocked('fails');
    assert promise.due(v) = 'a1 b1 c1';
    commit;
    assert promise.taken(v) = 'a2 b2 c2' and promise.blocked('fails') = 'a in_flight 0, b in_flight 0, c in_flight 0' is not true;
    commit;
    perform promise.done(v);
    commit;
    assert promise.blocked('fails') = '' and not exists (select from postrider.follower);
end
$$;

-- several handlers: the key waits for all of them
do $$
declare
    w uuid := promise.ordered('both', 'hold', '[{"name": "test.one", "event_types": ["*"]}, {"name": "test.two", "event_types": ["*"]}]');
    l postrider.lease;
begin
    perform promise.keyed('both', 'a1 a2');
    commit;
    assert promise.taken(w) = 'a1';
    commit;
    select * into l from postrider.lease where worker_id = w and finished_at is null;
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(jsonb_build_object(
        'seq', l.members[1], 'handler', 'test.two', 'outcome', 'transient', 'error', 'no')));
    commit;
    assert promise.taken(w) = '';
    perform promise.due_now('both');
    assert promise.due(w) = 'a1';
    commit;
    assert promise.taken(w) = 'a2';
end
$$;

-- hold: a dead letter holds its key until it is replayed, discarded or edited
do $$
declare
    w uuid := promise.ordered('hold');
begin
    perform promise.keyed('hold', 'a1 a2 b1 b2 c1 c2 d1 d2');
    commit;
    assert promise.taken(w) = 'a1 b1 c1 d1';
    commit;
    perform promise.done(w, null, 'terminal');
    commit;
    assert promise.taken(w) = '' and promise.blocked('hold') = 'a failed 1, b failed 1, c failed 1, d failed 1';
    perform postrider.outbox_replay((select message_id from postrider.delivery where id = promise.delivery('hold', 'a1')), null, 'me');
    perform postrider.discard(jsonb_build_object('deliveries', jsonb_build_array(promise.delivery('hold', 'b1'))), 'me', 'test');
    perform postrider.edit_and_replay(promise.delivery('hold', 'c1'), '{"n": "c0"}', null, 'me', 'test');
    commit;
    assert promise.taken(w) = 'b2', 'the others wait for the new cycles';
    commit;
    assert promise.due(w) = 'a1 c0';
    commit;
    assert promise.taken(w) = 'a2 c2';
    commit;
    perform promise.done(w);
    commit;
    perform postrider.replay_start('{"channel": "hold"}', 'me', 'test');
    perform postrider.replay_step();
    commit;
    assert promise.due(w) = 'd1';
    commit;
    assert promise.taken(w) = 'd2';
    commit;
    perform promise.done(w);
    commit;
    assert promise.blocked('hold') = '' and not exists (select from postrider.follower);
end
$$;

-- skip: the followers go on, in the transaction of the death; a replay waits for its turn
do $$
declare
    w uuid := promise.ordered('skip', 'skip');
begin
    perform promise.keyed('skip', 'a1 a2 a3');
    commit;
    assert promise.taken(w) = 'a1';
    commit;
    perform promise.done(w, null, 'terminal');
    commit;
    assert promise.taken(w) = 'a2';
    commit;
    perform postrider.outbox_replay((select message_id from postrider.delivery where id = promise.delivery('skip', 'a1')), null, 'me');
    commit;
    assert promise.due(w) = '', 'a2 runs';
    perform promise.done(w);
    commit;
    assert promise.taken(w) = '' and promise.due(w) = 'a1', 'it has the lower number';
    commit;
    assert promise.taken(w) = 'a3';
    perform promise.done(w);
    commit;
    assert promise.blocked('skip') = '';
    perform promise.keyed('skip', '-1');
    commit;
    assert promise.taken(w) = '-1';
    perform promise.done(w, null, 'terminal');
    perform postrider.edit_and_replay(promise.delivery('skip', '-1'), '{"n": "-2"}', null, 'me', 'test');
    commit;
    assert promise.due(w) = '-2', 'a message without a key waits for none';
end
$$;

-- a consumer that begins to skip: the followers of its dead letters start
do $$
declare
    w uuid := promise.ordered('begins');
begin
    perform promise.keyed('begins', 'a1 a2 b1 b2');
    commit;
    assert promise.taken(w) = 'a1 b1';
    commit;
    perform promise.done(w, null, 'terminal');
    commit;
    assert promise.taken(w) = '';
    perform postrider.create_consumer('reader', 'begins', p_ordering => 'skip');
    commit;
    assert promise.taken(w) = 'a2 b2';
    perform promise.done(w);
    commit;
end
$$;

-- for a time
do $$
declare
    w uuid := promise.ordered('time', '2 hours');
begin
    perform promise.keyed('time', 'a1 a2');
    commit;
    assert promise.taken(w) = 'a1';
    commit;
    perform promise.done(w, null, 'terminal');
    commit;
    perform postrider.reap();
    assert promise.taken(w) = '' and promise.blocked('time') = 'a failed 1';
    assert (select ends_at - since from postrider.blocked_keys where channel = 'time') = interval '2 hours';
    update postrider.delivery set dead_at = dead_at - interval '2 hours' where channel = 'time';
    commit;
    perform postrider.reap();
    commit;
    assert promise.taken(w) = 'a2' and promise.state('time', 'a1') = 'failed';
end
$$;

-- cancelled followers and heads; redelivered and buried messages
do $$
declare
    w uuid := promise.ordered('operators');
begin
    perform promise.keyed('operators', 'a1 a2 a3 a4 b1 b2');
    commit;
    assert promise.taken(w) = 'a1 b1';
    commit;
    perform postrider.cancel(jsonb_build_object('ids', (select jsonb_agg(m.id) from postrider.message m
        where m.channel = 'operators' and m.payload ->> 'n' in ('a2', 'b1'))), 'me', 'test');
    commit;
    assert promise.taken(w) = 'b2', 'b1 was cancelled while it ran';
    perform promise.done(w);
    commit;
    assert promise.taken(w) = 'a3';
    commit;
    perform postrider.redeliver((select id from postrider.message where channel = 'operators' and payload ->> 'n' = 'a1'), 'reader',
                                'test.all', false, 'me', 'test', 'operators');
    commit;
    assert promise.due(w) = '', 'a3 runs';
    perform promise.done(w, null, 'interrupted');
    commit;
    perform postrider.bury(array[promise.delivery('operators', 'a3')], 'me', 'test');
    commit;
    assert promise.due(w) = '' and promise.taken(w) = '', 'a3 holds the key';
    perform postrider.discard('{"channel": "operators"}', 'me', 'test');
    commit;
    assert promise.due(w) = 'a1' and promise.state('operators', 'a2') = 'discarded';
    commit;
    assert promise.taken(w) = 'a4';
    perform promise.done(w);
    commit;
    assert promise.blocked('operators') = '';
end
$$;

-- with a priority or an available_at it cannot be ordered; it becomes a dead letter and holds no key
do $$
declare
    w uuid := promise.ordered('urgent');
begin
    perform postrider.publish('a', '{"n": "a1"}', p_channel => 'urgent', p_ordering_key => 'a', p_priority => 5);
    perform postrider.publish('a', '{"n": "-1"}', p_channel => 'urgent', p_priority => 5);
    perform promise.keyed('urgent', 'a2');
    commit;
    assert promise.taken(w) in ('-1', '-1 a2');
    commit;
    perform promise.done(w);
    perform promise.taken(w);
    perform promise.done(w);
    assert (select error_class from postrider.delivery where channel = 'urgent') = 'not_orderable';
    assert promise.state('urgent', 'a2') = 'delivered';
end
$$;

-- partitions with followers are kept, and so is the dead letter that they wait for; a consumer is removed with them
do $$
declare
    w uuid := promise.ordered('kept');
begin
    perform promise.keyed('kept', 'a1 a2');
    commit;
    perform promise.taken(w);
    perform promise.done(w, null, 'terminal');
    commit;
    delete from postrider.consumer c where c.channel <> 'kept';
    assert (select postrider.partition_holder(t.relname) from postrider.message m join pg_class t on t.oid = m.tableoid
            where m.channel = 'kept' limit 1) = 'reader';
    update postrider.delivery set dead_at = dead_at - interval '9 years' where channel = 'kept';
    perform postrider.retention_dead(1000, false);
    assert promise.state('kept', 'a1') = 'failed', 'a2 waits for it';
    perform postrider.cancel(jsonb_build_object('ids', (select jsonb_agg(m.id) from postrider.message m
        where m.channel = 'kept' and m.payload ->> 'n' = 'a2')), 'me', 'test');
    perform postrider.retention_dead(1000, false);
    assert promise.state('kept', 'a1') = 'discarded';
    rollback;
end
$$;

do $$
declare
    w uuid := promise.ordered('gone');
begin
    perform promise.keyed('gone', 'a1 a2');
    commit;
    perform promise.taken(w);
    perform postrider.unregister_worker(w);
    commit;
    perform promise.raises($sql$select postrider.remove_consumer('reader', 'me', 'test', 'gone')$sql$, 'PR012');
    assert (select r.pending from postrider.remove_consumer('reader', 'me', 'test', 'gone', true) r) = 1;
    commit;
    assert not exists (select from postrider.follower f where not exists (select from postrider.consumer c where c.id = f.consumer_id));
end
$$;

-- order can be turned on, from the cursor on, and off when nothing waits
do $$
declare
    w uuid := promise.worker('change');
begin
    perform promise.keyed('change', 'a1 a2');
    commit;
    assert promise.taken(w) = 'a1 a2';
    perform postrider.create_consumer('reader', 'change', p_ordering => 'hold');
    perform promise.keyed('change', 'a3 a4');
    commit;
    assert promise.taken(w) = 'a3';
    commit;
    perform promise.raises($sql$select postrider.create_consumer('reader', 'change', p_ordering => 'none')$sql$, 'PR012');
    perform promise.done(w);
    commit;
    assert promise.taken(w) = 'a4';
    perform promise.done(w);
    perform postrider.create_consumer('reader', 'change', p_ordering => 'none');
    perform promise.keyed('change', 'a5 a6');
    commit;
    assert promise.taken(w) = 'a5 a6';
    perform promise.raises($sql$select postrider.create_consumer('reader', 'change', p_ordering => 'sometimes')$sql$, 'PR001');
    perform promise.raises($sql$select postrider.create_consumer('reader', 'change', p_ordering => '-1 hour')$sql$, 'PR001');
end
$$;
