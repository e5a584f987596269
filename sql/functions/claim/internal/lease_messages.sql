-- lease_messages(lease): the messages that a lease was made for, in log order. A lease holds either messages of late committers or a
-- range of the log; the scan ends when all members are found.
-- Touches: consumer, message (read). The caller's settings pin the plan.
-- postrider: after log_late, log_range
create or replace function postrider.lease_messages(p_lease postrider.lease) returns setof postrider.message
    language plpgsql stable
    as $$
declare
    l postrider.lease := p_lease;
    v_channel text := (select c.channel from postrider.consumer c where c.id = l.consumer_id);
    v_low timestamptz := l.floor_at - interval '1 hour';
    v_high timestamptz := l.ceiling_at + interval '1 hour';
begin
    l.members := l.members || '{}'::bigint[];  -- fetched once; in the row they are out of line
    -- In a CASE, the members are looked up in a hash table; outside it they would be joined.
    if l.to_xid < pg_snapshot_xmax(l.done_snapshot) then
        return query
        select m.* from postrider.log_late(v_channel, l.done_snapshot, l.open_snapshot, l.from_xid, l.from_seq, l.to_xid, l.to_seq,
                                           v_low, v_high) m
        where case when l.id is not null then m.seq in (select unnest(l.members)) end
        limit cardinality(l.members);
    else
        return query
        select m.* from postrider.log_range(v_channel, l.done_snapshot, l.open_snapshot, l.from_xid, l.from_seq,
                                            pg_snapshot_xmax(l.open_snapshot), v_low, v_high) m
        where case when l.id is not null then m.seq in (select unnest(l.members)) end
        order by m.xid, m.seq
        limit cardinality(l.members);
    end if;
end
$$;
