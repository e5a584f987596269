-- log_late(channel, done, open, from_xid, from_seq, to_xid, to_seq, low, high): the late committers' messages of a
-- segment behind (from_xid, from_seq) up to (to_xid, to_seq), in order: messages of transactions that were in
-- progress in `done` and are visible in `open`, looked up one transaction at a time. Arguments and promises are
-- log_range()'s.
create or replace function postrider.log_late(
    p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint,
    p_to_xid xid8, p_to_seq bigint, p_low timestamptz, p_high timestamptz
) returns setof postrider.message
    language sql stable
    as $$
    select late.*
    from pg_catalog.unnest(array(
        select x from pg_catalog.pg_snapshot_xip(p_done) x
        where x >= p_from_xid and x <= p_to_xid and pg_catalog.pg_visible_in_snapshot(x, p_open)
        order by x)) as x(xid)
    cross join lateral (
        select m.* from postrider.message m
        where m.channel = p_channel and m.xid = x.xid
          and m.seq > case when x.xid = p_from_xid then p_from_seq else 0 end
          and m.seq <= case when x.xid = p_to_xid then p_to_seq else 9223372036854775807 end
          and m.published_at >= p_low
          and m.published_at < p_high
        order by m.xid, m.seq
        offset 0) late
    $$;
