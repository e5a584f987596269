-- park_picked(cursor, xids, seqs, handlers, large, throttled): parks messages that a claim read and could not hand out. The n-th delivery is of
-- the message at (xids[n], seqs[n]) for handlers[n]. Messages in `large` are too large to be handed out and become dead letters.
-- Those in `throttled` wait for a limit.
-- Returns: how many deliveries it made, and messages it throttled.
-- Touches: delivery, waiting, and the tables that refuse_large() touches; message, handler (read).
-- postrider: after park, refuse_large, note_throttled
create or replace function postrider.park_picked(
    p_cursor postrider.claim_cursor, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_large bigint[],
    p_throttled postrider.waiting[]
) returns int
    language plpgsql volatile
    as $$
declare
    v_count int := 0;
begin
    if p_seqs <> '{}' then
        v_count := postrider.park(p_cursor.consumer_id, p_cursor.channel, p_xids, p_seqs, p_handlers, p_cursor.floor_at,
                                  p_cursor.ceiling_at);
    end if;
    if p_large <> '{}' then
        perform postrider.refuse_large(array(
            select d.id from postrider.delivery d
            where d.seq = any (p_large) and d.consumer_id = p_cursor.consumer_id and d.status = 'pending'));
    end if;
    if p_throttled <> '{}' then
        v_count := v_count + postrider.note_throttled(p_throttled);
    end if;
    return v_count;
end
$$;
