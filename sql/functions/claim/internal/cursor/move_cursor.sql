-- move_cursor(cursor): puts a consumer's cursor behind every message that cursor.open shows.
-- done_xid is a transaction id that was assigned after done_at, open_xid one assigned after open_at: transactions with a higher id
-- began later. Where no such id is known it is the highest there is. Transactions below recheck_xid may have published by another
-- clock.
-- Touches: lease (one finished row without members).
create or replace function postrider.move_cursor(p_cursor postrider.claim_cursor) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_end xid8 := pg_snapshot_xmax(c.open);
    v_now timestamptz := clock_timestamp();
begin
    insert into postrider.lease (
        consumer_id, token, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at, floor_at, ceiling_at, recheck_xid,
        from_xid, from_seq, to_xid, to_seq, members, claimed_at, deadline, finished_at)
    values (c.consumer_id, gen_random_uuid(), c.done, c.open, c.done_xid, c.open_xid, c.done_at, c.open_at, c.floor_at, c.ceiling_at,
            c.recheck_xid, v_end, 0, v_end, 0, '{}', v_now, v_now, v_now);
end
$$;
