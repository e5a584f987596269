-- read_ordered(cursor, late, limit): the next messages of a segment for an ordered consumer: those of late committers, or the rest.
-- When cursor.stop has passed, a message of another consumer is the last one, so that the caller can stop there.
-- Returns: where they are, with their ordering keys. Touches: message, consumer (read). The caller's settings
--   pin the plans.
-- postrider: after log_late, log_range, wants
create or replace function postrider.read_ordered(p_cursor postrider.claim_cursor, p_late boolean, p_limit int)
    returns postrider.ordered_piece
    language plpgsql stable
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_cancelled bigint[] := (select coalesce(o.cancelled, '{}') from postrider.consumer o where o.id = c.consumer_id);
    r postrider.ordered_piece;
begin
    select array_agg(m.seq), array_agg(m.xid), array_agg(m.published_at),
           array_agg(case when m.wanted and m.seq <> all (v_cancelled) then m.key end),
           count(*) filter (where m.wanted and m.key is null), min(m.n) filter (where m.wanted and m.key is null),
           array_agg(m.seq) filter (where m.wanted and m.key is not null and m.seq = any (v_cancelled))
    into r.seqs, r.xids, r.times, r.keys, r.others, r.first_other, r.passed
    from (
        select m.seq, m.xid, m.published_at, m.ordering_key::text as key, row_number() over (order by m.xid, m.seq) as n,
               m.priority = 0 and m.available_at is null
               and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type) as wanted
        from (
            (select m.* from postrider.log_late(c.channel, c.done, c.open, c.xid, c.seq, c.before, 0, c.low, c.high) m
             where p_late
               and (m.priority = 0 and m.available_at is null
                    and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
                    or clock_timestamp() > c.stop)
             limit p_limit)
            union all
            (select m.* from postrider.log_range(c.channel, c.done, c.open, c.xid, c.seq, c.before, c.low, c.high) m
             where not p_late
               and (m.priority = 0 and m.available_at is null
                    and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
                    or clock_timestamp() > c.stop)
             order by m.xid, m.seq
             limit p_limit)) m
        order by m.xid, m.seq
        limit p_limit) m;
    return r;
end
$$;
