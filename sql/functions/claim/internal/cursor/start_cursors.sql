-- start_cursors(consumer_id, at, floor): puts both cursors of a consumer behind every message that a snapshot shows. Transactions that are
-- in progress in it are still to be read, whenever they began. No transaction id is known to be assigned after the snapshot.
-- p_floor_at: no message behind the cursor was published an hour or more before it.
-- Touches: lease (a finished row without members for each).
-- postrider: after move_cursor
create or replace function postrider.start_cursors(
    p_consumer_id int, p_at pg_snapshot, p_floor_at timestamptz default '-infinity'
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.claim_cursor;
begin
    c.consumer_id := p_consumer_id;
    c.done := p_at;
    c.open := p_at;
    c.done_xid := '18446744073709551615';
    c.open_xid := '18446744073709551615';
    c.done_at := clock_timestamp();
    c.open_at := clock_timestamp();
    c.floor_at := p_floor_at;
    c.ceiling_at := clock_timestamp();
    perform postrider.move_cursor(c);
    c.consumer_id := -p_consumer_id;
    perform postrider.move_cursor(c);
end
$$;
