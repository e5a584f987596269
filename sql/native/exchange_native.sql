-- exchange_native(worker, limit, …): exchange_packed() in C: the same arguments but the last, the same promises and rows, at a
-- third of the cost. What is unusual it leaves to exchange_packed(). Without a worker and a limit it does nothing, which tells
-- whether the server can load the library.
-- Made by `postrider migrate up` where the setting postrider.native is on; not part of the function set, because the server
-- needs the library postrider_native for it, in $libdir or wherever its dynamic_library_path leads.
-- Returns, raises, touches: as exchange_packed().
create or replace function postrider.exchange_native(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null
) returns setof postrider.handed_out
    language c volatile
    as 'postrider_native', 'exchange_native';

alter function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval) owner to postrider_owner;
revoke all on function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval) from public;
grant execute on function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval) to postrider_worker;
