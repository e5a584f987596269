-- pick_ordered(cursor, worker, late, limit): pick() for an ordered consumer. Messages with an ordering key are noted as followers, and
-- exchange_waiting() hands them out; the others are picked. A snapshot that shows a message shows every message that was committed
-- before it was published. So when the whole segment is noted, the one with the lowest number is the first of its key.
-- Returns: as pick(); null fields when the segment has no more messages.
-- Touches: follower, delivery, consumer; message (read).
-- postrider: after read_ordered, open_log, pick, note_followers, forget_cancelled
create or replace function postrider.pick_ordered(
    p_cursor postrider.claim_cursor, p_worker uuid, p_late boolean, p_limit int
) returns postrider.claim_batch
    language plpgsql volatile
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    r postrider.ordered_piece;
    more postrider.ordered_piece;
    b postrider.claim_batch;
    v_most constant int := 5000;
    v_limit int := p_limit;
    v_read int;
    v_ended boolean := false;  -- the claim is full before the end of the piece
begin
    if c.xid >= c.before then
        return b;
    end if;
    r := postrider.read_ordered(c, p_late, v_limit);
    if r.others = 0 and cardinality(r.seqs) = v_limit and v_limit < v_most then
        -- Messages that are only noted do not count towards the worker's limit.
        c.xid := r.xids[v_limit];
        c.seq := r.seqs[v_limit];
        more := postrider.read_ordered(c, p_late, v_most - v_limit);
        c := p_cursor;
        r := row(r.seqs || case when more.others > 0 then more.seqs[:more.first_other - 1] else more.seqs end, r.xids || more.xids,
                 r.times || more.times, r.keys || more.keys, 0, null, r.passed || more.passed);
        v_limit := case when more.others > 0 then v_limit + more.first_other - 1 else v_most end;
    end if;
    v_read := coalesce(cardinality(r.seqs), 0);
    -- If an earlier claim filled its limit with the last messages of the segment, this one releases the segment's
    -- followers.
    if v_read = 0 and (p_late or c.seq = 0) then
        return b;
    elsif r.others > 0 then
        c.stop := 'infinity';  -- read_ordered() has counted these messages, so there is no need to stop
        b := postrider.pick(c, p_worker, postrider.open_log(c, p_late, r.others));
        v_ended := coalesce(octet_length(b.messages) >= 16777216, false);
    end if;
    if not v_ended then
        b.to_xid := case when v_read < v_limit and not p_late then c.before else r.xids[v_read] end;
        b.to_seq := case when v_read < v_limit and not p_late then 0 else r.seqs[v_read] end;
    end if;
    b.seqs := coalesce(b.seqs, '{}');
    b.parked := coalesce(b.parked, 0);
    if v_read > 0 then
        b.parked := b.parked + postrider.note_followers(c, r, b.to_xid, b.to_seq);
        perform postrider.forget_cancelled(c.consumer_id, array(select s from unnest(r.passed) s where s = any (r.seqs)))
        where r.passed is not null;
    end if;
    if b.to_xid >= c.before and c.seq > 0 then
        b.parked := b.parked + 1;  -- followers of the segment's other pieces can be handed out now
    end if;
    return b;
end
$$;
