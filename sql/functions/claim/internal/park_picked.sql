-- park_picked(cursor, xids, seqs, handlers, large): parks messages that a claim read and could not hand out. The n-th delivery is of
-- the message at (xids[n], seqs[n]) for handlers[n]. Messages in `large` are too large to be handed out and become dead letters.
-- Returns: how many deliveries it made.
-- Touches: delivery, and the tables that refuse_large() touches; message, handler (read).
-- postrider: after park, refuse_large
create or replace function postrider.park_picked(
    p_cursor postrider.claim_cursor, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_large bigint[]
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
    return v_count;
end
$$;
