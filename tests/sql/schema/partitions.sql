-- Promises about the partitions of the log:
--   they are made ahead of time; making them again does nothing
--   publishing never waits for maintenance: the tail stores messages that no partition covers, and when the tail becomes a
--     partition its messages stay, readable and claimable
--   a partition is dropped only when no consumer needs a message of it; the answer names the consumers
--   maintain() removes old finished leases, never an open one and never a consumer's cursor
\ir ../include/promises.sql

-- they are made ahead of time; making them again does nothing
do $$
declare
    v_before text[];
    v_last timestamptz;
begin
    select array_agg(name) into v_before from postrider.partitions();
    assert cardinality(v_before) >= 7, v_before;
    assert (select count(*) from postrider.ensure_partitions()) = 0;
    assert (select count(*) from postrider.maintain()) = 0;
    assert v_before = (select array_agg(name) from postrider.partitions());
    assert v_before[cardinality(v_before)] = 'message_tail';
    assert (select from_at > clock_timestamp() + interval '7 days' and to_at = 'infinity'
            from postrider.partitions() where name = 'message_tail');
    -- No gaps and no overlaps, from the beginning of time to its end.
    assert (select bool_and(p.from_at = p.prev_to) from (
                select from_at, lag(to_at, 1, '-infinity') over (order by from_at) as prev_to
                from postrider.partitions()) p);
end
$$;

-- more of them when asked for more
do $$
declare
    v_count int;
begin
    update postrider.setting set value = '9' where name = 'partitions_ahead';
    select count(*) into v_count from postrider.ensure_partitions();
    assert v_count = 2, v_count;
    assert (select count(*) from postrider.ensure_partitions()) = 0;
    assert (select bool_and(p.from_at = p.prev_to) from (
                select from_at, lag(to_at, 1, '-infinity') over (order by from_at) as prev_to
                from postrider.partitions()) p);
    assert (select bool_and(pg_get_userbyid(c.relowner) = 'postrider_owner') from pg_class c
            where c.relname like 'message\_%' and c.relnamespace = 'postrider'::regnamespace);
end
$$;

-- as if maintenance had never run: one tail for all times
create function promise.only_tail() returns void
    language plpgsql
    as $$
declare
    p record;
begin
    for p in select name from postrider.partitions() loop
        execute format('drop table postrider.%I', p.name);
    end loop;
    create table postrider.message_tail partition of postrider.message for values from (minvalue) to (maxvalue);
    alter table postrider.message_tail owner to postrider_owner;
end
$$;

-- the tail takes everything, and becoming a partition it keeps everything
select promise.only_tail();
do $$
declare
    w uuid := promise.worker('tail');
    v_made text[];
begin
    perform promise.publish('tail', 20);
    commit;
    assert promise.numbers(w, 5) = '{1,2,3,4,5}';
    commit;
    assert (select count(*) from postrider.message_tail) = 20;
    select array_agg(e) into v_made from postrider.ensure_partitions() e;
    commit;
    assert cardinality(v_made) >= 9, v_made;
    assert (select count(*) from postrider.message_tail) = 0;
    assert (select count(*) from postrider.message where channel = 'tail') = 20;
    perform postrider.publish('x', '{"n": 21}', p_channel => 'tail');
    commit;
    assert promise.numbers(w, 5) = '{6,7,8,9,10}';
    commit;
    assert cardinality(promise.numbers(w)) + cardinality(promise.numbers(w)) = 11;
    assert (select count(distinct seq) from postrider.message where channel = 'tail') = 21;
    assert not exists (select from postrider.ensure_partitions());
end
$$;

-- a tail that was reached although maintenance ran once becomes a partition too, and so does the next
do $$
declare
    p record;
    v_made text[];
begin
    for p in select * from postrider.partitions() where from_at > clock_timestamp() or to_at > clock_timestamp() loop
        execute format('drop table postrider.%I', p.name);
    end loop;
    execute format('create table postrider.message_tail partition of postrider.message for values from (%L) to (maxvalue)',
                   clock_timestamp() - interval '1 hour');
    alter table postrider.message_tail owner to postrider_owner;
    perform promise.publish('tail', 3);
    commit;
    for i in 1..2 loop
        select array_agg(e) into v_made from postrider.ensure_partitions() e;
        commit;
    end loop;
    assert v_made is null, v_made;
    assert (select count(*) from postrider.message_tail) = 0;
    assert (select count(*) from postrider.message where channel = 'tail' and event_type = 'test.happened') = 3;
end
$$;

-- a partition is dropped only when no consumer needs a message of it
select promise.only_tail();
alter table postrider.message detach partition postrider.message_tail;
do $$
declare
    v_now timestamptz := date_trunc('minute', clock_timestamp());
begin
    execute format('create table postrider.message_p1 partition of postrider.message for values from (minvalue) to (%L)',
                   v_now - interval '2 days');
    execute format('create table postrider.message_p2 partition of postrider.message for values from (%L) to (%L)',
                   v_now - interval '2 days', v_now - interval '1 day');
    execute format('alter table postrider.message attach partition postrider.message_tail for values from (%L) to (maxvalue)',
                   v_now - interval '1 day');
    alter table postrider.message_p1 owner to postrider_owner;
    alter table postrider.message_p2 owner to postrider_owner;
end
$$;
do $$
declare
    a uuid := promise.worker('drop', p_consumer => 'a', p_from_beginning => true);
    b uuid := promise.worker('drop', '[{"name": "b.x", "event_types": ["nothing"]}]', 'b', p_from_beginning => true);
    other uuid := promise.worker('other_channel', p_consumer => 'c');
    l postrider.lease;
    r record;
    v_dropped text[];
begin
    insert into postrider.message (channel, event_type, payload, published_at)
    select 'drop', 'x', jsonb_build_object('n', n), clock_timestamp() - d from (
        values (1, interval '60 hours'), (2, interval '59 hours'), (3, interval '36 hours'), (4, interval '0')) v(n, d);
    commit;
    select * into strict r from postrider.drop_partitions(clock_timestamp() - interval '2 days');
    assert r.partition = 'message_p1' and not r.dropped and r.held_by in ('a', 'b'), r;
    -- b passes everything over, a reads but does not settle.
    assert promise.numbers(b) = '{}';
    assert promise.numbers(a) = '{1,2,3,4}';
    commit;
    assert (select array_agg(p.partition || p.dropped || p.held_by order by p.partition)
            from postrider.drop_partitions(clock_timestamp()) p) = '{message_p1falsea,message_p2falsea}',
        'an open lease holds its partitions';
    l := promise.newest_lease(a);
    perform postrider.settle(a, l.id, l.token, l.members[1:1], jsonb_build_array(
        jsonb_build_object('seq', l.members[2], 'outcome', 'terminal')));
    commit;
    select array_agg(p.partition || p.dropped || coalesce(p.held_by, '') order by p.partition) into v_dropped
    from postrider.drop_partitions(clock_timestamp()) p;
    assert v_dropped = '{message_p1true,message_p2falsea}', v_dropped;
    commit;
    assert (select count(*) from postrider.outbox where status = 'failed' and payload ->> 'n' = '2') = 1,
        'dropping an old partition never takes a dead letter with it';
    assert (select count(*) from postrider.message where channel = 'drop') = 2;
    assert postrider.settle(a, l.id, l.token) = 'settled';
    commit;
    select * into strict r from postrider.drop_partitions('infinity');
    assert r.partition = 'message_p2' and r.dropped, 'only what has ended can go';
    commit;
    assert not exists (select from postrider.drop_partitions('infinity'));
    assert (select array_agg(name) from postrider.partitions()) = '{message_tail}';
    perform postrider.publish('x', '{"n": 5}', p_channel => 'drop');
    commit;
    assert promise.numbers(a) = '{5}';
end
$$;

-- an old snapshot does not show messages published since: it drops nothing, and the rest of the maintenance continues
do $$
begin
    execute format('create table postrider.message_p0 partition of postrider.message for values from (minvalue) to (%L)',
                   clock_timestamp() - interval '90 days');
    alter table postrider.message_p0 owner to postrider_owner;
    insert into postrider.alert (at, handler_name, consumer, channel)
    select clock_timestamp() - interval '40 days', 'test.all', 'reader', 'drop';
end
$$;
begin isolation level repeatable read;
do $$
begin
    perform promise.raises($q$select postrider.drop_partitions('infinity')$q$, 'PR005');
    assert (select array_agg(r.entity || ' ' || r.action order by r.entity) from postrider.retention_run() r)
        = '{"alert removed","outbox skipped"}';
    perform postrider.maintain();
    assert to_regclass('postrider.message_p0') is not null;
end
$$;
commit;
do $$
begin
    assert (select array_agg(r.action) from postrider.retention_run() r) = '{dropped}';
end
$$;

-- maintain() removes old finished leases, never an open one and never a consumer's cursor
do $$
declare
    w uuid := promise.worker('ledger');
    forgotten uuid := promise.worker('ledger');
    holding uuid := promise.worker('ledger');
    done uuid := promise.worker('ledger_two');
    silent uuid := promise.worker('ledger_two');
    v_kept bigint;
    v_newest bigint;
    v_open bigint;
begin
    perform promise.publish('ledger', 6);
    commit;
    perform postrider.claim(holding, 1);
    v_open := (promise.newest_lease(w)).id;
    assert promise.drain(w, 1) = 5;
    v_newest := (promise.newest_lease(w)).id;
    update postrider.lease l set finished_at = finished_at - interval '2 days', claimed_at = claimed_at - interval '2 days'
    from postrider.consumer c where c.id = l.consumer_id and c.channel = 'ledger';
    update postrider.worker set alive_until = clock_timestamp() - interval '2 days' where id in (forgotten, holding, done);
    update postrider.worker set alive_until = clock_timestamp() - interval '1 minute' where id = silent;
    -- Another consumer's leases are newer than this one's cursor.
    perform promise.publish('ledger_two', 2);
    commit;
    assert promise.drain(done, 1) = 2;
    select count(*) into v_kept from postrider.lease l join postrider.consumer c on c.id = l.consumer_id
    where c.channel = 'ledger_two';
    commit;
    perform postrider.maintain();
    commit;
    assert (select count(*) from postrider.lease l join postrider.consumer c on c.id = l.consumer_id
            where c.channel = 'ledger_two') = v_kept, 'what has just finished is kept for a while';
    assert not exists (select from postrider.worker where id = done), 'it holds nothing';
    assert exists (select from postrider.worker where id = silent), 'it has been silent for a minute only';
    assert (select array_agg(l.id order by l.id) from postrider.lease l join postrider.consumer c on c.id = l.consumer_id
            where c.channel = 'ledger') = array[v_open, v_newest];
    assert not exists (select from postrider.worker where id = forgotten);
    assert exists (select from postrider.worker where id = holding), 'a worker that still holds a lease is reaped first';
    perform postrider.publish('x', '{"n": 7}', p_channel => 'ledger');
    commit;
    assert promise.numbers(w) = '{7}', 'the cursor must not be lost';
end
$$;

-- finished leases go in slices, the oldest first, an hour after their end
do $$
declare
    w uuid := promise.worker('slices');
    v_all bigint[];
    v_consumer int := (select consumer_id from postrider.worker where id = w);
begin
    perform postrider.retention_run();  -- leases that the promises above left
    perform promise.publish('slices', 8);
    commit;
    assert promise.drain(w, 1) = 8;
    select array_agg(id order by id) into v_all from postrider.lease where consumer_id = v_consumer;
    update postrider.lease
    set finished_at = clock_timestamp() - interval '61 minutes', claimed_at = clock_timestamp() - interval '62 minutes'
    where consumer_id = v_consumer and id <= v_all[6];
    commit;
    assert (select r.things from postrider.retention_run(4, true) r where r.entity = 'lease' and r.action = 'removed') = 4;
    assert (select r.things from postrider.retention_run(4) r where r.entity = 'lease') = 4;
    assert array(select id from postrider.lease where consumer_id = v_consumer order by id) = v_all[5:];
    -- finished a moment ago, however long it was held
    update postrider.lease set finished_at = clock_timestamp() where consumer_id = v_consumer and id = v_all[5];
    assert (select r.things from postrider.retention_run(4) r where r.entity = 'lease') = 1;
    assert array(select id from postrider.lease where consumer_id = v_consumer order by id) = v_all[5:5] || v_all[7:];
    assert not exists (select from postrider.retention_run(4) r where r.entity = 'lease');
end
$$;

-- a large tail becomes a partition in steps, and no step scans it under a lock that stops publishing
select promise.only_tail();
-- A step is skipped while autovacuum holds the table, and the next call repeats it; the steps are counted here.
alter table postrider.message_tail set (autovacuum_enabled = off);
insert into postrider.message (event_type, payload) select 'large', '{"text": "some payload of a hundred bytes or more, so that few rows make many pages"}'
from generate_series(1, 60000);
do $$
declare
    v_valid boolean[] := '{}';
    v_made int;
begin
    for i in 1..3 loop
        select count(*) into v_made from postrider.ensure_partitions();
        commit;
        v_valid := v_valid || (select convalidated from pg_constraint
                               where conrelid = 'postrider.message_tail'::regclass and conname = 'message_tail_bound');
        perform promise.publish('steps', 1);
        commit;
    end loop;
    assert v_valid = array[false, true, null], v_valid;
    assert v_made > 0;
    assert (select count(*) from postrider.message_tail) = 0;
    assert (select count(*) from postrider.message where event_type = 'large') = 60000;
    assert not exists (select from pg_constraint where conname = 'message_tail_bound');
end
$$;
