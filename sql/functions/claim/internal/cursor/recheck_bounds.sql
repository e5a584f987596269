-- recheck_bounds(cursor): searches the log for the bounds of a new segment, if some of its messages may have been published
--   before the clock was set. Those are all messages of a segment when cursor.looked is set: no claim searched just before, or
--   another session did, or the clock was ahead; from then on messages of transactions that were open at that time, which are
--   below recheck_xid, when they commit.
-- Returns: whether it searched; then a floor and a ceiling, null when there is no message; and the new recheck_xid, null: no
--   transaction is in question any more.
-- Touches: message (read), and the setting postrider.looked or postrider.looked_waiting of the session.
-- postrider: after log_bounds
create or replace function postrider.recheck_bounds(
    p_cursor postrider.claim_cursor,
    out looked boolean, out recheck_xid xid8, out floor_at timestamptz, out ceiling_at timestamptz
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_unknown constant xid8 := '18446744073709551615';
begin
    recheck_xid := p_cursor.recheck_xid;
    if not p_cursor.looked and pg_snapshot_xmin(p_cursor.done) > recheck_xid then
        looked := false;
        recheck_xid := null;
        return;
    end if;
    -- An id that was assigned but not yet visible to other sessions when `done` was taken is not in its list of
    -- transactions in progress.
    looked := p_cursor.looked or pg_snapshot_xmax(p_cursor.done) <= recheck_xid
        or exists (select from pg_snapshot_xip(p_cursor.done) x
                   where x < recheck_xid and pg_visible_in_snapshot(x, p_cursor.open));
    if not looked then
        return;
    end if;
    select b.floor_at, b.ceiling_at into floor_at, ceiling_at
    from postrider.log_bounds(p_cursor.channel, p_cursor.done) b;
    if p_cursor.looked or recheck_xid = v_unknown then
        recheck_xid := case when p_cursor.own_xid then pg_current_xact_id() else v_unknown end;
    end if;
    perform set_config(case when p_cursor.consumer_id > 0 then 'postrider.looked' else 'postrider.looked_waiting' end,
                       p_cursor.consumer_id::text, false);
end
$$;
