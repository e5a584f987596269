-- lease_successes(lease, handlers): those of these handlers that a lease of the log was a success for: it has a message that the handler ran
-- and that has no delivery. The lease only passes over messages that wait for their time, priority, limit or ordering key; when one of them
-- succeeds, circuit_successes() counts it. The caller pins the plan.
-- Touches: message, handler, delivery, consumer (read).
-- postrider: after lease_log, covers
create or replace function postrider.lease_successes(p_lease postrider.lease, p_handlers text[]) returns text[]
    language plpgsql stable
    as $$
declare
    l constant postrider.lease := p_lease;
    c record;
begin
    select o.channel, o.name, o.ordered, array(select unnest(p_handlers) except select unnest(o.limited_handlers)) as handlers into c
    from postrider.consumer o where o.id = l.consumer_id;
    return array(
        with sought as materialized (
            select h.name, h.starts, h.ends, h.event_types as types,
                   array(select left(t, -1) from unnest(h.event_types) t where right(t, 1) = '*') as prefixes
            from postrider.handler h where h.consumer_id = l.consumer_id and h.name = any (c.handlers)
        )
        select distinct h.name
        from (
            select m.xid, m.seq, m.event_type from postrider.lease_log(c.channel, l) m
            where (m.target is null or m.target = c.name) and m.priority = 0 and m.available_at is null
              and not (c.ordered and m.ordering_key is not null)
            offset 0) m
        cross join lateral (
            select h.name from sought h
            where (m.event_type = any (h.types) or m.event_type ^@ any (h.prefixes))  -- as matches(), which is slower
              and not postrider.covers(h.starts, m.xid, m.seq)
              and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq))
            offset 0) h
        where not exists (select from postrider.delivery d
                          where d.seq = m.seq and l.consumer_id in (d.consumer_id, d.origin_id) and d.handler = h.name));
end
$$;
