-- Promises about transactions that a role begins and does not end:
--   a worker that ends a member of a set and does not commit delays the report of another consumer for about a second, however many sets
--   they share, and maintenance completes the set afterwards, exactly once
--   a set that is published and not committed delays another one of its name for a bounded time
--   a worker that keeps the claim lock of its ordered consumer keeps no operator from discarding dead letters of others, and no replay
--   from going on
--   a consumer that is created and not committed delays no consumer of another role on its channel, and one of its name for a bounded time
--   a worker that registers and does not commit delays a transfer of its consumer for a bounded time, and does not outlast it
--   a worker that reports and does not commit keeps no claim lock but that of its own consumer, whatever the planner knows of the tables
--   a heartbeat that is not committed delays adopt() for a bounded time, and neither it nor a publication delays a rebase() that is not needed
--   a session that calls reap(), maintain(), fire_due(), replay_step() or retention_run() and then idles in its transaction is ended
\ir ../../sql/include/promises.sql
\ir ../../sql/include/dead.sql
create extension dblink;
grant all on all functions in schema promise to public;
drop role if exists test_open_eve, test_open_pay, test_open_boss, test_open_producer;
create role test_open_eve login in role postrider_worker;
create role test_open_pay login in role postrider_worker;
create role test_open_boss login in role postrider_operator;
create role test_open_producer login in role postrider_producer;
select dblink_connect('eve', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                    current_setting('port'), session_user, current_database())) \g /dev/null
select dblink_exec('eve', 'set session authorization test_open_eve; set client_min_messages = warning') \g /dev/null
select dblink_exec('eve', $$create temp table held as select ''::text as what$$) \g /dev/null

-- consumers on a new channel
select count(*) from dblink('eve', $$begin; select postrider.create_consumer('first', 'new_channel')$$) as t(n int) \g /dev/null
set session authorization test_open_pay;
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform promise.worker('new_channel', p_consumer => 'second');
    assert clock_timestamp() - v_began < interval '3 s', clock_timestamp() - v_began;
    perform promise.raises($sql$select postrider.create_consumer('first', 'other')$sql$, '55P03');
    assert clock_timestamp() - v_began < interval '20 s', clock_timestamp() - v_began;
end
$$;
reset session authorization;
select dblink_exec('eve', 'rollback') \g /dev/null

-- a transfer beside a registration of the old owner
select t.worker from dblink('eve', $$select promise.worker('moved', p_consumer => 'moved')$$) as t(worker uuid) \g /dev/null
select dblink_exec('eve', 'begin') \g /dev/null
select t.worker as moved from dblink('eve', $$select promise.worker('moved', p_consumer => 'moved')$$) as t(worker uuid) \gset
select count(postrider.publish('a', p_channel => 'moved')) \g /dev/null
select dblink_connect('boss', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                     current_setting('port'), current_user, current_database())) \g /dev/null
select dblink_send_query('boss', $$select postrider.transfer_consumer('moved', 'test_open_pay', 'boss', 'test')$$) \g /dev/null
do $$
declare
    v_until timestamptz := clock_timestamp() + interval '4 s';
begin
    -- The transfer waits until the registration is known.
    while dblink_is_busy('boss') = 1 and not exists (
        select from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.query like '%transfer_consumer(''moved''%' and a.pid <> pg_backend_pid()) loop
        assert clock_timestamp() < v_until;
        perform pg_stat_clear_snapshot();
    end loop;
    assert dblink_is_busy('boss') = 1;
    perform dblink_exec('eve', 'commit');
end
$$;
select count(*) from dblink_get_result('boss') as t(nothing text) \g /dev/null
select dblink_disconnect('boss') \g /dev/null
select count(*) from dblink('eve', format($$
    select promise.raises('select count(*) from postrider.claim(''%s'', 1)', 'PR010')$$, :'moved')) as t(nothing text) \g /dev/null

-- a report beside an ordered consumer; the reporting one is the last that the table has
set session authorization test_open_pay;
select postrider.create_consumer('kept', 'kept', p_ordering => 'hold') as kept \gset
set session authorization test_open_eve;
select promise.worker('late', p_consumer => 'late') as late \gset
reset session authorization;
select postrider.publish('a', p_channel => 'late') \g /dev/null
analyze postrider.consumer, postrider.worker;
select dblink_exec('eve', 'begin') \g /dev/null
select t.outcome from dblink('eve', format($$
    select postrider.settle(%L, c.lease_id, c.lease_token) from postrider.claim(%1$L, 1) c$$, :'late')) as t(outcome text) \gset
select set_config('promise.kept', :'kept', false), set_config('promise.outcome', :'outcome', false) \g /dev/null
do $$
begin
    assert current_setting('promise.outcome') = 'settled';
    assert not exists (select from pg_locks l where l.locktype = 'advisory' and l.classid = postrider.lock_claims()::oid
                       and l.objid = current_setting('promise.kept')::oid
                       and l.database = (select oid from pg_database where datname = current_database()));
    perform dblink_exec('eve', 'commit');
end
$$;

-- sets with members of two consumers
set session authorization test_open_eve;
select set_config('promise.e', promise.worker('sets', p_consumer => 'eve')::text, false) \g /dev/null
set session authorization test_open_pay;
select set_config('promise.p', promise.worker('sets', p_consumer => 'pay')::text, false) \g /dev/null
set session authorization test_open_producer;
select count(postrider.publish_set('both' || n, jsonb_build_array(
           jsonb_build_object('event_type', 'part', 'channel', 'sets', 'target', 'eve'),
           jsonb_build_object('event_type', 'part', 'channel', 'sets', 'target', 'pay')), '{"event_type": "done", "channel": "done"}'))
from generate_series(1, 20) n \g /dev/null
reset session authorization;
select count(*) from dblink('eve', format($$
    begin;
    do $do$
    declare m record;
    begin
        select c.lease_id, c.lease_token into m from postrider.exchange_waiting(%L, 100) c;
        perform postrider.settle(%1$L, m.lease_id, m.lease_token);
    end $do$;
    select 1 $$, current_setting('promise.e'))) as t(n int) \g /dev/null
set session authorization test_open_pay;
do $$
declare
    v_worker uuid := current_setting('promise.p');
    v_began timestamptz;
    m record;
begin
    select c.lease_id, c.lease_token into strict m from postrider.exchange_waiting(v_worker, 100) c;
    commit;
    v_began := clock_timestamp();
    assert postrider.settle(v_worker, m.lease_id, m.lease_token) = 'settled';
    assert clock_timestamp() - v_began < interval '5 s', clock_timestamp() - v_began;
end
$$;
reset session authorization;
do $$
begin
    assert not exists (select from postrider.message where channel = 'done');
    perform dblink_exec('eve', 'commit');
    perform postrider.complete_sets();
    assert (select count(*) = 20 and count(distinct headers ->> 'set') = 20 and bool_and(headers ->> 'members' = '2' and headers ->> 'failed' = '0')
            from postrider.message where channel = 'done');
    assert not exists (select from postrider.set_member);
    assert postrider.complete_sets() = 0;
end
$$;

-- The waits that follow have a bound of 5 s; here they are shorter.
do $$
begin
    assert (select count(*) = 2 from pg_proc
            where pronamespace = 'postrider'::regnamespace and proname in ('take_lock', 'publish_set') and 'lock_timeout=5s' = any (proconfig));
    alter function postrider.take_lock set lock_timeout = '300ms';
    alter function postrider.publish_set set lock_timeout = '300ms';
end
$$;

-- a name
select dblink_exec('eve', 'reset session authorization; set session authorization test_open_producer; begin') \g /dev/null
select count(*) from dblink('eve', $$select 1 from postrider.publish_set(
    'squatted', '[{"event_type": "part", "channel": "sets", "target": "pay"}]', '{"event_type": "done", "channel": "done"}')$$) as t(n int) \g /dev/null
set session authorization test_open_producer;
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform promise.raises($q$select postrider.publish_set(
        'squatted', '[{"event_type": "part", "channel": "sets", "target": "pay"}]', '{"event_type": "done"}')$q$, '55P03');
    assert clock_timestamp() - v_began < interval '5 s';
end
$$;
reset session authorization;
select dblink_exec('eve', 'rollback; reset session authorization; set session authorization test_open_eve') \g /dev/null

-- an ordered consumer whose claims are locked
set session authorization test_open_eve;
select set_config('promise.e', promise.worker('keys', p_consumer => 'eve')::text, false) \g /dev/null
select postrider.create_consumer('eve', 'keys', p_ordering => 'hold') \g /dev/null
reset session authorization;
select postrider.publish('a', p_channel => 'keys', p_ordering_key => 'k') \g /dev/null
select postrider.publish('a', p_channel => 'keys') \g /dev/null
set session authorization test_open_eve;
do $$
declare
    m record;
begin
    for i in 1..5 loop
        for m in select * from postrider.claim(current_setting('promise.e')::uuid, 10) loop
            perform postrider.settle(current_setting('promise.e')::uuid, m.lease_id, m.lease_token, '{}',
                                     jsonb_build_array(jsonb_build_object('seq', m.seq, 'outcome', 'terminal', 'error', 'no')));
        end loop;
        commit;
    end loop;
end
$$;
reset session authorization;
do $$ begin
    assert (select count(*) = 2 from postrider.dead_letters where channel = 'keys');
end $$;
select promise.publish('plain', 4) \g /dev/null
select promise.worker('plain', p_from_beginning => true) as w \gset
call promise.die(:'w');
set session authorization test_open_boss;
select set_config('promise.r1', postrider.replay_start('{"channel": "keys"}', 'boss', 'again')::text, false) \g /dev/null
select set_config('promise.r2', postrider.replay_start(jsonb_build_object('deliveries', (
    select jsonb_agg(delivery_id) from (select delivery_id from postrider.dead_letters where channel = 'plain' order by 1 limit 2) d)), 'boss', 'again')::text,
    false) \g /dev/null
reset session authorization;
select count(*) from dblink('eve', format('begin; select 1 from postrider.register_worker(%L, ''eve'', ''[{"name": "test.all", "event_types": ["*"]}]'', ''keys'')',
                                          current_setting('promise.e'))) as t(n int) \g /dev/null
set session authorization test_open_boss;
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    assert postrider.discard('{"channel": "plain"}', 'boss', 'not needed') = 4;
    assert clock_timestamp() - v_began < interval '200 ms', 'waited for another consumer';
    perform promise.raises($q$select postrider.discard('{"channel": "keys"}', 'boss', 'held')$q$, '55P03');
    perform postrider.restore('{"channel": "plain"}', 'boss', 'needed');
    perform postrider.replay_step();
    assert (select array_agg(phase order by replay) = '{running,running}' from postrider.replays), (select array_agg(r) from postrider.replays r);
    assert (select count(*) = 2 from postrider.outbox where channel = 'plain' and status = 'pending'), 'the second replay went on';
end
$$;
reset session authorization;
select dblink_exec('eve', 'rollback') \g /dev/null

-- commands of the owner
select t.worker as w from dblink('eve', $$select promise.worker('adopted', p_consumer => 'adopted')$$) as t(worker uuid) \gset
select dblink_exec('eve', 'begin') \g /dev/null
select t.n from dblink('eve', format('select count(*) from postrider.heartbeat(%L)', :'w')) as t(n int) \g /dev/null
select dblink_exec('eve', 'reset session authorization; set session authorization test_open_producer') \g /dev/null
select t.n from dblink('eve', $$select count(postrider.publish('a', p_channel => 'adopted'))$$) as t(n int) \g /dev/null
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform postrider.rebase();
    assert clock_timestamp() - v_began < interval '2 s', clock_timestamp() - v_began;
    perform promise.raises($q$select postrider.adopt('copy', 'ann', 'a test')$q$, '55P03');
    assert clock_timestamp() - v_began < interval '8 s', clock_timestamp() - v_began;
end
$$;
select dblink_exec('eve', 'rollback; reset session authorization; set session authorization test_open_eve') \g /dev/null

-- what is left to the server
do $$
declare
    v_call text;
begin
    foreach v_call in array '{reap(),maintain(),fire_due(),replay_step(),retention_run()}'::text[] loop
        perform dblink_exec('eve', 'begin');
        perform from dblink('eve', 'select count(*) from postrider.' || v_call) as t(n bigint);
        assert (select n = '1min' from dblink('eve', 'show idle_in_transaction_session_timeout') as t(n text)), v_call;
        perform dblink_exec('eve', 'rollback; begin; set local idle_in_transaction_session_timeout = ''2s''');
        perform from dblink('eve', 'select count(*) from postrider.' || v_call) as t(n bigint);
        assert (select n = '2s' from dblink('eve', 'show idle_in_transaction_session_timeout') as t(n text)), v_call;
        perform dblink_exec('eve', 'rollback');
        assert (select n = '0' from dblink('eve', 'show idle_in_transaction_session_timeout') as t(n text));
    end loop;
end
$$;
select dblink_exec('eve', 'reset session authorization; drop table held') \g /dev/null
select dblink_disconnect('eve') \g /dev/null
drop role test_open_eve, test_open_pay, test_open_boss, test_open_producer;
