-- Promises about work that the engine does for all roles: one role with much of it does not delay another one with little:
--   schedules fire in turns of their owners, also when those of one have large messages
--   leases and deliveries of dead workers are taken back in turns of the owners of their consumers, also from a thousand ordered ones
--   a lost lease of a consumer with many handlers is taken back in steps, and by the owner's workers alone if one message is too large for that
--   event types of handlers, and how often they changed, are limited, and a lost lease is compared with a bounded number of them
--   alerts are sent in turns of their consumers
--   settings of a worker, such as its time zone, do not reach schedules of others or attempts that operators read
--   a set whose message is nested too deeply for the stack of a worker's report does not stop its members' consumer
\ir ../../sql/include/promises.sql
\ir ../../sql/include/wide.sql
drop role if exists test_turns_greedy, test_turns_modest;
create role test_turns_greedy login in role postrider_worker, postrider_producer;
create role test_turns_modest login in role postrider_worker, postrider_producer;
grant all on schema promise to public;

-- schedules: thirty of a megabyte that are long overdue, of which half are short as jsonb, and one small one; 8 MB fire in one call
set session authorization test_turns_greedy;
select count(postrider.define_schedule('greedy' || n, jsonb_build_object(
    'cron', '@every 1s', 'catch_up', '366 days',
    'message', jsonb_build_object('event_type', 'greedy', 'payload', case n % 2
        when 0 then to_jsonb(repeat('x', 900000)) else ('[' || repeat('1e130000,', 6) || '1e130000]')::jsonb end))))
from generate_series(1, 30) n \g /dev/null
set session authorization test_turns_modest;
select postrider.define_schedule('modest', '{"cron": "@every 5s", "message": {"event_type": "modest"}}') \g /dev/null
reset session authorization;
do $$
begin
    update postrider.schedule set next_slot = now() - interval '1 day', next_at = now() - interval '1 day' where owner = 'test_turns_greedy';
    update postrider.schedule set next_slot = date_trunc('minute', now()), next_at = now() where owner = 'test_turns_modest';
    perform postrider.fire_due();
    assert (select fired > 0 from postrider.schedule where name = 'modest');
    assert (select count(*) from postrider.schedule where fired > 0 and owner = 'test_turns_greedy') between 1 and 15;
end
$$;

-- leases of dead workers: 300 of one role, all older than the one of the other
select set_config('promise.greedy', gen_random_uuid()::text, false), set_config('promise.modest', gen_random_uuid()::text, false) \g /dev/null
set session authorization test_turns_greedy;
select postrider.register_worker(current_setting('promise.greedy')::uuid, 'greedy', '[{"name": "greedy.all", "event_types": ["*"]}]', 'greedy') \g /dev/null
select promise.publish('greedy', 300) \g /dev/null
do $$ begin for i in 1..300 loop perform postrider.claim(current_setting('promise.greedy')::uuid, 1); end loop; end $$;
set session authorization test_turns_modest;
select postrider.register_worker(current_setting('promise.modest')::uuid, 'modest', '[{"name": "modest.all", "event_types": ["*"]}]', 'modest') \g /dev/null
select promise.publish('modest', 1) \g /dev/null
select count(*) from postrider.claim(current_setting('promise.modest')::uuid, 1) \g /dev/null
reset session authorization;
create function promise.dies() returns void
    language sql
    as $$ update postrider.worker set alive_until = clock_timestamp() - interval '1 second' $$;
do $$
begin
    perform promise.dies();
    assert (select leases = 100 from postrider.reap());
    assert (select reaped_at is not null from postrider.lease l join postrider.consumer c on c.id = l.consumer_id
            where c.name = 'modest' and l.worker_id is not null);
    while (select leases = 100 from postrider.reap()) loop
    end loop;
end
$$;

-- their deliveries; the worker of one role has the id that sorts first
create function promise.hold_due(p_channel text, p_worker uuid, p_count int) returns void
    language plpgsql
    as $$
begin
    update postrider.delivery set available_at = clock_timestamp() where channel = p_channel;
    perform postrider.register_worker(p_worker, p_channel, jsonb_build_array(
        jsonb_build_object('name', p_channel || '.all', 'event_types', array['*'])), p_channel);
    assert (select count(*) = p_count from postrider.claim_due(p_worker, 1000));
end
$$;
select promise.hold_due('greedy', '00000000-0000-0000-0000-000000000001', 300);
select promise.hold_due('modest', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 1);
do $$
begin
    perform promise.dies();
    assert (select deliveries = 100 from postrider.reap());
    assert (select status = 'pending' from postrider.delivery where channel = 'modest');
end
$$;

-- a thousand ordered consumers of one role: one call takes the locks of a hundred, among them that of the other role
insert into postrider.consumer (name, channel, ordered) select 'many' || n, 'greedy', true from generate_series(1, 1000) n;
insert into postrider.consumer_owner (name, role) select 'many' || n, 'test_turns_greedy' from generate_series(1, 1000) n;
update postrider.consumer set ordered = true where name = 'modest';
do $$
begin
    for i in 1..3 loop
        assert (select c.id <> all (postrider.lock_idle_ordered()) from postrider.consumer c where c.name = 'modest');
    end loop;
end
$$;
update postrider.consumer set ordered = false where name = 'modest';

-- alerts: a hundred of one consumer, then one of another
do $$
begin
    perform postrider.add_alert_target('ops');
    insert into postrider.alert (at, handler_name, consumer, channel)
    select now(), 'a', case when n <= 100 then 'greedy' else 'modest' end, 'a' from generate_series(1, 101) n;
    perform postrider.send_alerts(array(select id from postrider.alert where handler_name = 'a'));
    assert (select count(*) = 10 and bool_or(consumer = 'modest') from postrider.claim_alerts('ops', 10));
    assert (select count(*) = 91 from postrider.claim_alerts('ops', 100));
end
$$;

-- a message that publish_set() accepts; the report of a worker has less of the stack
select promise.worker('deep', p_consumer => 'deep') as deep \gset
select postrider.publish_set('deep', '[{"event_type": "member", "target": "deep", "channel": "deep"}]', jsonb_build_object(
    'event_type', 'done', 'payload', (repeat('[', 8000) || repeat(']', 8000))::jsonb)) \g /dev/null
select postrider.publish('other', p_channel => 'deep') \g /dev/null
select count(*) from postrider.claim(:'deep', 10) \g /dev/null
select count(*) from postrider.claim(:'deep', 10) \g /dev/null
set max_stack_depth = '200kB';
select postrider.settle(:'deep', l.id, l.token) from postrider.lease l where l.worker_id = :'deep' and l.finished_at is null \g /dev/null
do $$
begin
    assert (select problem ~ 'stack' and completed_at is null from postrider.job_set where name = 'deep');
    assert not exists (select from postrider.open_leases l join postrider.consumer c on c.id = l.consumer_id where c.name = 'deep');
end
$$;
reset max_stack_depth;
do $$
begin
    perform postrider.maintain();
    assert (select problem is null and completed_at is not null from postrider.job_set where name = 'deep');
end
$$;

-- a lost lease of 2500 messages is taken back in three steps; its worker has lost all of it with the first
select promise.worker('large', p_consumer => 'large') as large \gset
select promise.publish('large', 2500) \g /dev/null
select count(*) from postrider.claim(:'large', 2500) \g /dev/null
select promise.dies() \g /dev/null
select set_config('promise.large', :'large', false) \g /dev/null
do $$
declare
    v_lease bigint := (select l.id from postrider.lease l where l.worker_id = current_setting('promise.large')::uuid);
begin
    for i in 1..3 loop
        assert (select leases = 1 from postrider.reap()), i;
        assert (select count(*) = least(i * 1000, 2500) from postrider.delivery where channel = 'large'), i;
        assert (select array_agg(h) = array[v_lease] from postrider.heartbeat(current_setting('promise.large')::uuid, array[v_lease]) h), i;
    end loop;
    assert (select leases = 0 from postrider.reap());
end
$$;

-- a caller's settings do not reach the schedules of others
set session authorization test_turns_greedy;
set timezone = 'ABC+100';
set standard_conforming_strings = off;
do $$
begin
    perform postrider.fire_due();
end
$$;
reset session authorization;
reset timezone;
reset standard_conforming_strings;
do $$
begin
    assert not exists (select from postrider.schedule where paused), (select min(paused_reason) from postrider.schedule);
end
$$;

-- a worker's settings do not reach the attempts that operators read
select promise.worker('zone', p_consumer => 'zone') as zone \gset
select promise.publish('zone', 1) \g /dev/null
set timezone = 'ABC+100';
select postrider.settle(:'zone', c.lease_id, c.lease_token, p_failures => jsonb_build_array(jsonb_build_object(
    'seq', c.seq, 'handler', 'test.all', 'outcome', 'transient', 'error', 'no answer', 'error_class', 'timeout')))
from postrider.claim(:'zone', 1) c \g /dev/null
reset timezone;
do $$
begin
    assert (select a.at between now() - interval '1 minute' and now() + interval '1 minute' from postrider.attempts a where a.consumer = 'zone');
end
$$;

-- every message makes a thousand deliveries
select promise.wide('wide', 1000, '*') as wide \gset
select promise.publish('wide', 5) \g /dev/null
select count(*) from postrider.claim(:'wide', 5) \g /dev/null
select promise.dies() \g /dev/null
do $$
begin
    for i in 1..5 loop
        assert (select leases = 1 from postrider.reap()), i;
        assert promise.copies('wide') = i * 1000, i;
    end loop;
    assert (select leases = 0 from postrider.reap());
end
$$;

-- a thousand handlers, of which one accepts each message
select promise.wide('many', 1000, 't.N') as many \gset
select count(postrider.publish('t.' || n, p_channel => 'many')) from generate_series(1, 150) n \g /dev/null
select count(*) from postrider.claim(:'many', 150) \g /dev/null
select promise.dies() \g /dev/null
do $$
begin
    assert (select leases = 1 from postrider.reap());
    assert promise.copies('many') = 100;
    assert (select leases = 1 from postrider.reap());
    assert promise.copies('many') = 150;
end
$$;

-- 20 copies of a megabyte
set session authorization test_turns_modest;
select promise.wide('huge', 20, '*') as huge \gset
select postrider.publish('huge', to_jsonb(repeat('x', 1000000)), p_channel => 'huge') \g /dev/null
select count(*) from postrider.claim(:'huge', 5) \g /dev/null
reset session authorization;
select promise.dies() \g /dev/null
set session authorization test_turns_greedy;
select leases as by_others from postrider.reap() \gset
set session authorization test_turns_modest;
select leases as by_owner from postrider.reap() \gset
reset session authorization;
select set_config('promise.taken', :'by_others' || ' ' || :'by_owner', false) \g /dev/null
do $$
begin
    assert current_setting('promise.taken') = '0 1', current_setting('promise.taken');
    assert promise.copies('huge') = 20;
end
$$;

-- four copies of a megabyte each: four messages are sixteen megabytes
select promise.wide('copied', 4, '*') as copied \gset
select count(postrider.publish('copied', to_jsonb(repeat('x', 1000000)), p_channel => 'copied')) from generate_series(1, 10) \g /dev/null
select count(*) from postrider.claim(:'copied', 10) \g /dev/null
select promise.dies() \g /dev/null
do $$
begin
    assert (select leases = 1 from postrider.reap());
    assert promise.copies('copied') = 16, promise.copies('copied');
end
$$;

-- event types: a call compares at most 200,000 times
select promise.worker('typed', (
    select jsonb_agg(jsonb_build_object('name', 'typed.h' || h, 'event_types', (
        select jsonb_agg('t' || h || '_' || t || '.*') from generate_series(1, 1000) t) || '["wanted"]'))
    from generate_series(1, 2) h), 'typed') as typed \gset
select count(postrider.publish('wanted', p_channel => 'typed')) from generate_series(1, 300) \g /dev/null
select count(*) from postrider.claim(:'typed', 300) \g /dev/null
select promise.dies() \g /dev/null
do $$
begin
    for n in 1..100 loop
        perform postrider.reap();
        exit when promise.copies('typed') > 0;  -- others may come first
    end loop;
    assert promise.copies('typed') = 2 * (200000 / 2002), promise.copies('typed');
end
$$;

-- many dead workers beside many open leases: also for a caller whose plans are generic
do $$
declare
    w uuid := promise.worker('alive', p_consumer => 'alive');
    v_began timestamptz;
begin
    perform promise.publish('alive', 1);
    commit;
    perform postrider.claim(w, 1);
    insert into postrider.lease overriding system value
    select r.*
    from postrider.lease l cross join generate_series(1, 10000) n
    cross join lateral jsonb_populate_record(l, jsonb_build_object('id', l.id + n, 'token', gen_random_uuid())) r
    where l.worker_id = w and l.members <> '{}';
    insert into postrider.worker
    select r.*
    from postrider.worker o cross join generate_series(1, 50000) n
    cross join lateral jsonb_populate_record(o, jsonb_build_object('id', md5(n::text)::uuid, 'alive_until', now() - interval '1 minute')) r
    where o.id = w;
    commit;
    set local plan_cache_mode = force_generic_plan;
    v_began := clock_timestamp();
    perform postrider.reap();
    assert clock_timestamp() - v_began < interval '1.5 s', clock_timestamp() - v_began;
end
$$;

-- changes: 999 that were made before, as by workers that replace each other
do $$
declare
    v_change text := $sql$select postrider.register_worker(md5('restless')::uuid, 'restless', jsonb_build_array(jsonb_build_object(
        'name', 'restless.h', 'event_types', jsonb_build_array(gen_random_uuid()))), 'restless')$sql$;
begin
    execute v_change;
    insert into postrider.handler (consumer_id, name, revision, event_types, starts, ends, retired_at)
    select h.consumer_id, h.name, n, array['t' || n], h.starts, h.starts, clock_timestamp()
    from postrider.handler h, generate_series(-998, 0) n where h.name = 'restless.h';
    execute v_change;
    perform promise.raises(v_change, 'PR002');
    -- Those that ended before the log begins are removed.
    update postrider.handler set retired_at = now() + interval '10 years' where name = 'restless.h' and revision > -400 and ends is not null;
    execute format('drop table postrider.%I', (select p.name from postrider.partitions() p limit 1));
    execute v_change;
    assert (select count(*) = 403 from postrider.handler where name = 'restless.h');
end
$$;
