-- log_is_ahead(): whether a channel with consumers has messages with transaction ids that this cluster has not assigned
-- yet. They were published in another cluster, or before its transaction counter was set back, and no claim would see them.
-- is_home() checks the cursors, which is cheaper and enough for a producer; this function reads every partition.
-- Touches: consumer, message (read).
-- postrider: grant operator, viewer
create or replace function postrider.log_is_ahead() returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    -- Messages that this transaction has published itself are not ahead.
    v_next xid8 := greatest(pg_snapshot_xmax(pg_current_snapshot()),
                            (pg_current_xact_id_if_assigned()::text::bigint + 1)::text::xid8);
begin
    return exists (
        select from (select distinct channel from postrider.consumer) c
        cross join lateral (select from postrider.message m where m.channel = c.channel and m.xid >= v_next limit 1) m);
end
$$;
