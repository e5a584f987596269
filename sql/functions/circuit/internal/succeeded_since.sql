-- succeeded_since(consumer_id, handler, since): whether a first attempt of a handler has succeeded since an instant.
-- Nothing is written when a batch of first attempts succeeds. So this function searches the newest leases of the log that were
-- settled since for a message that the handler ran and that has no delivery. Such a lease only passes over messages that wait for their time,
-- priority, limit or ordering key; when one of them succeeds, circuit_successes() counts it. It reads 10000 messages of a lease at most, and
-- no further lease after 50 ms, because callers have locked the circuit.
-- Touches: lease, message, handler, delivery (read).
-- postrider: after matches, covers
create or replace function postrider.succeeded_since(p_consumer_id int, p_handler text, p_since timestamptz)
    returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_until constant timestamptz := clock_timestamp() + interval '50 ms';
    l record;
begin
    for l in
        select n.*, greatest(n.from_xid, pg_snapshot_xmax(n.done_snapshot)) as range_xid,
               n.to_xid < pg_snapshot_xmax(n.done_snapshot) as late
        from (select c.channel, c.name as consumer, c.ordered, e.*
              from postrider.consumer c join postrider.lease e on e.consumer_id = c.id
              where c.id = p_consumer_id and (p_handler = any (c.limited_handlers)) is not true
              order by e.consumer_id desc, e.id desc limit 100) n
        where n.worker_id is not null and n.reaped_at is null and n.finished_at >= p_since
    loop
        -- A lease holds either late committers or a range of the log.
        if exists (
            select from (
                select m.* from unnest(array(
                    select x from pg_snapshot_xip(l.done_snapshot) x
                    where l.late and x >= l.from_xid and x <= l.to_xid)) as x(xid)
                cross join lateral (
                    select m.xid, m.seq, m.event_type, m.target, m.priority, m.available_at, m.ordering_key from postrider.message m
                    where m.channel = l.channel and m.xid = x.xid
                      and m.seq > case when x.xid = l.from_xid then l.from_seq else 0 end
                      and m.seq <= case when x.xid = l.to_xid then l.to_seq else 9223372036854775807 end
                      and m.published_at >= l.floor_at - interval '1 hour'
                      and m.published_at < l.ceiling_at + interval '1 hour'
                    offset 0) m
                union all
                (select m.xid, m.seq, m.event_type, m.target, m.priority, m.available_at, m.ordering_key from postrider.message m
                 where not l.late and m.channel = l.channel
                   and (m.xid, m.seq) > (
                       l.range_xid, case when l.from_xid = l.range_xid then l.from_seq else 0 end)
                   and m.xid <= l.to_xid and (m.xid < l.to_xid or m.seq <= l.to_seq)
                   and m.published_at >= l.floor_at - interval '1 hour'
                   and m.published_at < l.ceiling_at + interval '1 hour'
                 order by m.xid, m.seq
                 limit 10000)) m
            where (m.target is null or m.target = l.consumer)
              and m.priority = 0 and m.available_at is null and not (l.ordered and m.ordering_key is not null)
              and exists (select from postrider.handler h
                          where h.consumer_id = p_consumer_id and h.name = p_handler
                            and postrider.matches(m.event_type, h.event_types)
                            and not postrider.covers(h.starts, m.xid, m.seq)
                            and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq)))
              and not exists (select from postrider.delivery d
                              where d.seq = m.seq and p_consumer_id in (d.consumer_id, d.origin_id) and d.handler = p_handler)) then
            return true;
        end if;
        exit when clock_timestamp() > v_until;
    end loop;
    return false;
end
$$;
