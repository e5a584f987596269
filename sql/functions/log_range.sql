-- log_range(channel, done, open, xid, seq, floor, ceiling): the messages of a segment behind (xid, seq) that began
-- after `done`, in order: one range of the index.
-- A segment is what `open` shows and `done` does not; log_late() and log_range() together read it, and neither
-- ever scans from an old xmin. floor and ceiling bound the partitions to look in; an hour of slack lets the
-- clock step without hiding a row. They have no settings and no owner's rights, so that the planner can
-- dissolve them in the calling statement.
create or replace function postrider.log_range(
    p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_xid xid8, p_seq bigint,
    p_floor_at timestamptz, p_ceiling_at timestamptz
) returns setof postrider.message
    language sql stable
    as $$
    select m.* from postrider.message m
    where m.channel = p_channel
      and (m.xid, m.seq) > (
          greatest(p_xid, pg_catalog.pg_snapshot_xmax(p_done)),
          case when p_xid >= pg_catalog.pg_snapshot_xmax(p_done) then p_seq else 0 end)
      and m.xid < pg_catalog.pg_snapshot_xmax(p_open)
      and pg_catalog.pg_visible_in_snapshot(m.xid, p_open)
      and m.published_at >= p_floor_at - interval '1 hour'
      and m.published_at < p_ceiling_at + interval '1 hour'
    order by m.xid, m.seq
    $$;
