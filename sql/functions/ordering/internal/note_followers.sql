-- note_followers(cursor, piece, to_xid, to_seq): notes the messages of a piece of the log that have an ordering key, up to (to_xid, to_seq).
-- None of them is ready yet. If the segment has other pieces, they are fresh.
-- Returns: how many. Touches: follower (insert).
create or replace function postrider.note_followers(
    p_cursor postrider.claim_cursor, p_piece postrider.ordered_piece, p_to_xid xid8, p_to_seq bigint
) returns int
    language plpgsql volatile
    as $$
declare
    v_count int;
begin
    insert into postrider.follower (consumer_id, key, seq, xid, segment, published_at, fresh)
    select p_cursor.consumer_id, m.key, m.seq, m.xid, p_cursor.before, m.published_at,
           p_cursor.seq > 0 or p_to_xid < p_cursor.before
    from unnest(p_piece.seqs, p_piece.xids, p_piece.times, p_piece.keys) as m(seq, xid, published_at, key)
    where m.key is not null and m.seq is not null and (m.xid, m.seq) <= (p_to_xid, p_to_seq);
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
