-- lease_successes(lease, handlers): those of these handlers that a lease of the log was a success for: it has a message that the handler ran
-- and that has no delivery. The lease only passes over messages that wait for their time, priority, limit or ordering key; when one of them
-- succeeds, circuit_successes() counts it. The caller pins the plan.
-- Touches: message, handler, delivery, consumer (read).
-- postrider: after matches, covers
create or replace function postrider.lease_successes(p_lease postrider.lease, p_handlers text[]) returns text[]
    language plpgsql stable
    as $$
declare
    l constant postrider.lease := p_lease;
    v_late constant boolean := l.to_xid < pg_snapshot_xmax(l.done_snapshot);  -- it holds late committers, or a range of the log
    v_from constant xid8 := greatest(l.from_xid, pg_snapshot_xmax(l.done_snapshot));
    v_types text[];
    v_prefixes text[];
    c record;
begin
    select o.channel, o.name, o.ordered, array(select unnest(p_handlers) except select unnest(o.limited_handlers)) as handlers into c
    from postrider.consumer o where o.id = l.consumer_id;
    -- One comparison per message rejects most of those that no handler took; matches() is slower.
    select array_agg(t), coalesce(array_agg(left(t, -1)) filter (where right(t, 1) = '*'), '{}') into v_types, v_prefixes
    from postrider.handler h cross join unnest(h.event_types) t
    where h.consumer_id = l.consumer_id and h.name = any (c.handlers);
    return array(
        select distinct h.name
        from (
            select m.* from unnest(array(
                select x from pg_snapshot_xip(l.done_snapshot) x where v_late and x >= l.from_xid and x <= l.to_xid)) as x(xid)
            cross join lateral (
                select m.xid, m.seq, m.event_type, m.target, m.priority, m.available_at, m.ordering_key from postrider.message m
                where m.channel = c.channel and m.xid = x.xid
                  and m.seq > case when x.xid = l.from_xid then l.from_seq else 0 end
                  and m.seq <= case when x.xid = l.to_xid then l.to_seq else 9223372036854775807 end
                  and m.published_at >= l.floor_at - interval '1 hour' and m.published_at < l.ceiling_at + interval '1 hour'
                offset 0) m
            union all
            (select m.xid, m.seq, m.event_type, m.target, m.priority, m.available_at, m.ordering_key from postrider.message m
             where not v_late and m.channel = c.channel
               and (m.xid, m.seq) > (v_from, case when l.from_xid = v_from then l.from_seq else 0 end)
               and (m.xid, m.seq) <= (l.to_xid, l.to_seq)
               and m.published_at >= l.floor_at - interval '1 hour' and m.published_at < l.ceiling_at + interval '1 hour'
               and (m.event_type = any (v_types) or m.event_type ^@ any (v_prefixes))
             order by m.xid, m.seq)) m
        cross join lateral (
            select h.name from postrider.handler h
            where h.consumer_id = l.consumer_id and h.name = any (c.handlers)
              and postrider.matches(m.event_type, h.event_types)
              and not postrider.covers(h.starts, m.xid, m.seq)
              and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq))
            offset 0) h  -- handlers of one message after the other
        where (m.target is null or m.target = c.name) and m.priority = 0 and m.available_at is null
          and not (c.ordered and m.ordering_key is not null)
          and not exists (select from postrider.delivery d
                          where d.seq = m.seq and l.consumer_id in (d.consumer_id, d.origin_id) and d.handler = h.name));
end
$$;
