-- exchange_native(worker, limit, …): exchange_packed() with reads in C: the same arguments but the last, the same promises and rows, at
-- a fraction of the cost. It calls exchange_packed() in unusual cases, and always while the setting postrider.native is off. Without a worker and a
-- limit it does nothing, which checks whether the server can load the library.
-- native_trouble(): null, or the first difference between this schema and the one the library expects. With a difference, claims are made in SQL.
-- read_direct_native(cursor, …): read_direct() with reads in C, but it does not look for followers and deliveries of the keys; see
-- read_segment_piece(). All results are null when it has to be done in SQL. found: the rest of the segment has a message for the consumer.
-- look_ahead_native(cursor, …): the reads of look_ahead() in C, up to p_most messages back from (p_to_xid, p_to_seq): the places with the lowest
-- number behind each, and how many messages were read, with the lowest number of all.
-- They are the extension postrider_native; where a server cannot have extensions of its own, `postrider migrate up` makes them from
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

create or replace function postrider.read_direct_native(
    p_cursor record, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room int, p_chain int,
    out seqs bigint[], out xids xid8[], out keys text[],
    out noted_seqs bigint[], out noted_xids xid8[], out noted_keys text[], out noted_times timestamptz[],
    out messages bytea, out from_at timestamptz, out to_at timestamptz, out found boolean, out more boolean
)
    language c volatile
    as 'postrider_native', 'read_direct_native';

create or replace function postrider.look_ahead_native(
    p_cursor record, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_most int,
    out xids xid8[], out seqs bigint[], out lowest bigint[], out read int, out lowest_read bigint
)
    language c volatile
    as 'postrider_native', 'look_ahead_native';

alter function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval) owner to postrider_owner;
alter function postrider.native_trouble() owner to postrider_owner;
alter function postrider.read_direct_native(record, xid8, bigint, bigint, text[], int, int) owner to postrider_owner;
alter function postrider.look_ahead_native(record, xid8, bigint, bigint, int) owner to postrider_owner;
revoke all on function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval), postrider.native_trouble(),
    postrider.read_direct_native(record, xid8, bigint, bigint, text[], int, int),
    postrider.look_ahead_native(record, xid8, bigint, bigint, int) from public;
grant execute on function postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval) to postrider_worker;
