-- Promises about schedules that a role defines to stop the workers of others, which fire them:
--   one call publishes some megabytes at most and takes about a second at most, whatever is due, and the next calls go on
--   schedules with a channel each do not make another one refused
--   a backfill of large messages comes in pieces
--   a session with poisoned settings, or one that has used up its channels, pauses no schedule and no replay of others
--   an open transaction of another role delays a change of a schedule for a bounded time
--   a role can neither change a schedule of another role nor define one without the right to publish
\ir ../../sql/include/promises.sql
\ir ../../sql/include/dead.sql
grant all on all functions in schema promise to public;
drop role if exists test_schedules_eve, test_schedules_ann, test_schedules_mute;
create role test_schedules_eve login in role postrider_worker, postrider_producer;
create role test_schedules_ann login in role postrider_worker, postrider_producer;
create role test_schedules_mute login in role postrider_worker;

-- behind(prefix, ago): lets schedules be this much behind.
create function promise.behind(p_prefix text, p_ago interval) returns void
    language sql
    as $$
    update postrider.schedule
    set next_slot = date_trunc('second', clock_timestamp()) - p_ago, next_at = date_trunc('second', clock_timestamp()) - p_ago
    where starts_with(name, p_prefix)
    $$;
create function promise.fire(out fired int, out took interval)
    language plpgsql
    as $$
declare
    v_began timestamptz := clock_timestamp();
begin
    fired := (select f.fired from postrider.fire_due(1000) f);
    took := clock_timestamp() - v_began;
end
$$;

-- large messages
set session authorization test_schedules_eve;
select count(postrider.define_schedule('big' || n, jsonb_build_object('cron', '@yearly', 'message', jsonb_build_object(
    'event_type', 'big', 'channel', 'big', 'payload', jsonb_build_object('text', repeat(md5(n::text), 31000))))))
from generate_series(1, 12) n \g /dev/null
select postrider.define_schedule('often', jsonb_build_object('cron', '@every 1s', 'catch_up', '1 day', 'message', jsonb_build_object(
    'event_type', 'often', 'channel', 'often', 'payload', jsonb_build_object('text', repeat('x', 1000000))))) \g /dev/null
reset session authorization;
select promise.behind('big', '1 minute'), promise.behind('often', '1 hour') \g /dev/null
do $$
declare
    v_calls int := 0;
    v_fired int;
begin
    for i in 1..3 loop
        v_fired := (promise.fire()).fired;
        assert v_fired between 1 and 10, format('%s messages of a megabyte in one call', v_fired);
    end loop;
    update postrider.schedule set paused = true where name = 'often';
    while exists (select from postrider.schedule where next_at < clock_timestamp() and not paused) loop
        v_fired := (promise.fire()).fired;
        v_calls := v_calls + 1;
        assert v_fired between 1 and 10 and v_calls < 100;
    end loop;
    assert (select count(*) = 12 from postrider.message where event_type = 'big'), 'all were published, each once';
end
$$;
set session authorization test_schedules_eve;
do $$
declare
    r record;
begin
    r := postrider.backfill_schedule('often', clock_timestamp() - interval '1 hour', clock_timestamp(), 10000);
    assert r.fired between 10 and 70 and r.next_from is not null, r;
end
$$;

-- many schedules that are far behind and cannot fire
select count(postrider.define_schedule('slow' || n, jsonb_build_object('cron', '* * * * * *', 'overlap', 'skip', 'catch_up', '30 days',
    'time_zone', 'Europe/Berlin', 'message', jsonb_build_object('event_type', 'slow', 'channel', 'slow'))))
from generate_series(1, 20) n \g /dev/null
select postrider.define_schedule('ann', '{"cron": "@every 1h", "message": {"event_type": "ann"}}') \g /dev/null
reset session authorization;
select promise.worker('slow') \g /dev/null
select count(postrider.run_schedule('slow' || n)) from generate_series(1, 20) n \g /dev/null
select promise.behind('slow', '20 days'), promise.behind('ann', '1 minute') \g /dev/null
do $$
declare
    r record;
begin
    -- A call whose second is over begins no further schedule.
    perform postrider.fire_schedules(array(select name from postrider.schedule where name like 'slow%'), clock_timestamp() - interval '2 s', 1000);
    assert (select count(*) = 1 from postrider.schedule where name like 'slow%' and skipped > 0);
    for i in 1..200 loop
        r := promise.fire();
        assert r.took < interval '10 s', r.took;
        exit when not exists (select from postrider.schedule where name like 'slow%' and skipped = 0);
        assert i < 200, 'they take turns';
    end loop;
    delete from postrider.schedule where name like 'slow%';
    perform promise.fire();
    assert exists (select from postrider.message where event_type = 'ann');
end
$$;

-- a channel each; all but one are made by hand, because definitions are checked one by one
set session authorization test_schedules_eve;
select postrider.define_schedule('wide0', '{"cron": "@yearly", "message": {"event_type": "wide", "channel": "wide0"}}') \g /dev/null
reset session authorization;
create temp table wide as select * from postrider.schedule where name = 'wide0';
insert into postrider.schedule
select (jsonb_populate_record(w, jsonb_build_object('name', 'wide' || n, 'message', jsonb_build_object('event_type', 'wide', 'channel', 'wide' || n)))).*
from wide w, generate_series(1, 1039) n;
select promise.behind('wide', '1 minute') \g /dev/null
do $$
begin
    for i in 1..20 loop
        exit when (promise.fire()).fired = 0;
        commit;
    end loop;
    assert (select count(*) = 1040 from postrider.message where event_type = 'wide');
    assert not exists (select from postrider.schedule where paused_reason is not null), 'none was paused';
end
$$;

-- Settings that any user can change, with the values that could hurt most. Errors and timeouts of the caller's own are not listed.
create function promise.poisons() returns table (name text, value text)
    language sql
    as $$
    select s.name, v
    from pg_settings s
    cross join lateral unnest(coalesce(s.enumvals, '{}') || array[s.min_val, s.max_val]
                              || case s.vartype when 'bool' then '{on,off}'::text[] when 'string' then '{x,all,""}'::text[] else '{}' end) v
    where s.context = 'user' and v is not null and s.name not in ('exit_on_error', 'client_min_messages')
    union all
    select 'postrider.' || n, v
    from unnest('{entered,cluster,channels,worker,claims,parked,looked,looked_waiting,log_first,native}'::text[]) n,
         unnest('{x,"",-1,2147483647,known,off}'::text[]) v
    union all
    values ('datestyle', 'German'), ('datestyle', 'SQL, DMY'), ('intervalstyle', 'iso_8601'), ('timezone', '<utc>-5')
    $$;
-- paused(): what a session has paused of others.
create function promise.paused() returns text
    language sql
    as $$
    select string_agg(reason, ', ')
    from (select paused_reason from postrider.schedule where paused and name = 'ann'
          union all select paused_reason from postrider.replay where phase = 'paused') as p(reason)
    $$;
select promise.publish('dead', 3) \g /dev/null
select promise.worker('dead', p_from_beginning => true) as w \gset
call promise.die(:'w');
select postrider.replay_start('{"channel": "dead"}', 'ann', 'again') \g /dev/null
do $$
declare
    p record;
    v_paused text;
    v_tried int := 0;
begin
    for p in select * from promise.poisons() loop
        begin
            perform promise.behind('ann', '2 hours');
            perform set_config(p.name, p.value, true);
            v_tried := v_tried + 1;
            begin
                perform postrider.fire_due();
            exception when others then null;  -- the caller's own trouble
            end;
            begin
                perform postrider.replay_step();
            exception when others then null;
            end;
            v_paused := promise.paused();
            raise raise_exception;  -- undoes the setting
        exception
            when raise_exception then
                assert v_paused is null, format('%s = %s: %s', p.name, p.value, v_paused);
            when others then null;  -- not a value of this setting
        end;
    end loop;
    assert v_tried > 200, v_tried;
end
$$;
select promise.behind('ann', '2 hours') \g /dev/null
set session authorization test_schedules_eve;
do $$
begin
    perform postrider.publish('a', p_channel => 'spent' || n) from generate_series(1, 980) n;
    begin
        perform postrider.fire_due();
    exception when program_limit_exceeded then null;
    end;
end
$$;
reset session authorization;
do $$ begin
    assert promise.paused() is null, promise.paused();
    assert (promise.fire()).fired > 0;
end $$;

-- an open transaction
create extension dblink;
select promise.behind('ann', '2 hours') \g /dev/null
select dblink_connect('eve', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                    current_setting('port'), session_user, current_database())) \g /dev/null
select dblink_exec('eve', 'set session authorization test_schedules_mute; begin') \g /dev/null
select * from dblink('eve', 'select 1 from postrider.fire_due()') as t(n int) \g /dev/null
do $$
declare
    v_began timestamptz;
begin
    assert (select 'lock_timeout=5s' = any (proconfig) from pg_proc where oid = 'postrider.require_schedule(text, text)'::regprocedure);
    alter function postrider.require_schedule set lock_timeout = '300ms';  -- saves time
    v_began := clock_timestamp();
    perform promise.raises($q$select postrider.pause_schedule('ann')$q$, '55P03');
    assert clock_timestamp() - v_began between interval '290 ms' and interval '30 s';
end
$$;
select dblink_disconnect('eve') \g /dev/null

-- rights
set session authorization test_schedules_ann;
select promise.raises(format($q$select postrider.%s$q$, c), 'PR010')
from unnest(array['define_schedule(''often'', ''{"cron": "@daily", "message": {"event_type": "a"}}'')', 'pause_schedule(''often'')',
                  'run_schedule(''often'')', 'remove_schedule(''often'')',
                  'backfill_schedule(''often'', ''yesterday'', ''today'')']) c;
set session authorization test_schedules_mute;
select promise.raises($q$select postrider.define_schedule('mute', '{"cron": "@daily", "message": {"event_type": "a"}}')$q$, 'PR010');
reset session authorization;
drop role test_schedules_eve, test_schedules_ann, test_schedules_mute;
