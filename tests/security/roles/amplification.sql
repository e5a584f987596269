-- Promises about what one caller can multiply:
--   a transaction publishes to a thousand channels at most, by every way in, and the lock table survives; turns between few are free
--   no producer publishes to the channel of messages from brokers, where no worker reads the log
--   a role has twenty alert targets at most, and there are a hundred
--   a producer cannot make a claim look at thousands of priorities
--   a role has quotas of consumers, handlers, event types, live workers and schedules, and maintenance takes no lock for each consumer, ordered or not
--   a worker cannot describe a handler or a limit in megabytes, nor an agent a filter, which lists and the audit repeat
\ir ../../sql/include/promises.sql
drop role if exists test_amplify_producer, test_amplify_worker;
create role test_amplify_producer login in role postrider_producer;
create role test_amplify_worker login in role postrider_worker;

set session authorization test_amplify_producer;
select promise.raises($$insert into postrider.message (event_type, channel) select 'a', 'c' || n from generate_series(1, 13000) n$$, 'PR002');
select promise.raises($$select count(postrider.publish('a', p_channel => 'd' || n)) from generate_series(1, 1300) n$$, 'PR002');
select promise.raises($$select postrider.publish_many(jsonb_agg(jsonb_build_object('event_type', 'a', 'channel', 'e' || n)))
                        from generate_series(1, 1300) n$$, 'PR002');
-- the channel of messages from brokers, also after one whose name ends like it
select promise.raises($$select postrider.publish('a', p_channel => 'broker')$$, 'PR001');
select postrider.publish('a', p_channel => 'no_broker') \g /dev/null
select promise.raises($$select postrider.publish('a', p_channel => 'broker')$$, 'PR001');
-- in pieces, of one transaction
do $$
begin
    for i in 0..9 loop
        perform postrider.publish('a', p_channel => format('f%s-%s', i, n)) from generate_series(1, 90) n;
    end loop;
    perform promise.raises($q$select count(postrider.publish('a', p_channel => 'g' || n)) from generate_series(1, 400) n$q$, 'PR002');
end
$$;
-- the next transaction begins to count from nothing
insert into postrider.message (event_type, channel) select 'a', 'h' || n from generate_series(1, 900) n;
-- channels that take turns are counted once
insert into postrider.message (event_type, channel) select 'a', 'i' || n % 400 from generate_series(1, 4000) n;
insert into postrider.message (event_type, channel) select 'a', 'i' || n % 3 from generate_series(1, 9000) n;

select promise.raises(format('insert into postrider.message (event_type, priority) values (%L, %s)', 'a', p), '23514')
from unnest('{-101,101,32767}'::int[]) p;
select promise.raises(format('select postrider.publish(%L, p_priority => %s)', 'a', p), 'PR001') from unnest('{-101,101,99999}'::int[]) p;
select promise.raises($$select postrider.publish_many('[{"event_type": "a", "priority": 101}]')$$, 'PR001');

set session authorization test_amplify_worker;
-- a transaction with one snapshot would not count the targets of others
begin isolation level repeatable read;
select promise.raises($$select postrider.add_alert_target('one more')$$, 'PR005');
rollback;
select count(postrider.add_alert_target('t' || n)) from generate_series(1, 20) n \g /dev/null
select promise.raises($$select postrider.add_alert_target('one more')$$, 'PR002');
reset session authorization;
select count(postrider.add_alert_target('t' || n)) from generate_series(21, 100) n \g /dev/null
set session authorization test_amplify_worker;
select postrider.add_alert_target('t7') \g /dev/null
select promise.raises($$select postrider.add_alert_target('one more')$$, 'PR002');
select promise.raises(format('select postrider.register_worker(gen_random_uuid(), ''a'', %L)', h), 'PR002')
from (select jsonb_build_array(jsonb_build_object('name', 'a.x', 'event_types', jsonb_agg('type' || n))) from generate_series(1, 3000) n
      union all
      select jsonb_build_array(jsonb_build_object('name', 'a.x', 'event_types', '["*"]'::jsonb, 'classes', jsonb_build_object(
          'terminal', jsonb_build_array(repeat('x', 20000)))))
      union all
      select jsonb_agg(jsonb_build_object('name', 'a.x' || n, 'event_types', '["*"]'::jsonb)) from generate_series(1, 1001) n) as t(h);
select postrider.register_worker(gen_random_uuid(), 'a', '[{"name": "a.x", "event_types": ["*"]}]') \g /dev/null
select promise.raises(format('select postrider.set_limit(''a'', ''a.x'', %L)', jsonb_build_object('key', 'source', 'per_key', 1, 'weights', w)), 'PR002')
from (select jsonb_object_agg('k' || n, 2) from generate_series(1, 1001) n
      union all
      select jsonb_build_object(repeat('k', 256), 2)) as t(w);
reset session authorization;
select promise.raises(format('select postrider.%s(%L, ''me'', ''test'')', f, filter), 'PR002')
from unnest('{replay_propose,replay_start,discard,restore}'::text[]) f
cross join (select jsonb_build_object('deliveries', jsonb_agg(n)) from generate_series(1, 1001) n
            union all
            select jsonb_build_object('ids', jsonb_agg(gen_random_uuid())) from generate_series(1, 1001)
            union all
            select jsonb_build_object('error', repeat('x', 70000))
            union all
            select jsonb_build_object('deliveries', jsonb_build_array(repeat('0', 70000)))) as t(filter);
update postrider.worker set alive_until = '-infinity';
select postrider.remove_consumer('a', 'me', 'test') \g /dev/null
do $$
begin
    assert (select count(*) from postrider.alert_target) = 100;
    assert (select count(*) from postrider.message) = 1 + 900 + 900 + 4000 + 9000;
    perform postrider.remove_alert_target('t1');
    perform postrider.add_alert_target('one more');
end
$$;
-- consumers: on all channels, and until a member of postrider_owner raises the quota
set session authorization test_amplify_worker;
select count(postrider.create_consumer('more' || n)) from generate_series(1, 99) n \g /dev/null
select postrider.create_consumer('more1', 'another') \g /dev/null
select promise.raises($$select postrider.create_consumer('one.more')$$, 'PR002');
select promise.raises($$select postrider.create_consumer('more1', 'third')$$, 'PR002');
select postrider.create_consumer('more1') \g /dev/null
select promise.raises($$update postrider.setting set value = '101' where name = 'role_consumers'$$, '42501');
reset session authorization;
update postrider.setting set value = '101' where name = 'role_consumers';
set session authorization test_amplify_worker;
select postrider.create_consumer('one.more') \g /dev/null
select promise.raises($$select postrider.create_consumer('two.more')$$, 'PR002');
reset session authorization;
insert into postrider.consumer (name, channel) select 'many' || n, 'outbox_default' from generate_series(1, 900) n;
insert into postrider.consumer_owner (name, role) select 'many' || n, 'test_amplify_worker' from generate_series(1, 900) n;
set session authorization test_amplify_worker;
do $$
begin
    perform postrider.reap();
    assert (select count(*) < 110 from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'), 'a lock for each consumer';
end
$$;
reset session authorization;
update postrider.consumer set ordered = true where name like 'many%';
set session authorization test_amplify_worker;
do $$
begin
    perform postrider.reap();
    assert (select count(*) < 210 from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'), 'a lock for each ordered consumer';
end
$$;
-- handlers and their event types: those of all consumers of the role count
select count(postrider.register_worker(gen_random_uuid(), 'more' || c, (
    select jsonb_agg(jsonb_build_object('name', 'a.y' || n, 'event_types', '["*"]'::jsonb)) from generate_series(1, 500) n)))
from generate_series(1, 2) c \g /dev/null
select promise.raises(format('select postrider.register_worker(gen_random_uuid(), %L, ''[{"name": "a.z", "event_types": ["*"]}]'')', c), 'PR002')
from unnest('{more1,more3}'::text[]) c;
select promise.raises('select postrider.hand_over(''more3'', ''a.z'', ''{"id": "1", "event_type": "a"}'')', 'PR002');
select postrider.register_worker(gen_random_uuid(), 'more1', '[{"name": "a.y1", "event_types": ["b"]}]') \g /dev/null
reset session authorization;
select postrider.retire_handler('more1', 'a.y2') \g /dev/null
set session authorization test_amplify_worker;
select promise.raises($$select postrider.register_worker(gen_random_uuid(), 'more3', jsonb_build_array(jsonb_build_object(
    'name', 'a.z', 'event_types', (select jsonb_agg('t' || n) from generate_series(1, 4002) n))))$$, 'PR002');
select postrider.register_worker(gen_random_uuid(), 'more3', jsonb_build_array(jsonb_build_object(
    'name', 'a.z', 'event_types', (select jsonb_agg('t' || n) from generate_series(1, 1000) n)))) \g /dev/null
-- workers: dead ones are forgotten, also those whose messages no live worker has taken back
reset session authorization;
select promise.publish('outbox_default', 1) \g /dev/null
set session authorization test_amplify_worker;
select postrider.register_worker(md5('holds')::uuid, 'more1', '[{"name": "a.y3", "event_types": ["*"]}, {"name": "a.y1", "event_types": ["b"]}]') \g /dev/null
do $$ begin assert (select count(*) = 1 from postrider.claim(md5('holds')::uuid, 1)); end $$;
reset session authorization;
update postrider.worker set alive_until = now() - interval '1 hour' where login = 'test_amplify_worker';
insert into postrider.worker (id, consumer_id, handlers, host, version, alive_for, alive_until, login)
select gen_random_uuid(), c.id, '{a.y1}', '', '', '30 s', now() + make_interval(hours => case when n <= 999 then 1 else -1 end), 'test_amplify_worker'
from postrider.consumer c, generate_series(1, 4000) n where c.name = 'more1' and c.channel = 'another';
set session authorization test_amplify_worker;
select postrider.register_worker(md5('last')::uuid, 'more2', '[{"name": "a.y1", "event_types": ["*"]}]') \g /dev/null
select promise.raises($$select postrider.register_worker(gen_random_uuid(), 'more2', '[{"name": "a.y1", "event_types": ["*"]}]')$$, 'PR002');
select postrider.register_worker(md5('last')::uuid, 'more2', '[{"name": "a.y1", "event_types": ["*"]}]') \g /dev/null
reset session authorization;
do $$
begin
    assert (select bool_and(alive_until > now()) and count(*) = 1000 from postrider.worker where login = 'test_amplify_worker'),
        (select count(*) from postrider.worker);
end
$$;
-- workers that move to another role count there
create role test_amplify_group;
grant test_amplify_group to test_amplify_worker;
insert into postrider.consumer_owner (name, role) values ('grouped', 'test_amplify_group');
set session authorization test_amplify_worker;
select postrider.register_worker(md5('moves')::uuid, 'grouped', '[{"name": "a.y1", "event_types": ["b"]}]') \g /dev/null
select postrider.register_worker(md5('moves')::uuid, 'grouped', '[{"name": "a.y1", "event_types": ["b"]}]') \g /dev/null
select promise.raises($$select postrider.register_worker(md5('moves')::uuid, 'more2', '[{"name": "a.y1", "event_types": ["*"]}]')$$, 'PR002');
reset session authorization;
-- schedules
grant postrider_producer to test_amplify_worker;
insert into postrider.schedule (name, cron, parsed, time_zone, message, overlap, catch_up, jitter, next_slot, next_at, owner)
select 'many' || n, s.cron, s.parsed, s.time_zone, s.message, s.overlap, s.catch_up, s.jitter, s.next_slot, s.next_at, 'test_amplify_worker'
from postrider.read_schedule('many', '{"cron": "@yearly", "message": {"event_type": "a"}}') s, generate_series(1, 999) n;
set session authorization test_amplify_worker;
select postrider.define_schedule('last', '{"cron": "@yearly", "message": {"event_type": "a"}}') \g /dev/null
select promise.raises($$select postrider.define_schedule('one.more', '{"cron": "@yearly", "message": {"event_type": "a"}}')$$, 'PR002');
begin isolation level repeatable read;
select promise.raises($$select postrider.define_schedule('one.more', '{"cron": "@yearly", "message": {"event_type": "a"}}')$$, 'PR005');
rollback;
select postrider.define_schedule('last', '{"cron": "@daily", "message": {"event_type": "a"}}') \g /dev/null
reset session authorization;
select postrider.define_schedule('one.more', '{"cron": "@yearly", "message": {"event_type": "a"}}') \g /dev/null
select postrider.create_consumer('two.more', p_owner => 'test_amplify_worker') \g /dev/null
drop role test_amplify_producer, test_amplify_worker;
