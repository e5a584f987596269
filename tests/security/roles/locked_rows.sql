-- Promises about rows that an open transaction of another role keeps locked:
--   a worker that sends a heartbeat, or reports a lease again, and does not commit keeps only its own rows from maintenance
--   retention and maintenance do not wait for locked rows of any table: they remove the others, however many are locked and however small
--   the slices are, report only the removed ones, and remove the locked ones after the transaction has ended
--   a dead letter whose set, or whose row in the set, is locked is kept, and the others are soft deleted
--   members that were marked are counted while another member of their set is locked, and counted once
--   an alert of a long queue that another maintainer has just ended delays no other one
--   replays whose dead letters are locked delay a step of the others by half a second in all
--   a dry run of retention locks nothing, and does not keep others from retention
--   a step that meets a locked table says so, and the other steps go on
\ir ../../sql/include/promises.sql
create extension dblink;
grant all on all functions in schema promise to public;
drop role if exists test_locked_eve;
create role test_locked_eve login in role postrider_worker;
select dblink_connect('eve', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                    current_setting('port'), session_user, current_database())) \g /dev/null

-- A wait without a bound of its own ends the test.
set lock_timeout = '5s';

-- keep(sql): the other session runs a query in a transaction and leaves the transaction open.
create function promise.keep(p_sql text) returns void
    language plpgsql
    as $$
begin
    perform dblink_exec('eve', 'begin');
    perform from dblink('eve', 'with q as materialized (' || p_sql || ') select count(*) from q') as t(n bigint);
end
$$;

-- The log begins in 2000: older messages have been removed.
do $$
declare
    v_first record;
begin
    select * into strict v_first from postrider.partitions() where from_at = '-infinity';
    execute format('alter table postrider.message detach partition postrider.%I', v_first.name);
    execute format('alter table postrider.message attach partition postrider.%I for values from (%L) to (%L)', v_first.name, '2000-01-01', v_first.to_at);
end
$$;

-- a heartbeat of a worker that counted as dead, and a second report of a lease
select dblink_exec('eve', 'set session authorization test_locked_eve') \g /dev/null
set session authorization test_locked_eve;
select set_config('promise.e', promise.worker('mine', p_consumer => 'eve')::text, false) \g /dev/null
reset session authorization;
do $$
declare
    v_eve uuid := current_setting('promise.e');
    v_began timestamptz;
    l postrider.lease;
begin
    for i in 1..4 loop
        perform promise.publish('mine', 1);
        commit;
        perform promise.drain(v_eve);
        commit;
    end loop;
    perform promise.worker('theirs', p_consumer => 'pay');
    update postrider.worker set alive_until = now() - interval '2 days';
    update postrider.lease set claimed_at = claimed_at - interval '90 days', finished_at = finished_at - interval '90 days';
    commit;
    perform promise.keep(format('select * from postrider.heartbeat(%L)', v_eve));
    v_began := clock_timestamp();
    assert exists (select from postrider.maintain() m where m = 'forgot 1 workers');
    assert clock_timestamp() - v_began < interval '5 s', 'maintain() waited for a heartbeat';
    assert (select array_agg(id) = array[v_eve] from postrider.worker);
    perform dblink_exec('eve', 'rollback');
    rollback;
    select * into strict l from postrider.lease where worker_id = v_eve order by id limit 1;
    perform promise.keep(format('select postrider.settle(%L, %s, %L)', v_eve, l.id, l.token));
    v_began := clock_timestamp();
    assert exists (select from postrider.retention_run() r where r.entity = 'lease' and r.things >= 2);
    assert clock_timestamp() - v_began < interval '5 s', 'retention_run() waited for a report';
    perform dblink_exec('eve', 'rollback');
    commit;
    assert exists (select from postrider.retention_run() r where r.entity = 'lease' and r.things = 1);
end
$$;
select dblink_exec('eve', 'reset session authorization') \g /dev/null

-- delivery(status, set_id): a delivery that ended a year ago.
create function promise.delivery(p_status text, p_set_id bigint default null) returns bigint
    language sql
    as $$
    insert into postrider.delivery (
        consumer_id, handler, max_attempts, max_crashes, available_at, created_at, seq, published_at, message_id, channel, event_type, event_version,
        occurred_at, source, payload, idempotency_key, priority, status, delivered_at, dead_at, set_id)
    select postrider.create_consumer('reader', 'kept'), 'test.all', 5, 3, t.at, t.at, nextval(pg_get_serial_sequence('postrider.message', 'seq')),
           '1999-12-31', gen_random_uuid(), 'kept', 'x', 1, t.at, '', '{}', gen_random_uuid()::text, 0, p_status,
           case p_status when 'delivered' then t.at end, case p_status when 'failed' then t.at end, p_set_id
    from (select clock_timestamp() - interval '1 year' as at) t
    returning seq
    $$;

-- kind: make five rows; lock the first three of `rows`, which lists all that are still to be removed.
create table promise.kind (name text, make text, rows text, said text);
insert into promise.kind values
    ('lease', $q$insert into postrider.lease overriding system value
                 select (jsonb_populate_record(l, jsonb_build_object('id', -n))).* from postrider.lease l, generate_series(1, 5) n
                 where l.id = (select max(id) from postrider.lease)$q$,
     'select * from postrider.lease where id < 0 order by id', 'lease removed'),
    ('lease_mark', $q$insert into postrider.lease_mark select id, n, '{}' from postrider.consumer, generate_series(1, 6) n where name = 'eve'$q$,
     'select * from postrider.lease_mark where upto < 6 order by upto', null),
    ('job_progress', $q$insert into postrider.job_progress (message_id, consumer_id, handler, created_at)
                        select gen_random_uuid(), 1, 'a.b', timestamptz '1999-01-01' + make_interval(days => n) from generate_series(1, 5) n$q$,
     'select * from postrider.job_progress order by created_at', 'job_progress removed'),
    ('job_set', $q$insert into postrider.job_set (name, message, dead, completed_at)
                   select 'old' || n, '{}', 'ends', now() - interval '1 year' + make_interval(days => n) from generate_series(1, 5) n$q$,
     'select * from postrider.job_set order by id', 'job_set removed'),
    ('alert', $q$insert into postrider.alert (at, handler_name, consumer, channel)
                 select now() - interval '1 year', 'a.b', 'eve', 'mine' from generate_series(1, 5)$q$,
     'select * from postrider.alert order by id', 'alert removed'),
    ('alert_sending', $q$with a as (insert into postrider.alert (at, handler_name, consumer, channel)
                                    select now() - interval '1 year', 'a.b', 'eve', 'mine' from generate_series(1, 5) returning id)
                         insert into postrider.alert_sending (target, alert_id, consumer, available_at) select t, id, 'eve', now() from a, unnest('{ops,team}'::text[]) t$q$,
     $q$select * from postrider.alert_sending where target = 'ops' order by alert_id$q$, 'alert removed'),
    ('alert_target', $q$insert into postrider.alert_target (name, seen_at) select 'unused' || n, now() - interval '1 year' from generate_series(1, 5) n$q$,
     'select * from postrider.alert_target order by name', null),
    ('alert_configuration', $q$with t as (insert into postrider.alert_target (name, seen_at)
                                          select 'unused' || n, now() - interval '1 year' from generate_series(1, 5) n returning name)
                               insert into postrider.alert_configuration select name, 'x', now(), now() from t$q$,
     'select * from postrider.alert_configuration order by target', null),
    ('replay', $q$insert into postrider.replay (phase, actor, reason, filter, canary, canary_passed, tokens_at, total, ended_at, counts)
                  select 'finished', 'a', 'b', '{}', 0, true, now(), 1, now() - interval '2 years', '{0,0,0,0}' from generate_series(1, 5)$q$,
     'select * from postrider.replay order by id', 'replay removed'),
    ('replay_item', $q$with r as (insert into postrider.replay (phase, actor, reason, filter, canary, canary_passed, tokens_at, total, ended_at, counts)
                                  select 'finished', 'a', 'b', '{}', 0, true, now(), 1, now() - interval '2 years', '{0,0,0,0}' from generate_series(1, 5) returning id)
                       insert into postrider.replay_item (replay_id, delivery_id, number, message_id, cycle) select id, 1, 1, gen_random_uuid(), 1 from r$q$,
     'select * from postrider.replay_item order by replay_id', 'replay removed'),
    ('audit', $q$insert into postrider.audit (at, actor, action, reason) select now() - interval '10 years', 'a', 'b', 'c' from generate_series(1, 5)$q$,
     $q$select * from postrider.audit where at < now() - interval '5 years' order by id$q$, 'audit removed'),
    ('event_handled', $q$insert into postrider.event_handled select 'eve', 'a.b', '', n::text, now() - interval '1 year' from generate_series(1, 5) n$q$,
     'select * from postrider.event_handled order by idempotency_key', 'event_handled removed'),
    ('delivered', $q$select promise.delivery('delivered') from generate_series(1, 5)$q$,
     'select * from postrider.delivery where deleted_at is null order by id', 'outbox soft_deleted'),
    ('dead', $q$select promise.delivery('failed') from generate_series(1, 5)$q$,
     'select * from postrider.delivery where deleted_at is null order by id', 'dead_letter soft_deleted'),
    ('deleted', $q$with d as (select promise.delivery('delivered') as seq, n from generate_series(1, 5) n)
                   select count(seq) from d$q$,
     'select * from postrider.delivery order by id', 'outbox removed'),
    ('unique_job', $q$insert into postrider.unique_job (consumer_id, handler, key, scope, message_id, seq, expires_at)
                      select 1, 'a.b', n::text, 'period', gen_random_uuid(), n, now() - interval '1 day' from generate_series(1, 5) n$q$,
     'select * from postrider.unique_job order by key', null);

do $$
declare
    v_began timestamptz;
    v_found int;
    v_said bigint;
    v_left int;
    k promise.kind;
begin
    for k in select * from promise.kind loop
        execute k.make;
        if k.name = 'deleted' then
            update postrider.delivery set deleted_at = now() - interval '100 days' + make_interval(secs => id);
        end if;
        commit;
        execute format('select count(*) from (%s) r', k.rows) into v_found;
        assert v_found = 5, k.name;
        perform promise.keep(k.rows || ' limit 3 for update');
        v_said := 0;
        for i in 1..8 loop
            v_began := clock_timestamp();
            v_said := v_said + coalesce((select sum(r.things) from postrider.retention_run(2) r where r.entity || ' ' || r.action = k.said), 0);
            perform postrider.expire_keys();
            assert clock_timestamp() - v_began < interval '5 s', k.name || ': retention waited';
            commit;
        end loop;
        execute format('select count(*) from (%s) r', k.rows) into v_left;
        assert v_left = 3, format('%s: 3 are locked, %s are left', k.name, v_left);
        assert v_said = 2 or k.said is null, format('%s: 2 are removed, the runs said %s', k.name, v_said);
        perform dblink_exec('eve', 'rollback');
        update postrider.retention_progress set place = 0;
        commit;
        -- As many would be removed now as are left; nothing of it is locked afterwards.
        v_said := coalesce((select sum(r.things) from postrider.retention_run(1000, true) r where r.entity || ' ' || r.action = k.said), 0);
        assert v_said = 3 or k.said is null, format('%s: 3 are due, the dry run said %s', k.name, v_said);
        perform promise.keep(k.rows || ' for update nowait');
        perform dblink_exec('eve', 'rollback');
        perform from dblink('eve', 'select count(*) from postrider.retention_run()') as t(n bigint);
        commit;
        for i in 1..8 loop
            perform postrider.retention_run(2), postrider.expire_keys();
            commit;
        end loop;
        execute format('select count(*) from (%s) r', k.rows) into v_left;
        assert v_left = 0, format('%s: %s are left', k.name, v_left);
        delete from postrider.delivery;
        delete from postrider.alert_target;
        commit;
    end loop;
end
$$;

-- dead letters that are members of sets
create function promise.members(p_sets int) returns void
    language sql
    as $$
    with s as (
        insert into postrider.job_set (name, message, dead)
        select 's' || n, '{"event_type": "done", "channel": "done"}', 'blocks' from generate_series(1, p_sets) n returning id
    )
    insert into postrider.set_member (seq, set_id, consumer_id, message_id)
    select promise.delivery('failed', id), id, 1, gen_random_uuid() from s
    $$;
do $$
declare
    v_began timestamptz;
    v_rows text;
begin
    foreach v_rows in array '{job_set order by id,set_member order by seq}'::text[] loop
        perform promise.members(5);
        commit;
        perform promise.keep(format('select * from postrider.%s limit 3 for update', v_rows));
        for i in 1..8 loop
            v_began := clock_timestamp();
            perform postrider.retention_run(2);
            assert clock_timestamp() - v_began < interval '5 s', v_rows || ': retention waited';
            commit;
        end loop;
        assert (select count(*) = 3 from postrider.delivery where deleted_at is null), v_rows;
        assert (select count(*) = 3 from postrider.job_set where completed_at is null), v_rows;
        perform dblink_exec('eve', 'rollback');
        for i in 1..8 loop
            perform postrider.retention_run(2);
            commit;
        end loop;
        assert (select count(*) = 5 and bool_and(completed_at is not null and ended = 1 and failed = 1) from postrider.job_set), v_rows;
        assert not exists (select from postrider.set_member);
        delete from postrider.job_set;
        delete from postrider.delivery;
        commit;
    end loop;
end
$$;

-- marked members
do $$
declare
    v_began timestamptz;
begin
    perform promise.members(3);
    update postrider.delivery set status = 'delivered', delivered_at = dead_at, dead_at = null;
    insert into postrider.set_mark (set_id, seq, lost) select set_id, seq, false from postrider.set_member;
    commit;
    perform promise.keep('select * from postrider.set_mark order by seq limit 1 for update');
    v_began := clock_timestamp();
    assert exists (select from postrider.maintain() m where m = 'completed 2 sets');
    assert clock_timestamp() - v_began < interval '5 s', 'maintain() waited for a mark';
    assert (select count(*) = 1 from postrider.set_mark), 'its mark is kept';
    perform dblink_exec('eve', 'rollback');
    commit;
    assert exists (select from postrider.maintain() m where m = 'completed 1 sets');
    assert (select bool_and(ended = 1) from postrider.job_set) and not exists (select from postrider.set_member);
    delete from postrider.job_set;
    delete from postrider.delivery;
end
$$;

-- many marks in many sets: a call takes 10000 of them, and is not slower with more sets
do $$
declare
    v_began timestamptz;
begin
    perform promise.members(100);
    insert into postrider.set_mark (set_id, seq, lost)
    select s.id, -n, false from postrider.job_set s cross join generate_series(1, 250) n;
    commit;
    for i in 1..2 loop
        v_began := clock_timestamp();
        perform postrider.maintain();
        assert clock_timestamp() - v_began < interval '5 s', 'a maintainer was busy with marks';
        commit;
    end loop;
    assert (select count(*) = 5000 from postrider.set_mark), format('%s marks are left for the next call', (select count(*) from postrider.set_mark));
    perform postrider.maintain();
    assert not exists (select from postrider.set_mark);
    delete from postrider.set_member;
    delete from postrider.job_set;
    delete from postrider.delivery;
end
$$;

-- a report of a member whose mark an open transaction of maintain() has
do $$
declare
    v_began timestamptz;
    v_seq bigint;
begin
    delete from postrider.job_set;
    perform promise.members(1);
    v_seq := (select seq from postrider.set_member);
    insert into postrider.set_mark (set_id, seq, lost) select set_id, seq, false from postrider.set_member;
    commit;
    perform promise.keep('select postrider.complete_sets()');
    update postrider.delivery set status = 'delivered', delivered_at = dead_at, dead_at = null;
    v_began := clock_timestamp();
    perform postrider.end_members(array[v_seq]);
    assert clock_timestamp() - v_began < interval '5 s', 'the report waited for maintain()';
    commit;
    perform dblink_exec('eve', 'commit');
    commit;
    assert exists (select from postrider.maintain() m where m = 'completed 1 sets');
    delete from postrider.delivery;
end
$$;

-- alerts of long queues: all three have ended, because no message waits
do $$
declare
    v_consumer int := postrider.create_consumer('keys', 'keys', p_ordering => 'hold');
    v_began timestamptz := clock_timestamp();
begin
    insert into postrider.key_backlog (consumer_id, key, alert_id, alerted_at) select v_consumer, n::text, n, now() from generate_series(1, 3) n;
    commit;
    perform promise.keep('select * from postrider.key_backlog order by key limit 1 for update');
    assert exists (select from postrider.maintain() m where m = 'raised 2 alerts of blocked keys');
    assert clock_timestamp() - v_began < interval '5 s', 'maintain() waited for an alert';
    perform dblink_exec('eve', 'rollback');
    commit;
    assert exists (select from postrider.maintain() m where m = 'raised 1 alerts of blocked keys');
end
$$;

-- an alert that another maintainer is about to raise
do $$
declare
    v_consumer int := (select id from postrider.consumer where name = 'keys');
    v_began timestamptz;
begin
    perform postrider.set_followers_alert('keys', 1, 'boss', 'test', 'keys');
    insert into postrider.follower (consumer_id, key, xid, segment, seq, published_at)
    select v_consumer, k, '1', '1', n, now() from unnest('{a,b}'::text[]) with ordinality as u(k, n);
    commit;
    perform dblink_exec('eve', 'begin');
    perform dblink_exec('eve', format('insert into postrider.key_backlog (consumer_id, key, alert_id, alerted_at) values (%s, ''a'', 0, now())', v_consumer));
    for i in 1..10 loop
        v_began := clock_timestamp();
        perform postrider.maintain();
        assert clock_timestamp() - v_began < interval '5 s', 'maintain() waited for an alert';
        commit;
    end loop;
    assert (select array_agg(key) = '{b}' from postrider.key_backlog);
    perform dblink_exec('eve', 'rollback');
    perform postrider.maintain();
    assert (select count(*) = 2 from postrider.key_backlog);
    delete from postrider.follower;
end
$$;

-- replays whose dead letters are locked
do $$
declare
    v_began timestamptz;
begin
    perform promise.delivery('failed') from generate_series(1, 6);
    perform postrider.replay_start(jsonb_build_object('deliveries', jsonb_build_array(d.id)), 'boss', 'again') from postrider.delivery d order by d.id;
    commit;
    perform promise.keep('select * from postrider.delivery order by id limit 5 for update');
    v_began := clock_timestamp();
    assert (select sum(moved) = 1 and count(*) = 6 and bool_and(phase = 'running') from postrider.replay_step());
    assert clock_timestamp() - v_began < interval '2 s', clock_timestamp() - v_began;
    assert current_setting('lock_timeout') = '5s';
    perform dblink_exec('eve', 'rollback');
    assert (select sum(moved) = 5 from postrider.replay_step());
    delete from postrider.delivery;
    delete from postrider.replay_item;
    delete from postrider.replay;
end
$$;

-- a dry run does not keep others from retention
do $$
begin
    insert into postrider.audit (at, actor, action, reason) values (now() - interval '10 years', 'a', 'b', 'c');
    commit;
    perform promise.keep('select * from postrider.retention_run(1000, true)');
    assert exists (select from postrider.retention_run() r where r.entity = 'audit' and r.things = 1);
    perform dblink_exec('eve', 'rollback');
end
$$;

-- locked tables
do $$
declare
    v_began timestamptz;
begin
    insert into postrider.alert (at, handler_name, consumer, channel) values (now() - interval '1 year', 'a.b', 'eve', 'mine');
    insert into postrider.audit (at, actor, action, reason) values (now() - interval '10 years', 'a', 'b', 'c');
    commit;
    perform dblink_exec('eve', 'begin; lock table postrider.event_handled, postrider.unique_job in exclusive mode');
    v_began := clock_timestamp();
    assert (select array_agg(concat_ws(' ', r.entity, r.action)) from postrider.retention_run() r where r.entity in ('event_handled', 'alert', 'audit'))
        = '{"event_handled busy","alert removed","audit removed"}';
    assert exists (select from postrider.maintain() m where m like 'retention of event_handled: busy%');
    assert exists (select from postrider.maintain() m where m like 'keys: canceling statement due to lock timeout');
    assert clock_timestamp() - v_began < interval '8 s', clock_timestamp() - v_began;
    perform dblink_exec('eve', 'rollback');
end
$$;
select dblink_disconnect('eve') \g /dev/null
drop role test_locked_eve;
