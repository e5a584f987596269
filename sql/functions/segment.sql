-- segment(lease): the messages between the two positions of a lease, among them its members.
-- The settings keep the plan an index range scan whatever the statistics say.
-- postrider: after log_late, log_range
create or replace function postrider.segment(p_lease postrider.lease) returns setof postrider.message
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_channel text := (select channel from postrider.consumer where id = p_lease.consumer_id);
    v_low timestamptz := p_lease.floor_at - interval '1 hour';
    v_high timestamptz := greatest(p_lease.open_at, p_lease.done_at) + interval '1 hour';
begin
    -- A lease holds either late committers or a range of the log.
    if p_lease.to_xid < pg_snapshot_xmax(p_lease.done_snapshot) then
        return query select * from postrider.log_late(
            v_channel, p_lease.done_snapshot, p_lease.open_snapshot, p_lease.from_xid, p_lease.from_seq,
            p_lease.to_xid, p_lease.to_seq, v_low, v_high);
    else
        -- The last transaction apart: only behind an equal xid does an index scan end at a seq.
        return query select * from postrider.log_range(
            v_channel, p_lease.done_snapshot, p_lease.open_snapshot, p_lease.from_xid, p_lease.from_seq,
            p_lease.to_xid, v_low, v_high) m
        order by m.xid, m.seq;
        return query
        select m.* from postrider.message m
        where m.channel = v_channel and m.xid = p_lease.to_xid
          and m.seq > case when p_lease.from_xid = p_lease.to_xid then p_lease.from_seq else 0 end
          and m.seq <= p_lease.to_seq
          and m.published_at >= v_low
          and m.published_at < v_high
        order by m.xid, m.seq;
    end if;
end
$$;
