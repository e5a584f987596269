-- read_segment_piece(cursor, to_xid, to_seq, lowest, blocked, room, chain, native): read_direct() with the same arguments and result; p_native: the
-- library reads the log where it can. If keys of the piece wait (waiting_keys()), it is read a second time without them.
-- Touches: message, follower, delivery, consumer (read). The caller's settings pin the plans.
-- postrider: after read_direct, waiting_keys
create or replace function postrider.read_segment_piece(
    p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room int, p_chain int, p_native boolean
) returns postrider.direct_piece
    language plpgsql volatile
    as $$
declare
    v_blocked text[] := p_blocked;
    v_waiting text[];
    n record;
begin
    while p_native loop
        select * into n
        from postrider.read_direct_native(p_cursor, p_to_xid, p_to_seq, p_lowest, v_blocked, p_room, p_chain);
        exit when n.more is null;
        v_waiting := postrider.waiting_keys(p_cursor.consumer_id, n.keys);
        if v_waiting = '{}' then
            return row(row(n.seqs, n.xids, n.from_at, n.to_at, '{}', n.keys)::postrider.taken, n.messages,
                       row(n.noted_seqs, n.noted_xids, n.noted_times, n.noted_keys, 0, null, null)::postrider.ordered_piece,
                       case when n.found then p_to_xid end, p_to_seq, n.more, array_position(n.noted_keys, null) is not null);
        end if;
        v_blocked := v_blocked || v_waiting;
    end loop;
    return postrider.read_direct(p_cursor, p_to_xid, p_to_seq, p_lowest, p_blocked, p_room, p_chain);
end
$$;
