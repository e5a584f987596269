-- Promises, with a clock that was set by hours or days:
--   messages published before the clock was set are handed out by a worker that starts later, in any partition;
--   and by a worker that has not claimed for a while, or claimed while the clock was ahead;
--   and when their transaction was open at that time, however long it stays open
--   claims search every partition only as long as necessary
--   such messages can fail, be released and be reaped like others
--   a worker that died before the clock was set back does not count as alive for longer than its alive_for.
\ir ../include/promises.sql

-- publish_by(step, n): publishes as if the clock stood elsewhere.
create procedure promise.publish_by(p_step interval, p_n int)
    language sql
    as $$
    insert into postrider.message (channel, event_type, payload, published_at)
    values ('steps', 'x', json_build_object('n', p_n), clock_timestamp() + p_step)
    $$;

-- looks(worker): how often a claim and its report search every partition.
create function promise.looks(p_worker uuid) returns bigint
    language plpgsql
    as $$
declare
    v_before bigint := coalesce((select calls from pg_stat_xact_user_functions where funcname = 'log_bounds'), 0);
begin
    perform promise.drain(p_worker);
    return coalesce((select calls from pg_stat_xact_user_functions where funcname = 'log_bounds'), 0) - v_before;
end
$$;

-- seen_by(step): makes the consumer's newest lease as old as if the clock had another time.
create procedure promise.seen_by(p_step interval)
    language sql
    as $$
    update postrider.lease l
    set done_at = done_at + p_step, open_at = open_at + p_step, claimed_at = claimed_at + p_step,
        ceiling_at = ceiling_at + p_step, floor_at = floor_at + p_step
    from postrider.consumer c where c.id = l.consumer_id and c.channel = 'steps'
    $$;

-- settle_down(): publishes and reads until the lease has no recheck_xid. It has to wait for every transaction of the whole
-- server that was open before, for example another test's.
create procedure promise.settle_down()
    language plpgsql
    as $$
begin
    for i in 1..1000 loop
        call promise.publish_by('0', 200 + i);
        commit;
        perform promise.drain(promise.me());
        commit;
        exit when (promise.newest_lease(promise.me())).recheck_xid is null;
        perform pg_sleep(0.02);
    end loop;
    assert (select l.recheck_xid is null and l.ceiling_at = l.open_at
            from promise.newest_lease(promise.me()) l), 'every segment is searched for ever';
end
$$;

-- a log of some age
do $$
declare
    p record;
    v_day timestamptz := date_trunc('day', clock_timestamp());
begin
    for p in select name from postrider.partitions() loop
        execute format('drop table postrider.%I', p.name);
    end loop;
    execute format('create table postrider.message_p1 partition of postrider.message for values from (minvalue) to (%L)',
                   v_day - interval '5 days');
    for i in -5..5 loop
        execute format('create table postrider.message_d%s partition of postrider.message for values from (%L) to (%L)',
                       i + 5, v_day + make_interval(days => i), v_day + make_interval(days => i + 1));
    end loop;
    execute format('create table postrider.message_tail partition of postrider.message for values from (%L) to (maxvalue)',
                   v_day + interval '6 days');
end
$$;

create table promise.worker_id as select promise.worker('steps') as id;
create function promise.me() returns uuid language sql as $$ select id from promise.worker_id $$;

do $$
begin
    for i in 1..4 loop
        assert promise.drain(promise.me()) = 0;
        commit;
    end loop;
    -- the past and the future, to the ends of their partitions, and a correct clock
    call promise.publish_by(date_trunc('day', clock_timestamp()) - interval '3 days' - clock_timestamp(), 1);
    commit;
    call promise.publish_by('-3 hours', 2);
    commit;
    call promise.publish_by('3 hours', 3);
    commit;
    call promise.publish_by(date_trunc('day', clock_timestamp()) + interval '3 days' - clock_timestamp(), 4);
    commit;
    call promise.publish_by(date_trunc('day', clock_timestamp()) + interval '4 days' - interval '1 minute'
                            - clock_timestamp(), 5);
    commit;
    call promise.publish_by('0', 6);
end
$$;
\c -
do $$
declare
    v_lease bigint;
begin
    -- by programs, in pieces
    for n in 1..3 loop
        v_lease := (select lease_id from postrider.exchange_packed(promise.me(), 2));
        commit;
        assert (select cardinality(members) from postrider.lease where id = v_lease) = 2,
            format('piece %s of what was published by another clock is not there', n);
    end loop;
    assert (select array_agg((m.payload ->> 'n')::int order by m.xid) from postrider.lease l
            join postrider.message m on m.seq = any (l.members) where l.worker_id = promise.me()) = '{1,2,3,4,5,6}';
    commit;
    -- reports find them by the same bounds
    perform postrider.settle(promise.me(), l.id, l.token,
                             p_failures => jsonb_build_array(jsonb_build_object(
                                 'seq', l.members[1], 'handler', 'test.all', 'outcome', 'transient')))
    from postrider.lease l where l.worker_id = promise.me() and 2 = (select (m.payload ->> 'n')::int
         from postrider.message m where m.seq = l.members[2]);
    perform postrider.release(promise.me(), l.id, l.token)
    from postrider.lease l
    where l.worker_id = promise.me() and l.finished_at is null
    order by l.id limit 1;
    commit;
    update postrider.lease set deadline = clock_timestamp() - interval '1 second' where finished_at is null;
    assert (select leases from postrider.reap()) = 1;
    assert (select array_agg((d.payload ->> 'n')::int order by 1) from postrider.delivery d where d.channel = 'steps')
        = '{1,3,4,5,6}';
    delete from postrider.delivery where channel = 'steps';
end
$$;

-- in one session: no claim for a while
do $$
begin
    call promise.settle_down();
    call promise.seen_by('-20 minutes');
    call promise.publish_by('3 hours', 7);
    call promise.publish_by('-3 days', 8);
    commit;
    assert promise.numbers(promise.me()) = '{7,8}', 'messages published while no worker claimed are lost';
end
$$;

-- the last claim was made while the clock was ahead
do $$
begin
    call promise.settle_down();
    call promise.seen_by('3 days');
    call promise.publish_by('3 days', 9);
    call promise.publish_by('0', 10);
    commit;
    assert promise.numbers(promise.me()) = '{9,10}', 'what was published before the clock was set back is lost';
end
$$;

-- beyond every partition
\c -
do $$
begin
    call promise.publish_by('10 years', 12);
    call promise.publish_by('-10 years', 13);
    commit;
    assert promise.numbers(promise.me()) = '{12,13}';
    commit;
    call promise.settle_down();
end
$$;

-- a transaction is open while no worker runs and the clock is set back: the next worker does not see its messages, and claims
-- in a transaction that is older
\setenv PGDATABASE :DBNAME
\setenv OPEN_MEANWHILE 'call promise.publish_by(\'3 days\', 14)'
\c -
begin;
select pg_current_xact_id() \g /dev/null
\! psql -Xq -v ON_ERROR_STOP=1 -c begin -c "$OPEN_MEANWHILE" -c "prepare transaction 'open_meanwhile'"
select promise.drain(promise.me()) \g /dev/null
commit;
do $$
begin
    for i in 1..3 loop
        assert promise.numbers(promise.me()) = '{}';
        commit;
    end loop;
end
$$;
commit prepared 'open_meanwhile';
do $$
begin
    assert promise.numbers(promise.me()) = '{14}', 'a message that was committed just after a worker came is lost';
    commit;
    call promise.settle_down();
end
$$;

-- a transaction is open while the clock is set back by three days, and for long afterwards
do $$ begin call promise.seen_by('3 days'); end $$;
\! psql -Xq -v ON_ERROR_STOP=1 -c begin -c "call promise.publish_by('3 days', 11)" -c "prepare transaction 'open_meanwhile'"
set track_functions = 'all';
do $$
begin
    call promise.publish_by('0', 100);
    commit;
    assert promise.looks(promise.me()) > 0, 'it did not look where the messages are';
    commit;
    -- Every transaction of the whole server that was open then is searched for when it ends: waits until only this one is left.
    for i in 1..1000 loop
        exit when 1 = (select count(*) from pg_snapshot_xip(pg_current_snapshot()) x
                       where x < (promise.newest_lease(promise.me())).recheck_xid);
        perform pg_sleep(0.02);
        commit;
    end loop;
    for i in 1..6 loop
        call promise.publish_by('0', 100 + i);
        commit;
        assert promise.looks(promise.me()) = 0 or i < 3, 'it looked into every partition as long as a transaction was open';
        commit;
    end loop;
    assert (promise.newest_lease(promise.me())).recheck_xid is not null;
end
$$;
-- nor when an unrelated transaction commits late
\! psql -Xq -v ON_ERROR_STOP=1 -c begin -c "call promise.publish_by('0', 15)" -c "prepare transaction 'late'"
select promise.drain(promise.me()) \g /dev/null
call promise.publish_by('0', 107);
select promise.drain(promise.me()) \g /dev/null
commit prepared 'late';
do $$
begin
    assert promise.looks(promise.me()) = 0, 'it looked into every partition for one that is late';
end
$$;
commit prepared 'open_meanwhile';
do $$
begin
    assert promise.numbers(promise.me()) = '{11}', 'a message that was committed after the clock was set back is lost';
    commit;
    call promise.settle_down();
end
$$;

-- a worker that dies, and a clock that is set back by three days afterwards
do $$
declare
    v_other uuid := promise.worker('steps');
begin
    call promise.publish_by('0', 16);
    commit;
    assert promise.numbers(v_other) = '{16}';
    update postrider.worker set alive_until = alive_until + interval '3 days' where id = v_other;
    perform postrider.reap();
    assert (select alive_until between clock_timestamp() and clock_timestamp() + alive_for
            from postrider.worker where id = v_other), 'a dead worker is taken for alive for three days more';
    assert exists (select from postrider.lease where worker_id = v_other and finished_at is null),
        'a worker was declared dead before its time';
end
$$;
