-- log_range(channel, done, open, from_xid, from_seq, before, low, high): the messages of a segment behind
-- (from_xid, from_seq) and of transactions before `before` that began after `done`: one range of the index. The caller
-- orders by (xid, seq): an ORDER BY in this function would be a separate step of the caller's plan.
-- A segment is the set of messages that `open` shows and `done` does not; log_late() and log_range() together read it,
-- and neither ever scans from an old xmin. low and high bound published_at, and so the partitions to look in. They
-- have no settings and no owner's rights, so that the planner can inline them into the calling statement.
create or replace function postrider.log_range(
    p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint,
    p_before xid8, p_low timestamptz, p_high timestamptz
) returns setof postrider.message
    language sql stable
    as $$
    select m.* from postrider.message m
    where m.channel = p_channel
      and (m.xid, m.seq) > (
          greatest(p_from_xid, pg_catalog.pg_snapshot_xmax(p_done)),
          case when p_from_xid >= pg_catalog.pg_snapshot_xmax(p_done) then p_from_seq else 0 end)
      and m.xid < p_before
      and pg_catalog.pg_visible_in_snapshot(m.xid, p_open)
      and m.published_at >= p_low
      and m.published_at < p_high
    $$;
