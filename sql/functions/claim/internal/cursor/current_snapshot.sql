-- current_snapshot(): pg_current_snapshot() in which the calling transaction is in progress. PostgreSQL leaves a
-- transaction's own id out of its snapshots, which makes it look finished as soon as a later one is; messages that it
-- publishes afterwards would lie before a cursor made from such a snapshot.
create or replace function postrider.current_snapshot() returns pg_snapshot
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_snapshot pg_snapshot := pg_current_snapshot();
    v_own xid8 := pg_current_xact_id_if_assigned();
begin
    if v_own is null or not pg_visible_in_snapshot(v_own, v_snapshot) then
        return v_snapshot;
    end if;
    return format('%s:%s:%s', least(pg_snapshot_xmin(v_snapshot), v_own), pg_snapshot_xmax(v_snapshot),
                  (select string_agg(x::text, ',' order by x)
                   from (select pg_snapshot_xip(v_snapshot) union all select v_own) as running(x)))::pg_snapshot;
end
$$;
