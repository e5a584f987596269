-- Promises of the setting postrider.native, which any user may change:
--   every call reads it, whether it is set for a session, a role or a database
--   the login of the worker's session is checked as in SQL
\ir ../sql/include/promises.sql
\ir include/helped.sql

create function promise.helped() returns bigint
    language sql
    as $$
    select promise.helped('postrider.exchange_packed(uuid, int, bigint, uuid, bigint[], jsonb, interval, boolean)')
    $$;

select promise.worker('switch') as worker \gset
select promise.publish('switch', 30);
select postrider.exchange_packed(:'worker', 1);
select promise.helped();
-- native() returns how often the library called SQL for one claim.
create function promise.native(p_worker uuid) returns bigint
    language plpgsql
    as $$
begin
    perform promise.helped();
    perform postrider.exchange_native(p_worker, 1);
    return promise.helped();
end
$$;
grant usage on schema promise to public;
create function promise.expect(p_helped bigint, p_expected bigint) returns void
    language plpgsql as $$ begin assert p_helped = p_expected, p_helped; end $$;
select promise.expect(promise.native(:'worker'), 0);
set postrider.native = off;
select promise.expect(promise.native(:'worker'), 1);
set postrider.native = on;
select promise.expect(promise.native(:'worker'), 0);
begin;
set local postrider.native = off;
select promise.expect(promise.native(:'worker'), 1);
commit;
select promise.expect(promise.native(:'worker'), 0);

-- A user without rights may set it for itself, once its session has loaded the library.
select current_database() || '_user' as plain \gset
create role :plain in role postrider_worker;
set role :plain;
select count(*) from postrider.exchange_native(null, null);
alter role current_user set postrider.native = off;
reset role;
select promise.expect((select count(*) from pg_db_role_setting where 'postrider.native=off' = any (setconfig)
                       and setrole = :'plain'::regrole), 1);
-- If another login has registered the worker, SQL checks the owner.
update postrider.worker set login = :'plain' where id = :'worker';
select promise.expect(least(promise.native(:'worker'), 1), 1);
select promise.expect((select count(*) from postrider.worker where id = :'worker' and login = session_user), 1);
drop role :plain;
