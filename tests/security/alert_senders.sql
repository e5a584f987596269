-- Promises about the targets of alerts:
--   a worker role can neither claim the alerts of a target of another role nor make them go elsewhere
--   senders that know the place, and logins of one group, share a target
\ir ../sql/include/promises.sql
\ir ../sql/include/dead.sql
grant all on all functions in schema promise to public;
drop role if exists test_pay_1, test_pay_2, test_pay, test_mail, test_eve;
create role test_pay nologin;
create role test_pay_1 login in role postrider_worker, test_pay;
create role test_pay_2 login in role postrider_worker, test_pay;
create role test_mail login in role postrider_worker;
create role test_eve login in role postrider_worker;

set session authorization test_pay_1;
do $$ begin
    assert postrider.add_alert_target('ops', 'fingerprint of pay', true);
end $$;
reset session authorization;
update postrider.alert_target set owner = 'test_pay' where name = 'ops';
select set_config('promise.w', promise.worker('alerts', '[{"name": "a.x", "event_types": ["*"]}]')::text, false) \g /dev/null
select promise.publish('alerts', 3, 'one') \g /dev/null
call promise.die(current_setting('promise.w')::uuid);

set session authorization test_eve;
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
set session authorization test_mail;
do $$ begin
    assert postrider.add_alert_target('ops', 'fingerprint of pay', true);
    assert postrider.may_send_alerts('ops', 'fingerprint of pay');
    assert (select count(*) from postrider.claim_alerts('ops', 1, p_configuration => 'fingerprint of pay')) = 1;
end $$;
set session authorization test_pay_2;
do $$ begin
    assert postrider.add_alert_target('ops', 'new address', true);
    assert postrider.may_send_alerts('ops', 'new address') and not postrider.may_send_alerts('ops', 'fingerprint of pay');
    assert (select count(*) from postrider.claim_alerts('ops', p_configuration => 'new address')) = 2;
end $$;

-- a target without a configuration is shared by its name
reset session authorization;
select postrider.add_alert_target('sink') \g /dev/null
set session authorization test_eve;
do $$ begin
    assert postrider.add_alert_target('sink') and postrider.may_send_alerts('sink', null);
    perform postrider.claim_alerts('sink');
end $$;
reset session authorization;
