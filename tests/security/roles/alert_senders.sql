-- Promises about the targets of alerts:
--   a worker role can neither claim the alerts of a target of another role nor make them go elsewhere
--   senders that know the place, and logins of one group, share a target
--   a sender gets the error texts of the consumers that it may work for, and no others
--   an open transaction of one sender stops no other
\ir ../../sql/include/promises.sql
\ir ../../sql/include/dead.sql
grant all on all functions in schema promise to public;
drop role if exists test_alert_pay_1, test_alert_pay_2, test_alert_pay, test_alert_mail, test_alert_eve;
create role test_alert_pay nologin;
create role test_alert_pay_1 login in role postrider_worker, test_alert_pay;
create role test_alert_pay_2 login in role postrider_worker, test_alert_pay;
create role test_alert_mail login in role postrider_worker;
create role test_alert_eve login in role postrider_worker;

set session authorization test_alert_pay_1;
do $$ begin
    assert postrider.add_alert_target('ops', 'fingerprint of pay', true);
end $$;
reset session authorization;
update postrider.alert_target set owner = 'test_alert_pay' where name = 'ops';
select set_config('promise.w', promise.worker('alerts', '[{"name": "a.x", "event_types": ["*"]}]')::text, false) \g /dev/null
select promise.publish('alerts', 3, 'one') \g /dev/null
call promise.die(current_setting('promise.w')::uuid);

set session authorization test_alert_eve;
do $$ begin
    assert not postrider.add_alert_target('ops', 'elsewhere', true), 'another role cannot redirect them';
    assert not postrider.add_alert_target('ops', null, true);
    assert not postrider.may_send_alerts('ops', 'elsewhere') and not postrider.may_send_alerts('ops', null);
    perform promise.raises($q$select postrider.claim_alerts('ops')$q$, 'PR010');
    perform promise.raises($q$select postrider.claim_alerts('ops', p_configuration => 'elsewhere')$q$, 'PR010');
    -- a target of its own takes nothing from the other
    assert postrider.add_alert_target('mine', 'elsewhere', true);
    assert not exists (select from postrider.claim_alerts('mine', p_configuration => 'elsewhere'));
end $$;

-- another service with the same address, and a rotated login with another one
set session authorization test_alert_mail;
do $$ begin
    assert postrider.add_alert_target('ops', 'fingerprint of pay', true);
    assert postrider.may_send_alerts('ops', 'fingerprint of pay');
    assert (select count(*) from postrider.claim_alerts('ops', 1, p_configuration => 'fingerprint of pay')) = 1;
end $$;
set session authorization test_alert_pay_2;
do $$ begin
    assert postrider.add_alert_target('ops', 'new address', true);
    assert postrider.may_send_alerts('ops', 'new address') and not postrider.may_send_alerts('ops', 'fingerprint of pay');
    assert (select count(*) from postrider.claim_alerts('ops', p_configuration => 'new address')) = 2;
end $$;

-- a target without a configuration is shared by its name
reset session authorization;
select postrider.add_alert_target('sink') \g /dev/null
set session authorization test_alert_eve;
do $$ begin
    assert postrider.add_alert_target('sink') and postrider.may_send_alerts('sink', null);
    perform postrider.claim_alerts('sink');
end $$;
reset session authorization;

-- error texts
create function promise.texts(p_target text) returns text
    language sql
    as $$ select string_agg(c.consumer || ' ' || coalesce(c.last_error, '-'), ', ' order by c.consumer) from postrider.claim_alerts(p_target, 100) c $$;
grant all on all functions in schema promise to public;
set session authorization test_alert_eve;
select postrider.add_alert_target('all') \g /dev/null
select set_config('promise.eve', promise.worker('texts', p_consumer => 'eve')::text, false) \g /dev/null
set session authorization test_alert_pay_1;
select set_config('promise.pay', promise.worker('texts', p_consumer => 'pay')::text, false) \g /dev/null
reset session authorization;
select promise.publish('texts', 1) \g /dev/null
call promise.die(current_setting('promise.pay')::uuid, p_error => 'card 4111 of Ann is refused');
call promise.die(current_setting('promise.eve')::uuid, p_error => 'own');
set session authorization test_alert_eve;
do $$
declare
    v_text text := promise.texts('all');
begin
    assert v_text = 'eve own, pay -', v_text;
end
$$;
reset session authorization;
update postrider.alert_sending set available_at = clock_timestamp();
do $$
declare
    v_text text := promise.texts('all');
begin
    assert v_text = 'eve own, pay card 4111 of Ann is refused', v_text;
end
$$;

-- open transactions; workers claim in the session in which they would wait for another one
create extension dblink;
select dblink_connect('eve', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                    current_setting('port'), session_user, current_database())) \g /dev/null
update postrider.alert_target set seen_at = seen_at - interval '2 hours';
update postrider.alert_configuration set seen_at = clock_timestamp() - interval '30 seconds';
select dblink_exec('eve', 'set session authorization test_alert_eve; begin') \g /dev/null
select * from dblink('eve', $$select 1 from postrider.add_alert_target('one more') union all select 1 from postrider.claim_alerts('sink')
                              union all select 1 from postrider.claim_alerts('all') union all select 1 where postrider.may_send_alerts('mine', 'elsewhere')$$)
    as t(n int) \g /dev/null
set session authorization test_alert_pay_1;
set lock_timeout = '1s';
select postrider.claim_alerts('sink'), postrider.claim_alerts('all'), postrider.may_send_alerts('mine', 'elsewhere'),
       postrider.add_alert_target('sink') \g /dev/null
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform promise.raises($q$select postrider.add_alert_target('another')$q$, '55P03');
    assert clock_timestamp() - v_began between interval '90 ms' and interval '5 s';
end
$$;
reset session authorization;
select dblink_disconnect('eve') \g /dev/null
