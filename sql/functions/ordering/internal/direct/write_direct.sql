-- write_direct(cursor, waits, worker, limit, taken, batch, piece, deadline): the end of exchange_ordered(): writes the cursor behind the piece of the log, the lease
-- of the messages that are handed out, which has the consumer's other cursor, and notes the rest of the piece.
-- p_waits is that other cursor, p_taken and p_batch are followers that are handed out. A piece that is special or has more is not used.
-- Returns: the lease's id and token, null without messages; `parked` is -1 when there is more to claim.
-- Touches: lease, lease_mark, follower, lookahead; message (read); rings.
-- postrider: after write_lease, write_waiting_lease, add_taken, pass_segment, note_followers, ring
create or replace function postrider.write_direct(
    p_cursor postrider.claim_cursor, p_waits postrider.claim_cursor, p_worker uuid, p_limit int,
    p_taken postrider.taken, p_batch postrider.claim_batch, p_piece postrider.direct_piece, p_deadline interval,
    out lease_id bigint, out lease_token uuid, out parked int
)
    language plpgsql volatile
    as $$
#variable_conflict use_column
declare
    c postrider.claim_cursor := p_cursor;
    d postrider.direct_piece := p_piece;
    v_members bigint[];
begin
    parked := -1;
    if d.more or d.special then
        -- look_ahead() must continue in the same segment.
        if c.advanced and d.more and not d.special then
            perform postrider.write_lease(c, p_worker, '{}', c.xid, c.seq, p_deadline);
        end if;
        d := null;
    elsif d.to_xid is not null or c.advanced is not true and not d.more then
        perform postrider.write_lease(c, p_worker, '{}', coalesce(d.to_xid, c.before), coalesce(d.to_seq, 0), p_deadline);
        if c.advanced is not true and coalesce(d.to_xid, c.before) >= c.before then
            delete from postrider.lookahead a where a.consumer_id = c.consumer_id;
        end if;
    elsif not d.more then
        perform postrider.pass_segment(c);
        parked := case when p_batch.seqs is null then 0 else -1 end;
    end if;
    v_members := coalesce(p_batch.seqs, '{}') || coalesce((d.taken).seqs, '{}');
    if v_members <> '{}' then
        select w.lease_id, w.lease_token into lease_id, lease_token
        from postrider.write_waiting_lease(p_waits, p_worker, v_members, postrider.add_taken(p_taken, d.taken), null, true, p_deadline) w;
    end if;
    -- After the lease is written, so that followers of its messages are not marked as ready.
    if (d.noted).seqs is not null then
        perform postrider.note_followers(c, d.noted, '18446744073709551615', 9223372036854775807);
    end if;
    -- Other workers can claim the messages that did not fit into the lease.
    if p_batch.parked > 0 or (d.noted).seqs is not null and cardinality(v_members) >= p_limit then
        perform postrider.ring(c.channel);
    end if;
end
$$;
