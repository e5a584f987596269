-- segment_read(cursor, keys): lets the followers start that were noted from the cursor's segment of the log, which was read completely, as far as
-- their keys wait for nothing. p_keys are those of its only piece; if there were more pieces, the first of its followers start, and claims of
-- followers start the others.
-- Returns: how many; at least 1 if there are others. Touches: what next_followers() touches.
-- postrider: after next_followers, start_fresh
create or replace function postrider.segment_read(p_cursor postrider.claim_cursor, p_keys text[]) returns int
    language plpgsql volatile
    as $$
declare
    v_all constant xid8 := '18446744073709551615';
begin
    return case when p_cursor.seq = 0 then postrider.next_followers(p_cursor.consumer_id, p_keys, v_all)
                else postrider.start_fresh(p_cursor.consumer_id, v_all)::int end;
end
$$;
