-- note_followers(cursor, piece, to_xid, to_seq): notes the messages of a piece of the log that have an ordering key, up to (to_xid, to_seq).
-- The first message of a free key is marked as ready, unless the key's first follower already is: with a ready follower per piece of the log, claims
-- would check all of them while the key is blocked. It is handed out when the whole segment was read.
-- Returns: how many. The caller holds the consumer's claim lock, and its settings pin the plans. Touches: follower; lease, delivery, consumer (read).
-- postrider: after busy_keys, free_keys, has_heads
create or replace function postrider.note_followers(
    p_cursor postrider.claim_cursor, p_piece postrider.ordered_piece, p_to_xid xid8, p_to_seq bigint
) returns int
    language plpgsql volatile
    as $$
declare
    v_free text[] := case when postrider.has_heads(p_cursor.consumer_id) then postrider.free_keys(p_cursor.consumer_id, p_piece.keys) end;
    v_first bigint[];
    v_count int;
begin
    select array_agg(k.seq) into v_first
    from (select m.key, min(m.seq) as seq
          from unnest(p_piece.seqs, p_piece.xids, p_piece.keys) as m(seq, xid, key)
          where m.key is not null and m.seq is not null and (m.xid, m.seq) <= (p_to_xid, p_to_seq)
          group by m.key) k
    where case when v_free is null then k.key not in (select b from postrider.busy_keys(p_cursor.consumer_id) as b)
               else k.key in (select unnest(v_free)) end
      and (select f.ready from postrider.follower f
           where f.consumer_id = p_cursor.consumer_id and f.key = k.key order by f.seq limit 1) is not true;
    insert into postrider.follower (consumer_id, key, ready, seq, xid, segment, published_at)
    select p_cursor.consumer_id, m.key, m.seq in (select unnest(v_first)), m.seq, m.xid, p_cursor.before, m.published_at
    from unnest(p_piece.seqs, p_piece.xids, p_piece.times, p_piece.keys) as m(seq, xid, published_at, key)
    where m.key is not null and m.seq is not null and (m.xid, m.seq) <= (p_to_xid, p_to_seq);
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
