-- open_segment(cursor): the cursor at the start of the next segment. All messages of the present segment have been handed out.
-- The clock tells where in the log the new segment is, unless its messages may have been published before the server was started
-- or before the clock was set. Then recheck_bounds() reads the partitions.
-- Returns: the new cursor. Nothing is written.
-- Touches: message (read), and the setting postrider.looked or postrider.looked_waiting of the session.
-- postrider: after recheck_bounds, current_snapshot
create or replace function postrider.open_segment(p_cursor postrider.claim_cursor) returns postrider.claim_cursor
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.claim_cursor := p_cursor;
begin
    c.looked := current_setting(case when c.consumer_id > 0 then 'postrider.looked' else 'postrider.looked_waiting' end, true)
            is distinct from c.consumer_id::text
        or c.now not between c.open_at - interval '10 minutes' and c.open_at + interval '10 minutes';
    -- A message that `open` does not show was published after done_at when its xid is higher than one assigned after that. A floor
    -- in the future would hide new messages: the clock may have been ahead then.
    c.floor_at := least(c.now, case when pg_snapshot_xmin(c.open) > c.done_xid then c.done_at else c.floor_at end);
    c.done := c.open;
    c.done_xid := c.open_xid;
    c.done_at := c.open_at;
    -- The lease notes this transaction's id, if it is assigned after the snapshot; otherwise the highest id there is.
    c.own_xid := pg_current_xact_id_if_assigned() is null;
    c.open_at := c.now;
    c.open_xid := '18446744073709551615';
    c.open := case when c.own_xid then pg_current_snapshot() else postrider.current_snapshot() end;
    c.before := pg_snapshot_xmax(c.open);
    c.ceiling_at := c.open_at;
    if c.looked or c.recheck_xid is not null then
        select d.looked, d.recheck_xid, least(c.floor_at, d.floor_at), greatest(c.ceiling_at, d.ceiling_at)
        into c.looked, c.recheck_xid, c.floor_at, c.ceiling_at
        from postrider.recheck_bounds(c) d;
    end if;
    c.low := c.floor_at - interval '1 hour';
    c.high := c.ceiling_at + interval '1 hour';
    c.late := pg_snapshot_xmin(c.done) < pg_snapshot_xmax(c.done);
    c.xid := '0';
    c.seq := 0;
    c.advanced := true;
    return c;
end
$$;
