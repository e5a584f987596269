-- Promises about who may work for a consumer:
--   a worker role cannot narrow, resume, unregister, claim or settle for a consumer that belongs to another role
--   the owner of a name owns it on every channel, so no other role receives what a replay moves there
--   logins of one group share its consumers; an operator transfers them, and the audit says so
--   a changed handler is audited, and its live workers are told once
\ir ../../sql/include/promises.sql
grant all on all functions in schema promise to public;
drop role if exists test_owner_pay_1, test_owner_pay_2, test_owner_pay, test_owner_eve, test_owner_boss;
create role test_owner_pay nologin;
create role test_owner_pay_1 login in role postrider_worker, test_owner_pay;
create role test_owner_pay_2 login in role postrider_worker, test_owner_pay;
create role test_owner_eve login in role postrider_worker, postrider_viewer;
create role test_owner_boss login in role postrider_operator;

-- the session user owns a consumer that it creates; a role that it names instead must be one of its own
set session authorization test_owner_pay_1;
select postrider.register_worker('00000000-0000-0000-0000-0000000000a1', 'pay', '[{"name": "pay.all", "event_types": ["a", "b"]}]',
                                 'owned', p_owner => 'test_owner_pay') \g /dev/null
select postrider.register_worker('00000000-0000-0000-0000-0000000000a9', 'mine', '[{"name": "mine.all", "event_types": ["*"]}]') \g /dev/null
select promise.raises($$select postrider.create_consumer('theirs', p_owner => 'test_owner_eve')$$, 'PR010');
select promise.raises($$select postrider.create_consumer('theirs', p_owner => 'no_such_role')$$, 'PR001');
select promise.raises($$select postrider.create_consumer('ours', p_owner => 'postrider_worker')$$, 'PR010');
set session authorization test_owner_boss;
do $$ begin
    assert (select owner from postrider.consumers where consumer = 'pay') = 'test_owner_pay';
    assert (select owner from postrider.consumers where consumer = 'mine') = 'test_owner_pay_1';
end $$;

-- others are refused, whatever they present
reset session authorization;
select promise.publish('owned', 5, 'a') \g /dev/null
set session authorization test_owner_pay_1;
select count(*) as held from postrider.claim('00000000-0000-0000-0000-0000000000a1', 2) \gset
set session authorization test_owner_eve;
do $$
declare
    v_mine constant uuid := '00000000-0000-0000-0000-0000000000e1';
    v_theirs constant text := '''00000000-0000-0000-0000-0000000000a1''';
    v_handlers constant text := '''[{"name": "pay.all", "event_types": ["none"]}]''';
    v_call text;
begin
    -- narrowed handlers; the same name on another channel, which a replay could move payloads to
    perform promise.raises(format('select postrider.register_worker(%L, ''pay'', %s, ''owned'')', v_mine, v_handlers), 'PR010');
    perform promise.raises(format('select postrider.register_worker(%L, ''pay'', %s, ''outbox_gen_2'')', v_mine, v_handlers), 'PR010');
    perform promise.raises('select postrider.create_consumer(''pay'', ''outbox_gen_2'')', 'PR010');
    -- the id of another consumer's worker, which viewers see
    perform promise.raises(format('select postrider.register_worker(%s, ''eve'', %s)', v_theirs, v_handlers), 'PR010');
    foreach v_call in array array['resume_worker(%s)', 'unregister_worker(%s)', 'heartbeat(%s)', 'claim(%s)', 'claim_due(%s)',
                                  'exchange(%s, 10)', 'exchange_packed(%s, 10)', 'settle_due(%s, ''[]'')',
                                  'changed_handlers(%s)', 'extend(%s, 1, null, ''1 s'')', 'release(%s, 1, null)', 'exchange_waiting(%s, 10)',
                                  'record_runs(%s)', 'record_progress(%s, ''[]'')', 'hand_over_many(%s, ''[]'')', 'intake(%s)',
                                  'cancelled_jobs(%s)', 'next_times(%s)', 'next_due(%s)'] loop
        perform promise.raises('select postrider.' || format(v_call, v_theirs), 'PR010');
    end loop;
    perform promise.raises('select postrider.hand_over(''pay'', ''pay.all'', ''{"id": "1", "event_type": "a"}'')', 'PR010');
    perform promise.raises('select postrider.handle_once(row(''pay'', ''pay.all'', '''', ''k''))', 'PR010');
    assert postrider.handle_once(row('eve', 'eve.all', '', 'k')), 'a consumer without an owner is open';
end
$$;
-- not even when the setting says that the connection is known, or by SET ROLE
select set_config('postrider.worker', '00000000-0000-0000-0000-0000000000a1 1', false),
       set_config('postrider.claims', 'known', false) \g /dev/null
select promise.raises($$select postrider.exchange_packed('00000000-0000-0000-0000-0000000000a1', 10)$$, 'PR010');
set role postrider_worker;
select promise.raises($$select postrider.resume_worker('00000000-0000-0000-0000-0000000000a1')$$, 'PR010');
reset role;
select promise.raises($$select postrider.transfer_consumer('pay', 'test_owner_eve')$$, '42501');
reset session authorization;
do $$ begin
    assert not exists (select from postrider.consumer where name = 'pay' and channel <> 'owned'), 'nothing was made';
    assert (select event_types from postrider.handlers where handler = 'pay.all') = '{a,b}', 'nothing was narrowed';
    assert not exists (select from postrider.event_handled where consumer_name = 'pay');
    assert (select count(*) from postrider.lease l join postrider.consumer c on c.id = l.consumer_id
            where c.name = 'pay' and l.finished_at is null) = 1, 'what runs was left alone';
end $$;

-- another login of the group resumes the worker and goes on
set session authorization test_owner_pay_2;
do $$
declare
    r record;
begin
    select * into r from postrider.resume_worker('00000000-0000-0000-0000-0000000000a1');
    assert r.leases = 1, r;
    assert (select count(*) from postrider.claim('00000000-0000-0000-0000-0000000000a1', 10)) = 3;
    assert postrider.handle_once(row('pay', 'pay.all', '', 'k'));
end
$$;

-- a change of a handler is audited, and live workers are told, once
select postrider.register_worker('00000000-0000-0000-0000-0000000000a2', 'pay', '[{"name": "pay.all", "event_types": ["b"]}]', 'owned') \g /dev/null
do $$ begin
    assert array(select postrider.changed_handlers('00000000-0000-0000-0000-0000000000a1')) = '{pay.all}';
    assert array(select postrider.changed_handlers('00000000-0000-0000-0000-0000000000a1')) = '{}';
    assert array(select postrider.changed_handlers('00000000-0000-0000-0000-0000000000a2')) = '{}', 'the one that changed it knows';
end $$;
set session authorization test_owner_boss;
do $$
declare
    a postrider.audits;
begin
    select * into strict a from postrider.audits where action = 'change_handler' and filter ->> 'consumer' = 'pay';
    assert a.role = 'test_owner_pay_2' and a.before ->> 'event_types' = '["a", "b"]' and a.after ->> 'event_types' = '["b"]', a;
    perform postrider.retire_handler('pay', 'pay.all', 'owned');
    assert exists (select from postrider.audits where action = 'retire_handler' and role = 'test_owner_boss');
end
$$;

-- an operator transfers a consumer, on the record; the old owner is out at once, also with a worker that it has registered and a lease that it has
reset session authorization;
select promise.publish('outbox_default', 1, 'kept') \g /dev/null
set session authorization test_owner_pay_1;
select lease_id as kept, lease_token as token from postrider.claim('00000000-0000-0000-0000-0000000000a9', 1) \gset
reset session authorization;
set session authorization test_owner_boss;
select postrider.transfer_consumer('mine', 'test_owner_eve', 'boss', 'a test') \g /dev/null
select promise.raises($$select postrider.transfer_consumer('mine', 'no_such_role')$$, 'PR001');
select promise.raises($$select postrider.transfer_consumer('no_such_consumer', 'test_owner_eve')$$, 'PR003');
do $$ begin
    assert exists (select from postrider.audits where action = 'transfer_consumer' and role = 'test_owner_boss'
                   and before = '{"owner": "test_owner_pay_1"}' and after = '{"owner": "test_owner_eve"}');
end $$;
set session authorization test_owner_pay_1;
select promise.raises($$select postrider.register_worker('00000000-0000-0000-0000-0000000000a9', 'mine', '[{"name": "mine.all", "event_types": ["*"]}]')$$, 'PR010');
select promise.raises($$select postrider.claim('00000000-0000-0000-0000-0000000000a9')$$, 'PR010');
select promise.raises($$select postrider.next_due('00000000-0000-0000-0000-0000000000a9')$$, 'PR010');
select promise.raises(format($$select postrider.settle('00000000-0000-0000-0000-0000000000a9', %s, %L)$$, :kept, :'token'), 'PR010');
select promise.raises(format($$select postrider.settle('00000000-0000-0000-0000-0000000000a9', %s, %L, null, '[]')$$, :kept, :'token'), 'PR010');
set session authorization test_owner_eve;
select postrider.register_worker('00000000-0000-0000-0000-0000000000e2', 'mine', '[{"name": "mine.all", "event_types": ["*"]}]') \g /dev/null

-- a consumer from before there were owners goes to the first worker that registers
reset session authorization;
delete from postrider.consumer_owner where name = 'mine';
set session authorization test_owner_pay_1;
select postrider.register_worker('00000000-0000-0000-0000-0000000000a9', 'mine', '[{"name": "mine.all", "event_types": ["*"]}]') \g /dev/null
set session authorization test_owner_eve;
select promise.raises($$select postrider.register_worker('00000000-0000-0000-0000-0000000000e2', 'mine', '[{"name": "mine.all", "event_types": ["*"]}]')$$, 'PR010');

-- an owner that was dropped leaves only the owner of the schema, until an operator transfers the consumer
reset session authorization;
update postrider.consumer_owner set role = 'dropped' where name = 'mine';
set session authorization test_owner_pay_1;
select promise.raises($$select postrider.resume_worker('00000000-0000-0000-0000-0000000000a9', '{}', '{}')$$, 'PR010');
reset session authorization;
select postrider.resume_worker('00000000-0000-0000-0000-0000000000a9') \g /dev/null
drop role test_owner_pay_1, test_owner_pay_2, test_owner_pay, test_owner_eve, test_owner_boss;
