-- move_cursor(consumer_id, …): puts a consumer's cursor behind everything that `open` shows.
-- done_xid is a transaction id that was assigned after done_at, open_xid one assigned after open_at: whatever has a
-- higher one was begun later. Where no such id is known it is the highest there is. Transactions below doubt_xid may have
-- published by another clock.
-- Touches: lease (one finished row without members).
create or replace function postrider.move_cursor(
    p_consumer_id int, p_done pg_snapshot, p_open pg_snapshot, p_done_xid xid8, p_open_xid xid8,
    p_done_at timestamptz, p_open_at timestamptz, p_floor_at timestamptz,
    p_ceiling_at timestamptz, p_doubt_xid xid8 default null
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    insert into postrider.lease (
        consumer_id, token, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at, floor_at,
        ceiling_at, doubt_xid, from_xid, from_seq, to_xid, to_seq, members, claimed_at, deadline, finished_at)
    select p_consumer_id, gen_random_uuid(), p_done, p_open, p_done_xid, p_open_xid, p_done_at,
           p_open_at, p_floor_at, p_ceiling_at, p_doubt_xid, pg_snapshot_xmax(p_open), 0, pg_snapshot_xmax(p_open), 0, '{}',
           t.now, t.now, t.now
    from (select clock_timestamp() as now) t;
end
$$;
