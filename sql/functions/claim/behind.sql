-- behind(position): the ranges of the log that a position does not cover, see covers(): of each transaction that was in progress when a snapshot
-- of the position was taken, and the rest. A message lies in one exactly when (xid, seq) > (from_xid, after_seq) and, unless to_xid is null,
-- xid <= to_xid. So a search need not read the covered messages behind the oldest of these transactions.
-- postrider: grant operator, viewer, agent
create or replace function postrider.behind(p_at postrider.position)
    returns table (from_xid xid8, after_seq bigint, to_xid xid8)
    language plpgsql stable parallel safe
    rows 2  -- usually there is one: a larger estimate makes PostgreSQL compile the queries of the views (jit)
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query
    select x.xid, case when x.xid = (p_at).xid and pg_visible_in_snapshot(x.xid, (p_at).open) then (p_at).seq else 0 end, x.xid
    from (select pg_snapshot_xip((p_at).done) union select pg_snapshot_xip((p_at).open)) as x(xid)
    where x.xid >= (p_at).xid or not pg_visible_in_snapshot(x.xid, (p_at).open)
    union all
    select r.xid, case when r.xid = (p_at).xid and (p_at).xid < pg_snapshot_xmax((p_at).open) then (p_at).seq else 0 end, null
    from (select least(greatest(pg_snapshot_xmax((p_at).done), (p_at).xid), pg_snapshot_xmax((p_at).open)) as xid) r;
end
$$;
