-- Promises about the audit:
--   a change of retention stands in it, with what was before, and so does everything else that removes something
--   its entries are kept for a time that no operator can shorten
\ir ../../sql/include/promises.sql
drop role if exists test_audit_operator, test_audit_owner;
create role test_audit_operator login in role postrider_operator;
create role test_audit_owner;
select postrider.add_alert_target('hook') \g /dev/null
insert into postrider.audit (at, actor, action, reason) values (clock_timestamp() - interval '200 days', 'eve', 'discard', 'hidden'),
                                                               (clock_timestamp() - interval '2000 days', 'eve', 'discard', 'old');

-- shorten, run, restore
set session authorization test_audit_operator;
select promise.raises($$select postrider.set_retention('audit', '1 day')$$, 'PR001');
select promise.raises($$select postrider.set_retention('audit', '364 days', '23 hours')$$, 'PR001');
select promise.raises($$select postrider.set_retention('audit', null)$$, 'PR001');
select promise.raises($$update postrider.setting set value = '1 day' where name = 'audit_floor'$$, '42501');
select promise.raises($$select postrider.set_retention('alert', '3 days', p_reason => ' ')$$, 'PR001');
select postrider.set_retention('audit', '365 days');
select postrider.set_retention('alert', '3 days', p_actor => 'ann', p_reason => 'noise');
select postrider.set_retention('outbox', '3 days', p_class => 'short');
select postrider.set_retention('outbox', null, p_class => 'short');
select count(*) from postrider.retention_run() \g /dev/null
do $$
begin
    assert (select array_agg(concat_ws(' ', actor, role, filter ->> 'entity', before ->> 'active_ttl', after ->> 'active_ttl') order by audit)
            from postrider.audits where action = 'set_retention')
        = '{test_audit_operator test_audit_operator audit 1095 days 365 days,ann test_audit_operator alert 30 days 3 days,
            test_audit_operator test_audit_operator outbox 3 days,test_audit_operator test_audit_operator outbox 3 days}';
    assert exists (select from postrider.audits where reason = 'hidden'), 'it is younger than the floor';
    assert not exists (select from postrider.audits where reason = 'old');
end
$$;
-- neither by another way to the policy
reset session authorization;
update postrider.retention_policy set active_ttl = '1 day' where entity = 'audit';
select count(*) from postrider.retention_run() \g /dev/null
do $$ begin assert exists (select from postrider.audits where reason = 'hidden'); end $$;
-- the owner can
set role postrider_owner;
update postrider.setting set value = '10 days' where name = 'audit_floor';
reset role;
set session authorization test_audit_operator;
select postrider.set_retention('audit', '20 days');
select count(*) from postrider.retention_run() \g /dev/null
do $$ begin assert not exists (select from postrider.audits where reason = 'hidden'); end $$;

-- what else an operator does to the log and its neighbours is on the record
select postrider.set_wake('recorded', 'never') \g /dev/null
select postrider.remove_alert_target('hook'), postrider.remove_alert_target('hook') \g /dev/null
select postrider.add_alert_target('later'), postrider.add_alert_target('later') \g /dev/null
select postrider.create_consumer('bank', 'recorded', p_owner => 'test_audit_owner', p_ordering => 'hold') \g /dev/null
select postrider.create_consumer('bank', 'recorded', p_ordering => 'skip'), postrider.create_consumer('bank', 'recorded', p_ordering => 'skip') \g /dev/null
select postrider.create_consumer('bank', 'another') \g /dev/null
reset session authorization;
do $$
begin
    assert (select array_agg(action order by id) from postrider.audit where action in ('set_wake', 'remove_alert_target'))
        = '{set_wake,remove_alert_target}';
    assert (select array_agg(concat_ws(' ', action, filter ->> 'target', filter ->> 'consumer', before ->> 'ordering', after ->> 'ordering',
                                       after ->> 'owner') order by id)
            from postrider.audit where action in ('add_alert_target', 'create_consumer', 'set_ordering'))
        = '{add_alert_target hook,add_alert_target later,create_consumer bank test_audit_owner,set_ordering bank none hold,set_ordering bank hold skip,create_consumer bank}',
        (select array_agg(to_jsonb(a) order by id) from postrider.audit a);
end
$$;

-- large documents are on the record by size, digest and beginning, so that no entry makes the list unreadable
do $$
declare
    v_large constant jsonb := jsonb_build_object('consumer', 'a', 'weights', repeat('x', 1000000));
    a postrider.audits;
begin
    perform postrider.write_audit('ann', 'test_large', 'r', v_large, v_large, '{"n": 1}');
    select * into strict a from postrider.audits where action = 'test_large';
    assert octet_length(a.filter::text) < 2000 and octet_length(a.before::text) < 2000 and a.after = '{"n": 1}', a.before;
    assert a.filter ->> 'consumer' = 'a' and a.before -> 'weights' ->> 'bytes' = '1000002'
           and a.before -> 'weights' ->> 'sha256' = encode(sha256(convert_to((v_large -> 'weights')::text, 'utf8')), 'hex')
           and a.before -> 'weights' ->> 'beginning' like '"xxx%', a.before;
end
$$;
drop role test_audit_operator, test_audit_owner;
