-- Promises about the engine's advisory locks, which any database user can take:
--   a claim that meets one waits for 5 s, not for ever, and the error names the session that holds it
--   so do a registration, a retirement and a change of retention
\ir ../../sql/include/promises.sql
create extension dblink;
drop role if exists test_guest;
create role test_guest login;
select set_config('promise.w', promise.worker('locks')::text, false) \g /dev/null
select dblink_connect('guest', format('host=%s port=%s user=%s dbname=%s application_name=hog',
    split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), session_user, current_database())) \g /dev/null
select dblink_exec('guest', 'set session authorization test_guest') \g /dev/null
select c.id as consumer from postrider.consumer c where c.channel = 'locks' \gset
select * from dblink('guest', format('select 1 from pg_advisory_lock(1886351202, %s)', :consumer)) as t(n int) \g /dev/null
select * from dblink('guest', 'select 1 from pg_advisory_lock(1886351205, 1)') as t(n int) \g /dev/null
select postrider.publish('a', p_channel => 'locks') \g /dev/null

create function promise.is_told(p_sql text) returns void
    language plpgsql
    as $$
declare
    v_began timestamptz := clock_timestamp();
    v_text text;
begin
    begin
        execute p_sql;
        raise exception 'no error from: %', p_sql;
    exception when lock_not_available then
        v_text := sqlerrm;
    end;
    assert v_text ~ 'held by pid [0-9]+ \(user .+, application hog\)', v_text;
    assert clock_timestamp() - v_began between interval '290 ms' and interval '30 s', p_sql;
end
$$;
-- All of them wait in the same function, here for a shorter time.
do $$ begin
    assert (select 'lock_timeout=5s' = any (proconfig) from pg_proc where pronamespace = 'postrider'::regnamespace and proname = 'take_lock');
    alter function postrider.take_lock set lock_timeout = '300ms';
end $$;
select promise.is_told(format('select postrider.claim(%L, 10)', current_setting('promise.w')));
select promise.is_told(format('select postrider.register_worker(%L, ''reader'', ''[{"name": "b.x", "event_types": ["*"]}]'', ''locks'')',
                              gen_random_uuid()));
select promise.is_told('select postrider.set_retention(''alert'', ''3 days'')');
-- large claims, which stand in line
select promise.is_told(format('select postrider.exchange_packed(%L, 1000)', current_setting('promise.w')));

-- another consumer does not notice, and when the lock is gone nothing was lost
do $$
begin
    assert postrider.lock_holder(1886351202, 2000000000) is null;
    assert promise.drain(promise.worker('locks', p_consumer => 'neighbour', p_from_beginning => true)) = 1;
end
$$;
select dblink_disconnect('guest') \g /dev/null
do $$
begin
    -- The server may take a moment to end the session.
    for i in 1..500 loop
        exit when postrider.lock_holder(1886351205, 1) is null;
        perform pg_sleep(0.01);
    end loop;
    assert promise.drain(current_setting('promise.w')::uuid) = 1;
end
$$;
drop role test_guest;
