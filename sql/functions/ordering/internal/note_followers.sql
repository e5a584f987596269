-- note_followers(cursor, piece, to_xid, to_seq): notes the messages of a piece of the log that have an ordering key, up to (to_xid, to_seq).
-- The first one of a key that waits for nothing is ready. It is handed out when the segment was read: until then another piece may have one
-- with a lower number, which is then ready instead.
-- Returns: how many. The caller holds the consumer's claim lock, and its settings pin the plans. Touches: follower; lease, delivery, consumer (read).
-- postrider: after free_keys
create or replace function postrider.note_followers(
    p_cursor postrider.claim_cursor, p_piece postrider.ordered_piece, p_to_xid xid8, p_to_seq bigint
) returns int
    language plpgsql volatile
    as $$
declare
    v_ready bigint[];  -- the messages that are ready
    v_before tid[];    -- those that were so far, of the same keys
    v_count int;
begin
    select array_agg(k.seq), array_agg(f.ctid) filter (where f.ready) into v_ready, v_before
    from (select m.key, min(m.seq) as seq
          from unnest(p_piece.seqs, p_piece.xids, p_piece.keys) as m(seq, xid, key)
          where m.key is not null and m.seq is not null and (m.xid, m.seq) <= (p_to_xid, p_to_seq)
            and m.key in (select unnest(postrider.free_keys(p_cursor.consumer_id, p_piece.keys)))
          group by m.key) k
    left join lateral (
        select f.ctid, f.ready, f.seq, f.segment from postrider.follower f
        where f.consumer_id = p_cursor.consumer_id and f.key = k.key
        order by f.ready desc, f.seq limit 1) f on true
    where f.seq is null or f.ready and f.segment = p_cursor.before and f.seq > k.seq;
    if v_before is not null then
        update postrider.follower set ready = false where ctid = any (v_before);
    end if;
    insert into postrider.follower (consumer_id, key, ready, seq, xid, segment, published_at)
    select p_cursor.consumer_id, m.key, m.seq in (select unnest(v_ready)), m.seq, m.xid, p_cursor.before, m.published_at
    from unnest(p_piece.seqs, p_piece.xids, p_piece.times, p_piece.keys) as m(seq, xid, published_at, key)
    where m.key is not null and m.seq is not null and (m.xid, m.seq) <= (p_to_xid, p_to_seq);
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
