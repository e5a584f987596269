-- read_direct(cursor, to_xid, to_seq, lowest, blocked, room, chain): the next messages of a segment up to (to_xid, to_seq), for a worker that has all
-- handlers. Messages without an ordering key, and the first messages of free keys, can be handed out as they are read.
-- p_lowest: no message behind the piece has a lower number in its segment; messages with a higher one are noted. So are messages of p_blocked,
-- of keys that have followers or a delivery that holds them or waits for them, messages behind p_chain of their key, and all messages of a key
-- from the first one on that pick() has to check.
-- Returns: the piece, messages of a key next to each other and in order; to_xid is null when there is no message. `more` says that it has more messages
--   than 250 for every 250 of p_room, `special` that one without a key needs pick() or that the time to pass over messages of other
--   consumers is up.
-- Touches: message, follower, delivery, consumer (read). The caller's settings pin the plans.
-- postrider: after log_late, log_range, is_for, packed_if_usual, has_heads
create or replace function postrider.read_direct(
    p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room int, p_chain int
) returns postrider.direct_piece
    language plpgsql stable
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_most int := greatest(p_room / 250, 1) * 250;
    v_heads boolean := postrider.has_heads(c.consumer_id);
    v_holds boolean := (select o.hold_for is distinct from interval '0' from postrider.consumer o where o.id = c.consumer_id);
begin
    return (
        select row(
            row(array_agg(m.seq) filter (where m.direct), array_agg(m.xid) filter (where m.direct),
                min(m.published_at) filter (where m.direct), max(m.published_at) filter (where m.direct), '{}',
                array_agg(m.key) filter (where m.direct))::postrider.taken,
            string_agg(m.packed, '') filter (where m.direct),
            row(array_agg(m.seq) filter (where m.noted), array_agg(m.xid) filter (where m.noted),
                array_agg(m.published_at) filter (where m.noted), array_agg(m.key) filter (where m.noted),
                0, null, null)::postrider.ordered_piece,
            case when count(*) > 0 then p_to_xid end, p_to_seq,
            coalesce(count(*) > v_most and bool_and(m.within), false), coalesce(bool_or(m.noted and (m.key is null or not m.wanted)), false))::postrider.direct_piece
        from (
            select m.*, m.within and not m.direct as noted
            from (
                select m.*, m.within and not m.cut
                       and (m.key is null
                            or m.place <= p_chain and m.seq < p_lowest
                               and not exists (select from postrider.follower f
                                               where f.consumer_id = c.consumer_id and f.key = m.key offset 0)
                               and not (v_heads and exists (
                                   select from postrider.delivery d
                                   where d.consumer_id = c.consumer_id and d.ordering_key = m.key and d.heads is not null
                                     and d.status <> 'delivered' and d.deleted_at is null and (d.status <> 'failed' or d.heads and v_holds)
                                   offset 0))) as direct
                from (
                    select m.*, row_number() over k as place, bool_or(m.within and coalesce(octet_length(m.packed), 8001) > 8000) over k as cut
                    from (
                        (select m.seq, m.xid, m.published_at, m.ordering_key::text as key, true as within, postrider.is_for(c, m) as wanted,
                                case when postrider.is_for(c, m) and (m.ordering_key is null or m.ordering_key not in (select unnest(p_blocked)))
                                     then postrider.packed_if_usual(c, m) end as packed
                         from postrider.log_late(c.channel, c.done, c.open, c.xid, c.seq, c.before, 0, c.low, c.high) m
                         where c.late and (postrider.is_for(c, m) or clock_timestamp() > c.stop)
                         limit v_most + 1)
                        union all
                        (select m.seq, m.xid, m.published_at, m.ordering_key::text, (m.xid, m.seq) <= (p_to_xid, p_to_seq), postrider.is_for(c, m),
                                case when (m.xid, m.seq) <= (p_to_xid, p_to_seq) and postrider.is_for(c, m)
                                          and (m.ordering_key is null or m.ordering_key not in (select unnest(p_blocked)))
                                     then postrider.packed_if_usual(c, m) end
                         from postrider.log_range(c.channel, c.done, c.open, c.xid, c.seq, c.before, c.low, c.high) m
                         where postrider.is_for(c, m) or clock_timestamp() > c.stop
                         order by m.xid, m.seq
                         limit v_most + 1)
                        limit v_most + 1) m
                    window k as (partition by m.key order by m.seq)) m
                order by m.key, m.seq
                offset 0) m) m);
end
$$;
