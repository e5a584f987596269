-- Promise: with the advisory locks revoked from PUBLIC as SECURITY.md says, strangers cannot take them, and every role does its work.
\ir ../../sql/include/promises.sql
grant all on all functions in schema promise to public;
drop role if exists test_revoked_stranger, test_revoked_producer, test_revoked_worker, test_revoked_operator;
create role test_revoked_stranger login;
create role test_revoked_producer login in role postrider_producer;
create role test_revoked_worker login in role postrider_worker;
create role test_revoked_operator login in role postrider_operator;
do $$
declare
    f regprocedure;
begin
    for f in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^pg_(try_)?advisory_' loop
        execute format('revoke execute on function %s from public', f);
        execute format('grant execute on function %s to postrider_producer, postrider_worker, postrider_operator, postrider_owner', f);
    end loop;
end
$$;
set session authorization test_revoked_stranger;
select promise.raises('select pg_advisory_lock(1886351202, 1)', '42501');
select promise.raises('select pg_try_advisory_xact_lock_shared(1)', '42501');
set session authorization test_revoked_worker;
select set_config('promise.w', promise.worker('revoked')::text, false) \g /dev/null
set session authorization test_revoked_producer;
select postrider.publish('a', p_channel => 'revoked') \g /dev/null
insert into postrider.message (event_type, channel) values ('a', 'revoked');
set session authorization test_revoked_worker;
do $$
begin
    assert promise.drain(current_setting('promise.w')::uuid) = 2;
    assert postrider.doorbell_keep('revoked');
    perform postrider.doorbell_hold('revoked'), postrider.doorbell_release('revoked'), postrider.doorbell_relay('revoked'), postrider.maintain(), postrider.reap();
end
$$;
set session authorization test_revoked_operator;
select postrider.set_retention('alert', '3 days'), postrider.retire_handler('reader', 'test.all', 'revoked') \g /dev/null
reset session authorization;
drop role test_revoked_stranger, test_revoked_producer, test_revoked_worker, test_revoked_operator;
