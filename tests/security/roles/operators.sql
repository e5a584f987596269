-- Promises about functions of operators beside transactions that workers and producers do not end:
--   cancel, erase and bury are refused after seconds, and do not keep the claim locks of consumers of other roles until then
--   the time to wait is one for all locks of a kind, although transactions end one after the other
--   a producer that holds the unique key of one dead letter does not stop a replay of others
\ir ../../sql/include/promises.sql
\ir ../../sql/include/dead.sql
create extension dblink;
grant all on all functions in schema promise to public;
drop role if exists test_operators_eve, test_operators_producer;
create role test_operators_eve login in role postrider_worker;
create role test_operators_producer login in role postrider_producer;
create function promise.open(p_name text, p_role text) returns void
    language plpgsql
    as $$
begin
    perform dblink_connect(p_name, format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                          current_setting('port'), current_user, current_database()));
    perform dblink_exec(p_name, format('set session authorization %I; set client_min_messages = warning', p_role));
end
$$;
-- The query is refused with 55P03, within seconds.
create procedure promise.refused_soon(p_query text)
    language plpgsql
    as $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform promise.raises(p_query, '55P03');
    assert clock_timestamp() - v_began < interval '10 s', clock_timestamp() - v_began;
    commit;
end
$$;

-- a worker of another consumer that has the same messages, with a heartbeat, and then with a claim of deliveries
select promise.open('eve', 'test_operators_eve') \g /dev/null
select t.worker as eve from dblink('eve', $$select promise.worker('shared', p_consumer => 'eves')$$) as t(worker uuid) \gset
select promise.worker('shared', p_consumer => 'pays') as pay \gset
select postrider.create_consumer('pays', 'shared', p_ordering => 'hold') \g /dev/null
select promise.publish('shared', 5) \g /dev/null
select count(*) from dblink('eve', format($$select seq from postrider.claim(%L, 5)$$, :'eve')) as t(seq bigint) \g /dev/null
select format('select * from postrider.cancel(%L, %L, %L)', f.ids, 'boss', 'test') as cancel, format('select * from postrider.erase(%L, %L, %L)', f.ids, 'boss', 'test') as erase
from (select jsonb_build_object('ids', jsonb_agg(m.id)) as ids from postrider.message m where m.channel = 'shared') f \gset
select dblink_exec('eve', 'begin') \g /dev/null
select count(*) from dblink('eve', format($$select true from postrider.heartbeat(%L)$$, :'eve')) as t(lost boolean) \g /dev/null
call promise.refused_soon(:'cancel');
call promise.refused_soon(:'erase');
select dblink_exec('eve', 'commit') \g /dev/null
update postrider.worker set alive_until = now() - interval '1 hour' where id = :'eve';
select * from postrider.reap() \g /dev/null
select t.worker as eve from dblink('eve', $$select promise.worker('shared', p_consumer => 'eves')$$) as t(worker uuid) \gset
select dblink_exec('eve', 'begin') \g /dev/null
select count(*) as claimed from dblink('eve', format($$select delivery_id from postrider.claim_due(%L, 5)$$, :'eve')) as t(id bigint) \gset
call promise.refused_soon(format('select postrider.bury(array(select d.id from postrider.delivery d where d.channel = %L), %L, %L)', 'shared', 'boss', 'test'));
call promise.refused_soon(:'cancel');
call promise.refused_soon(format($$select postrider.reschedule(postrider.pending_deliveries(array(
    select m.id from postrider.message m where m.channel = %L)), null, %L, %L)$$, 'shared', 'boss', 'test'));
select dblink_exec('eve', 'rollback') \g /dev/null
select :claimed > 0 as has_claimed \gset
\if :has_claimed
\else
    do $$ begin raise exception 'eve has no delivery'; end $$;
\endif
select count(*) from postrider.claim(:'pay', 5) \g /dev/null
:cancel \g /dev/null

-- a producer that takes a key whose period is over
select promise.open('producer', 'test_operators_producer') \g /dev/null
select t.id as keyed from dblink('producer', $$
    select (p).id from postrider.publish_unique('a', 'pays', 'key', 'period', p_period => '1 hour', p_channel => 'shared') p$$) as t(id text) \gset
update postrider.unique_job set expires_at = now() - interval '1 second' where key = 'key';
select dblink_exec('producer', 'begin') \g /dev/null
select count(*) from dblink('producer', $$
    select postrider.publish_unique('a', 'pays', 'key', 'period', p_period => '1 hour', p_channel => 'shared')$$) as t(id text) \g /dev/null
call promise.refused_soon(format('select * from postrider.erase(%L, %L, %L)', jsonb_build_object('ids', jsonb_build_array(:'keyed')), 'boss', 'test'));
select dblink_exec('producer', 'commit') \g /dev/null

-- transactions that end one after the other
select promise.open('other', 'test_operators_eve') \g /dev/null
create procedure promise.one_wait(p_first text, p_second text, p_call text, p_most interval)
    language plpgsql
    as $$
declare
    v_began timestamptz;
begin
    perform dblink_exec('eve', 'begin'), dblink_exec('other', 'begin');
    perform * from dblink('eve', 'select count(*) from (' || p_first || ') l') as t(n bigint);
    perform * from dblink('other', 'select count(*) from (' || p_second || ') l') as t(n bigint);
    perform dblink_send_query('eve', format('select pg_sleep(%s); commit', extract(epoch from p_most) * 0.6));
    v_began := clock_timestamp();
    perform promise.raises(p_call, '55P03');
    assert clock_timestamp() - v_began between p_most * 0.6 and p_most * 1.5, format('%s: %s', p_call, clock_timestamp() - v_began);
    for i in 1..3 loop  -- of the two statements, and the end
        perform * from dblink_get_result('eve') as t(x text);
    end loop;
    perform dblink_exec('other', 'rollback');
end
$$;
call promise.one_wait('select pg_advisory_xact_lock(postrider.lock_claims(), 1000001)', 'select pg_advisory_xact_lock(postrider.lock_claims(), 1000002)',
                      $$select postrider.take_claim_locks('{1000001,1000002}', '1 s')$$, '1 s');
select dblink_exec(name, 'reset session authorization') from unnest('{eve,other}'::text[]) name \g /dev/null
insert into postrider.circuit (consumer_id, handler) select c.id, h from postrider.consumer c, unnest('{h1,h2}'::text[]) h where c.name = 'pays';
select format('select from postrider.circuit where handler = %L for update', 'h1') as first,
       format('select from postrider.circuit where handler = %L for update', 'h2') as second,
       format('select postrider.lock_circuits(array[%s], clock_timestamp() + interval %L)', c.id, '1 s') as call
from postrider.consumer c where c.name = 'pays' \gset
call promise.one_wait(:'first', :'second', :'call', '1 s');
select format('select from postrider.delivery where id = %s for update', min(d.id)) as first,
       format('select from postrider.delivery where id = %s for update', max(d.id)) as second,
       format('select postrider.lock_deliveries(%L, clock_timestamp() + interval %L)', array_agg(d.id), '1 s') as call
from (select d.id from postrider.delivery d limit 2) d \gset
call promise.one_wait(:'first', :'second', :'call', '1 s');
insert into postrider.job_progress (message_id, consumer_id, handler) select gen_random_uuid(), c.id, 'h' from postrider.consumer c limit 2;
select format('select from postrider.job_progress where message_id = %L for update', min(p.message_id::text)) as first,
       format('select from postrider.job_progress where message_id = %L for update', max(p.message_id::text)) as second,
       format('select postrider.lock_progress(%L, clock_timestamp() + interval %L)', array_agg(p.message_id), '1 s') as call
from (select p.message_id from postrider.job_progress p order by 1 limit 2) p \gset
call promise.one_wait(:'first', :'second', :'call', '1 s');

-- a transaction that locks a row again before the waiting one wakes up
create procedure promise.bounded_wait(p_lock text, p_call text)
    language plpgsql
    as $$
declare
    v_began timestamptz;
begin
    perform dblink_send_query(name, format('do $do$ begin for i in 1..6 loop %s; perform pg_sleep(0.45); commit; end loop; end $do$', p_lock))
    from unnest('{eve,other}'::text[]) name;
    v_began := clock_timestamp();
    while not exists (select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep') loop  -- until one has it
        assert clock_timestamp() - v_began < interval '10 s', 'none of them has it';
        perform pg_stat_clear_snapshot();
    end loop;
    v_began := clock_timestamp();
    begin
        execute p_call;
    exception when lock_not_available then
        null;
    end;
    assert clock_timestamp() - v_began < interval '1.3 s', format('%s: %s', p_call, clock_timestamp() - v_began);
    commit;  -- the call may have got the lock, which the blocks wait for
    for i in 1..2 loop  -- of the block, and the end
        perform from unnest('{eve,other}'::text[]) name, lateral (select * from dblink_get_result(name) as t(x text)) r;
    end loop;
end
$$;

-- the next job of a serial key, and keys of replays
select promise.worker('keys', '[{"name": "test.all", "event_types": ["*"], "retry": {"curve": "fixed", "base_ms": 300000}}]', p_consumer => 'keyed') as keyed \gset
select postrider.publish_unique('a', 'keyed', 'next', 'serial', p_channel => 'keys') \g /dev/null
select c.seq, c.lease_id as id, c.lease_token as token from postrider.claim(:'keyed', 2) c \gset
select postrider.publish_unique('a', 'keyed', 'next', 'serial', p_channel => 'keys') \g /dev/null
select count(*) from postrider.claim(:'keyed', 2) c \g /dev/null
select format('select from postrider.unique_job where seq = %s for update', :seq) as first,
       format('select from postrider.delivery where channel = %L and available_at = %L for update', 'keys', 'infinity') as second,
       format('select postrider.lock_keys(array[%s], clock_timestamp() + interval %L)', :seq, '1 s') as call \gset
call promise.one_wait(:'first', :'second', :'call', '1 s');
call promise.bounded_wait(replace(:'second', 'select', 'perform'), :'call');
select postrider.publish_unique('a', 'keyed', 'key' || n, 'until_finished', p_channel => 'keys') from generate_series(1, 9) n \g /dev/null
select c.lease_id as id, c.lease_token as token from postrider.claim(:'keyed', 9) c limit 1 \gset
select postrider.settle(:'keyed', :id, :'token', '{}', (
    select jsonb_agg(jsonb_build_object('seq', u.seq, 'outcome', 'terminal', 'error', 'no')) from postrider.unique_job u
    where u.handler = 'test.all' and u.scope = 'until_finished')) \g /dev/null
select dblink_exec('eve', 'begin') \g /dev/null
select dblink_exec('eve', format($$savepoint s%s; insert into postrider.unique_job (consumer_id, handler, key, scope, message_id, seq)
                                   select d.consumer_id, d.handler, d.unique_key, d.unique_scope, d.message_id, d.seq
                                   from postrider.delivery d where d.unique_key = 'key%s'$$, n, n))
from generate_series(9, 1, -1) n order by n desc \g /dev/null
select dblink_send_query('eve', string_agg(format('select pg_sleep(0.1); rollback to s%s', n), ';' order by n)) from generate_series(1, 9) n \g /dev/null
select promise.raises(format('select postrider.retake_keys(%L, %L, null, true)', array_agg(d.id), 'failed'), '55P03')
from postrider.delivery d where d.channel = 'keys' \g /dev/null
do $$
begin
    for i in 1..19 loop  -- of all statements, and the end
        perform from dblink_get_result('eve') as t(x text);
    end loop;
end
$$;
select dblink_exec('eve', 'rollback') \g /dev/null
select dblink_disconnect('eve') \g /dev/null
select dblink_exec('other', 'begin'),
       dblink_exec('other', $$insert into postrider.unique_job (consumer_id, handler, key, scope, message_id, seq)
                              select d.consumer_id, d.handler, d.unique_key, d.unique_scope, d.message_id, d.seq
                              from postrider.delivery d where d.unique_key = 'key5'$$) \g /dev/null
select postrider.replay_start('{"channel": "keys"}', 'boss', 'fixed') \g /dev/null
do $$
declare
    v_began timestamptz := clock_timestamp();
    v_step text := (select moved || ' ' || skipped from postrider.replay_step());
begin
    assert v_step = '8 1', v_step;
    assert clock_timestamp() - v_began < interval '1 s', clock_timestamp() - v_began;
    assert (select i.note = 'its unique key is held' from postrider.replay_items i where i.outcome = 'skipped');
end
$$;
select dblink_exec('other', 'rollback') \g /dev/null
select postrider.publish_set('set' || n, '[{"event_type": "a", "channel": "shared", "target": "pays"}]', '{"event_type": "b"}') from generate_series(1, 3) n \g /dev/null
select dblink_exec('other', 'begin') \g /dev/null
select count(*) from dblink('other', $$select id from postrider.job_set order by id desc limit 2 for update$$) as t(id bigint) \g /dev/null
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform postrider.end_members(array(select m.seq from postrider.set_member m), true);
    assert clock_timestamp() - v_began between interval '0.9 s' and interval '1.9 s', clock_timestamp() - v_began;
    assert (select count(distinct k.set_id) = 2 from postrider.set_mark k), 'the other sets are marked';
end
$$;
select dblink_exec('other', 'rollback') \g /dev/null
select dblink_disconnect('other'), dblink_disconnect('producer') \g /dev/null
drop role test_operators_eve, test_operators_producer;
