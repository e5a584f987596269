-- doubt_clock(consumer_id, channel, done, open, anew, own_xid, doubt_xid): where the messages of a new segment are, if some of them
-- may have been published by another clock than today's. Those are
--   all of a segment when nobody looked just before, not in this session, or by a clock that was ahead: p_anew says so;
--   from then on those of transactions that were open at that time, which are below doubt_xid, when they commit.
-- p_own_xid says whether the transaction had no id before it took `open`.
-- Returns: whether it looked; then a floor and a ceiling, null when there is nothing; and how long to doubt, null: no more.
-- Touches: message (read), and the setting postrider.looked of the session.
-- postrider: after log_bounds
create or replace function postrider.doubt_clock(
    p_consumer_id int, p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_anew boolean, p_own_xid boolean,
    inout doubt_xid xid8, out looked boolean, out floor_at timestamptz, out ceiling_at timestamptz
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_unknown constant xid8 := '18446744073709551615';
begin
    if not p_anew and pg_snapshot_xmin(p_done) > doubt_xid then
        looked := false;
        doubt_xid := null;
        return;
    end if;
    -- An id that was assigned and had not shown up when `done` was taken is none of those in progress in it.
    looked := p_anew or pg_snapshot_xmax(p_done) <= doubt_xid
        or exists (select from pg_snapshot_xip(p_done) x
                   where x < doubt_xid and pg_visible_in_snapshot(x, p_open));
    if not looked then
        return;
    end if;
    select b.floor_at, b.ceiling_at into floor_at, ceiling_at from postrider.log_bounds(p_channel, p_done) b;
    if p_anew or doubt_xid = v_unknown then
        doubt_xid := case when p_own_xid then pg_current_xact_id() else v_unknown end;
    end if;
    perform set_config('postrider.looked', p_consumer_id::text, false);
end
$$;
