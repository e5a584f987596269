-- lease_has_type(lease, channel, types, prefixes): whether the log between the bounds of a lease has a message of these event types, or one that
-- begins so: what succeeded_since() asks first of each lease, with one search of the index for most. lease_log() explains the last one.
-- The caller pins the plan.
-- Touches: message (read).
-- postrider: after log_late, log_range
create or replace function postrider.lease_has_type(p_lease postrider.lease, p_channel text, p_types text[], p_prefixes text[]) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    l constant postrider.lease := p_lease;
    v_low constant timestamptz := l.floor_at - interval '1 hour';
    v_high constant timestamptz := l.ceiling_at + interval '1 hour';
begin
    if l.to_xid < pg_snapshot_xmax(l.done_snapshot) then
        return exists (
            select from postrider.log_late(p_channel, l.done_snapshot, l.open_snapshot, l.from_xid, l.from_seq, l.to_xid, l.to_seq, v_low, v_high) m
            where m.event_type = any (p_types) or m.event_type ^@ any (p_prefixes));
    end if;
    if l.from_xid < l.to_xid and exists (
           select from postrider.log_range(p_channel, l.done_snapshot, l.open_snapshot, l.from_xid, l.from_seq, l.to_xid, v_low, v_high) m
           where m.event_type = any (p_types) or m.event_type ^@ any (p_prefixes)) then
        return true;
    end if;
    return exists (
        select from postrider.message m
        where m.channel = p_channel and m.xid = l.to_xid and m.seq <= l.to_seq
          and m.seq > case when l.from_xid = l.to_xid then l.from_seq else 0 end
          and m.published_at >= v_low and m.published_at < v_high
          and (m.event_type = any (p_types) or m.event_type ^@ any (p_prefixes)));
end
$$;
