-- waiting_late(cursor): the messages that wait among those of late committers of a segment, in order, looked up one transaction at
-- a time. log_late() explains late committers.
-- Stable, one query and without settings, so that the planner inlines it.
create or replace function postrider.waiting_late(p_cursor postrider.claim_cursor) returns table (
    xid xid8, seq bigint, priority smallint, keyed boolean, due_at timestamptz, published_at timestamptz, target text, event_type text, place tid
)
    language sql stable
    as $$
    select late.*
    from pg_catalog.unnest(array(
        select x from pg_catalog.pg_snapshot_xip((p_cursor).done) x
        where x >= (p_cursor).xid and pg_catalog.pg_visible_in_snapshot(x, (p_cursor).open)
        order by x)) as x(xid)
    cross join lateral (
        select m.xid, m.seq, m.priority::smallint, m.unique_key is not null or m.set_id is not null,
               coalesce(m.available_at, m.published_at), m.published_at, m.target::text, m.event_type::text, m.ctid
        from postrider.message m
        where (m.priority <> 0 or m.available_at is not null)
          and m.channel::text || '' = (p_cursor).channel and m.xid = x.xid
          and m.seq > case when x.xid = (p_cursor).xid then (p_cursor).seq else 0 end
          and m.published_at >= (p_cursor).low
          and m.published_at < (p_cursor).high
        order by m.xid, m.seq
        offset 0) late
    $$;
