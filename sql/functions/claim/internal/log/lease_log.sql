-- lease_log(channel, lease): the messages of the log between the bounds of a lease, of which a claim has handed out those that its consumer
-- wanted and that did not wait. The transaction that the lease ends in has a search of its own: an index scan up to (to_xid, to_seq) would read
-- that transaction to its end.
-- Stable, one query and without settings, so that the planner inlines it. log_range() explains the bounds.
-- postrider: after log_late, log_range
create or replace function postrider.lease_log(p_channel text, p_lease postrider.lease) returns setof postrider.message
    language sql stable
    as $$
    select m.* from postrider.log_late(
        p_channel, (p_lease).done_snapshot, (p_lease).open_snapshot, (p_lease).from_xid, (p_lease).from_seq, (p_lease).to_xid, (p_lease).to_seq,
        (p_lease).floor_at - interval '1 hour', (p_lease).ceiling_at + interval '1 hour') m
    where (p_lease).to_xid < pg_catalog.pg_snapshot_xmax((p_lease).done_snapshot)
    union all
    select m.* from postrider.log_range(
        p_channel, (p_lease).done_snapshot, (p_lease).open_snapshot, (p_lease).from_xid, (p_lease).from_seq, (p_lease).to_xid,
        (p_lease).floor_at - interval '1 hour', (p_lease).ceiling_at + interval '1 hour') m
    where (p_lease).to_xid >= pg_catalog.pg_snapshot_xmax((p_lease).done_snapshot)
    union all
    select m.* from postrider.message m
    where (p_lease).to_xid >= pg_catalog.pg_snapshot_xmax((p_lease).done_snapshot)
      and m.channel = p_channel and m.xid = (p_lease).to_xid and m.seq <= (p_lease).to_seq
      and m.seq > case when (p_lease).from_xid = (p_lease).to_xid then (p_lease).from_seq else 0 end
      and pg_catalog.pg_visible_in_snapshot(m.xid, (p_lease).open_snapshot)
      and m.published_at >= (p_lease).floor_at - interval '1 hour' and m.published_at < (p_lease).ceiling_at + interval '1 hour'
    $$;
