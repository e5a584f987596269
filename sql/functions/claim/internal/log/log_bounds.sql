-- log_bounds(channel, done): where in the log the messages of a channel are that `done` does not show, found by reading each
-- partition instead of relying on the clock.
-- Returns: a floor and a ceiling as a lease has them, an hour within the bounds of the partitions; null when there are none.
-- Touches: message (read), of each partition one row.
-- postrider: after partitions
create or replace function postrider.log_bounds(
    p_channel text, p_done pg_snapshot, out floor_at timestamptz, out ceiling_at timestamptz
)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set plan_cache_mode = force_generic_plan
    as $$
begin
    -- One partition at a time: the others are pruned when the bounds of one are known.
    select min(p.from_at) + interval '1 hour', max(p.to_at) - interval '1 hour'
    into floor_at, ceiling_at
    from postrider.partitions() p
    cross join lateral (
        select from postrider.message m
        where m.channel = p_channel and m.xid >= pg_snapshot_xmin(p_done)
          and m.published_at >= p.from_at and m.published_at < p.to_at
        limit 1) m;
end
$$;
