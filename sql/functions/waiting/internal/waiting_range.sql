-- waiting_range(cursor): the messages that wait in the rest of a segment, by the index of those messages. log_range() explains the
-- bounds, and the caller orders by (xid, seq) and limits.
-- Stable, one query and without settings, so that the planner inlines it.
create or replace function postrider.waiting_range(p_cursor postrider.claim_cursor) returns table (
    xid xid8, seq bigint, priority smallint, keyed boolean, due_at timestamptz, published_at timestamptz, target text, event_type text, place tid
)
    language sql stable
    as $$
    select m.xid, m.seq, m.priority::smallint, m.unique_key is not null or m.set_id is not null,
           coalesce(m.available_at, m.published_at), m.published_at, m.target::text, m.event_type::text, m.ctid
    from postrider.message m
    where (m.priority <> 0 or m.available_at is not null)
      and m.channel::text || '' = (p_cursor).channel
      and (m.xid, m.seq) > (
          greatest((p_cursor).xid, pg_catalog.pg_snapshot_xmax((p_cursor).done)),
          case when (p_cursor).xid >= pg_catalog.pg_snapshot_xmax((p_cursor).done) then (p_cursor).seq else 0 end)
      and m.xid < (p_cursor).before
      and pg_catalog.pg_visible_in_snapshot(m.xid, (p_cursor).open)
      and m.published_at >= (p_cursor).low
      and m.published_at < (p_cursor).high
    $$;
