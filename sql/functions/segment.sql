-- segment(lease): the messages between the two positions of a lease, among them its members.
-- The settings keep the plan an index range scan whatever the statistics say.
-- postrider: after log_late, log_range
create or replace function postrider.segment(p_lease postrider.lease) returns setof postrider.message
    language sql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set plan_cache_mode = force_generic_plan
    as $$
    select m.*
    from (select (select channel from postrider.consumer where id = p_lease.consumer_id) as channel,
                 greatest(p_lease.open_at, p_lease.done_at) as ceiling_at) c
    cross join lateral (
        select * from postrider.log_late(
            c.channel, p_lease.done_snapshot, p_lease.open_snapshot, p_lease.from_xid, p_lease.from_seq,
            p_lease.floor_at, c.ceiling_at)
        union all
        select * from postrider.log_range(
            c.channel, p_lease.done_snapshot, p_lease.open_snapshot, p_lease.from_xid, p_lease.from_seq,
            p_lease.floor_at, c.ceiling_at)) m
    where (m.xid, m.seq) <= (p_lease.to_xid, p_lease.to_seq)
    $$;
