-- Promises about values that one role stores and shared steps read:
--   the time for which an ordered consumer holds its keys is bounded, and one that cannot be used stops reap() for no other consumer
--   counts of one worker do not break the history of all handlers, whatever JSON types they have
--   a message that is handed over cannot be larger than the database can pass on, nor have a cycle that no replay can follow, nor an
--   instant that no clock can be compared with
--   the message of a set that will be refused is refused when the set is published; sets that are refused keep no other from its turn
--   an interval whose parts have different signs is longer than it compares: it neither stops retention, nor keeps a worker alive or a key
--   taken for centuries
\ir ../../sql/include/promises.sql
grant all on all functions in schema promise to public;
drop role if exists test_poison_eve, test_poison_pay, test_poison_boss, test_poison_producer;
create role test_poison_eve login in role postrider_worker;
create role test_poison_pay login in role postrider_worker;
create role test_poison_boss login in role postrider_operator;
create role test_poison_producer login in role postrider_producer;

-- intervals with parts of different signs
set session authorization test_poison_boss;
select promise.raises(format('select postrider.set_retention(%L, %L, %L, p_actor => ''boss'', p_reason => ''r'')', e, t, g), 'PR001')
from (values ('alert', '-106751000 days 2562024240 hours', '0'), ('audit', '2000 days', '-106751000 days 2562024240 hours'),
             ('alert', '1000000 days -23999000 hours', '0')) as v(e, t, g);
set session authorization test_poison_pay;
select promise.raises('select postrider.register_worker(gen_random_uuid(), ''pay'', ''[{"name": "pay.x", "event_types": ["*"]}]'', '
                      'p_alive_for => ''10000 years -3599999 days'')', 'PR001');
select postrider.register_worker('e0000000-0000-0000-0000-000000000009', 'long', '[{"name": "long.x", "event_types": ["*"]}]') \g /dev/null
select promise.raises('select postrider.heartbeat(''e0000000-0000-0000-0000-000000000009'', ''{}'', ''10000 years -3599999 days'')', 'PR001');
set session authorization test_poison_producer;
select promise.raises('select postrider.publish_unique(''a'', ''long'', ''k'', ''period'', p_period => ''10000 years -3599000 days'')', 'PR001');
reset session authorization;

-- the hold of an ordering key
set session authorization test_poison_eve;
select promise.raises(format('select postrider.register_worker(gen_random_uuid(), ''eve'', ''[{"name": "eve.x", "event_types": ["*"]}]'', p_ordering => %L)', o),
                      'PR001')
from unnest('{170000000 years,11 years,-1 day,1000000000000 days,infinity,x}'::text[]) o;
select postrider.register_worker('e0000000-0000-0000-0000-000000000001', 'eve', '[{"name": "eve.x", "event_types": ["*"]}]', 'held',
                                 p_ordering => '10 years') \g /dev/null
reset session authorization;
-- as an owner may have written it
update postrider.consumer set hold_for = '170000000 years' where name = 'eve';
select postrider.publish('a', p_channel => 'held', p_ordering_key => 'k') \g /dev/null
set session authorization test_poison_eve;
do $$
declare
    m record;
begin
    for i in 1..3 loop
        select * into m from postrider.claim('e0000000-0000-0000-0000-000000000001', 10);
        exit when found;
        commit;
    end loop;
    perform postrider.settle('e0000000-0000-0000-0000-000000000001', m.lease_id, m.lease_token, '{}',
                             jsonb_build_array(jsonb_build_object('seq', m.seq, 'outcome', 'terminal', 'error', 'no')));
end
$$;
set session authorization test_poison_pay;
select promise.worker('pay', p_consumer => 'pay') as w \gset
reset session authorization;
select promise.publish('pay', 3) \g /dev/null
set session authorization test_poison_pay;
select count(*) from postrider.claim(:'w', 10) \g /dev/null
reset session authorization;
update postrider.worker set alive_until = clock_timestamp() - interval '1 minute' where id = :'w';
do $$
begin
    assert (select count(*) = 1 from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id where c.name = 'eve' and d.heads);
    assert (select leases = 1 from postrider.reap()), 'the messages of pay come back';
    assert (select count(*) = 3 from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id where c.name = 'pay');
end
$$;

-- the history
set session authorization test_poison_eve;
select promise.raises(format('select postrider.record_runs(''e0000000-0000-0000-0000-000000000001'', %L)', r), 'PR001')
from unnest(array[
    '[{"handler": "eve.x", "delivered": 9223372036854775807}]', '[{"handler": "eve.x", "delivered": "9223372036854775807"}]',
    '[{"handler": "eve.x", "delivered": -1}]', '[{"handler": "eve.x", "delivered": "-1"}]', '[{"handler": "eve.x", "other": 1e300}]',
    '[{"handler": "eve.x", "run_times": "{9223372036854775807,1}"}]', '[{"handler": "eve.x", "run_times": [1, -1]}]',
    '[{"handler": "eve.x", "queue_times": [[1, 2], [3, 4]]}]', '[{"handler": "eve.x", "attempts": [null]}]',
    '[{"handler": "eve.x", "attempts": ["1"]}]', '[{"handler": "eve.x", "delivered": true}]', '[1]', '{"handler": "eve.x"}']) r;
do $$
begin
    for i in 1..50 loop
        perform postrider.record_runs('e0000000-0000-0000-0000-000000000001', jsonb_build_array(jsonb_build_object(
            'handler', 'eve.x', 'delivered', 999999999, 'transient', 999999999, 'terminal', 999999999, 'other', 999999999,
            'attempts', (select jsonb_agg(999999999) from generate_series(1, 100)),
            'run_times', (select jsonb_agg(999999999) from generate_series(1, 100)), 'queue_times', '[0, 0, 999999999]'::jsonb)));
    end loop;
end
$$;
set session authorization test_poison_boss;
do $$
begin
    assert (postrider.run_history('week') -> 'total' ->> 'delivered')::bigint = 50 * 999999999::bigint;
    assert json_array_length(postrider.run_history('hour') -> 'total' -> 'run_ms') = 3;
end
$$;

-- handed over
set session authorization test_poison_eve;
select promise.raises(format('select postrider.hand_over(''eve'', ''eve.x'', %s)', m), s)
from (values ($$'{"id": "1", "event_type": "a", "cycle": 2147483647}'$$, 'PR001'),
             ($$'{"id": "1", "event_type": "a", "cycle": 0}'$$, 'PR001'),
             ($$'{"id": "1", "event_type": "a", "published_at": "-infinity"}'$$, 'PR001'),
             ($$'{"id": "1", "event_type": "a", "occurred_at": "infinity"}'$$, 'PR001'),
             ($$json_build_object('id', '1', 'event_type', 'a', 'payload', json_build_object('x', repeat('x', 17000000)))$$, 'PR002'),
             ($$json_build_object('id', '1', 'event_type', 'a', 'headers', json_build_object('x', repeat('x', 1100000)))$$, 'PR002'),
             ($$json_build_object('id', '1', 'event_type', 'a', 'metadata', json_build_object('x', repeat(md5('x'), 10000)))$$, 'PR002')) as t(m, s);
select postrider.hand_over('eve', 'eve.x', '{"id": "1", "event_type": "a", "cycle": 1000000}', p_outcome => 'terminal') \g /dev/null
-- One that brokers take, and workers do not: a dead letter that keeps its content.
select delivery_id as large from postrider.hand_over('eve', 'eve.x', json_build_object(
    'id', '2', 'event_type', 'a', 'payload', json_build_object('x', repeat('x', 2000000))), p_delay_ms => 0) \gset
select postrider.register_worker('e0000000-0000-0000-0000-000000000002', 'eve', '[{"name": "eve.x", "event_types": ["*"]}]', 'broker') \g /dev/null
select count(*) from postrider.claim_due('e0000000-0000-0000-0000-000000000002', 10) \g /dev/null
set session authorization test_poison_boss;
select set_config('promise.large', :'large', false) \g /dev/null
do $$
begin
    assert (select (error_class, octet_length(payload::text) > 2000000) = ('too_large', true)
            from postrider.dead_letters where delivery_id = current_setting('promise.large')::bigint);
    perform postrider.replay_start('{"channel": "broker", "event_type": "a"}', 'boss', 'again');
    perform postrider.replay_step();
    assert not exists (select from postrider.replays where phase = 'paused'), 'every cycle can be followed by another';
end
$$;

-- the message of a set
reset session authorization;
select promise.worker('sets') \g /dev/null
set session authorization test_poison_producer;
select promise.raises(format($$select postrider.publish_set('s', '[{"event_type": "part", "channel": "sets", "target": "reader"}]', %s)$$, m), s)
from (values ($$jsonb_build_object('event_type', 'a', 'headers', jsonb_build_object('x', repeat(md5('x'), 2046)))$$, 'PR002'),
             ($$'{"event_type": "a", "id": "e0000000-0000-0000-0000-000000000001"}'$$, 'PR001'), ($$'[]'$$, 'PR001'), ($$null$$, 'PR001')) as t(m, s);
reset session authorization;
-- Sets that are always refused, as another version may have left them, and one that is not any more.
insert into postrider.job_set (name, message, dead, problem) select 'bad' || n, '{"event_type": ""}', 'ends', 'refused' from generate_series(1, 300) n;
insert into postrider.job_set (name, message, dead, problem) values ('good', '{"event_type": "good", "channel": "sets"}', 'ends', 'refused');
do $$
begin
    for i in 1..200 loop
        perform postrider.complete_sets();
        exit when exists (select from postrider.job_set where name = 'good' and completed_at is not null);
        assert i < 200, 'its turn never came';
    end loop;
end
$$;
drop role test_poison_eve, test_poison_pay, test_poison_boss, test_poison_producer;
