-- exchange_native(worker, limit, …): exchange_packed() with reads in C: the same arguments but the last, the same promises and rows, at
-- a fraction of the cost. What is unusual it leaves to exchange_packed(), and everything while the setting postrider.native is
-- off. Without a worker and a limit it does nothing, which tells whether the server can load the library.
-- native_trouble(): null, or the first difference between this schema and the one the library knows; claims are made in SQL then.
-- Both are the extension postrider_native; where a server cannot have extensions of its own, `postrider migrate up` makes them from
-- this file. The server finds the library postrider_native in its dynamic_library_path.
create or replace function postrider.exchange_native(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null
) returns table (settled text, parked int, lease_id bigint, lease_token uuid, messages bytea)
    language c volatile security definer
    set search_path = pg_catalog, pg_temp
    as 'postrider_native', 'exchange_native';

create or replace function postrider.native_trouble() returns text
    language c volatile
    as 'postrider_native', 'native_trouble';

alter function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval) owner to postrider_owner;
alter function postrider.native_trouble() owner to postrider_owner;
revoke all on function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval), postrider.native_trouble()
    from public;
grant execute on function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval) to postrider_worker;
