-- direct_messages(cursor, blocked, room, chain, native): read_segment_piece() for the next piece of a segment. If the segment is longer than that,
-- the piece ends at a place for which look_ahead() has found the lowest number behind it.
-- Returns: as read_segment_piece(), at most p_room to hand out; `more` says that look_ahead() needs another call. When late committers are
--   in a segment that is longer than a piece, it is special: their messages have to be noted.
-- Touches: lookahead; message, follower, delivery, consumer (read). The caller holds the claim lock, and its settings pin the plans.
-- postrider: after look_ahead, read_segment_piece
create or replace function postrider.direct_messages(p_cursor postrider.claim_cursor, p_blocked text[], p_room int, p_chain int, p_native boolean)
    returns postrider.direct_piece
    language plpgsql volatile
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    d postrider.direct_piece;
    l postrider.lookahead := row(c.consumer_id, c.open_at, c.before, 0, 9223372036854775807);
begin
    d.more := not c.late and exists (
        select from postrider.lookahead a
        where a.consumer_id = c.consumer_id and a.opened_at = c.open_at and (a.xid, a.seq) <= (c.xid, c.seq));
    if not d.more then
        d := postrider.read_segment_piece(c, l.xid, l.seq, l.lowest, p_blocked, p_room, p_chain, p_native);
        if d.more and (c.late or not postrider.look_ahead(c, p_native)) then
            d.special := d.special or c.late;
            return d;
        end if;
    end if;
    if d.more then
        select * into l from postrider.lookahead a
        where a.consumer_id = c.consumer_id and a.opened_at = c.open_at and (a.xid, a.seq) > (c.xid, c.seq)
        order by a.xid, a.seq
        offset greatest(p_room / 250, 1) - 1 limit 1;
        if not found then
            l := row(c.consumer_id, c.open_at, c.before, 0, 9223372036854775807);
        end if;
        d := postrider.read_segment_piece(c, l.xid, l.seq, l.lowest, p_blocked, p_room, p_chain, p_native);
        d.special := d.special or d.more;
    end if;
    if cardinality((d.taken).seqs) > p_room and not d.special then
        -- Keeps the messages with the lowest numbers, so that the first messages of each key stay.
        l.lowest := (select s from unnest((d.taken).seqs, (d.taken).keys) as m(s, key) where m.key is not null order by 1
                     offset greatest(p_room - (select count(*) from unnest((d.taken).keys) k where k is null), 0) limit 1);
        d := postrider.read_segment_piece(c, l.xid, l.seq, l.lowest, p_blocked, p_room, p_chain, p_native);
        d.special := d.special or cardinality((d.taken).seqs) > p_room;
    end if;
    return d;
end
$$;
