-- take_ordered(cursor, taken, limit, run, keys): what a claim of an ordered consumer hands out: messages that waited, which it took already, those of
-- keys that are ready, and the next ones of keys whose messages it has just finished. Up to p_limit in all, and up to p_run of a key; one of a
-- key for a worker that does not have all handlers, because pick() decides on each.
-- Returns: all of them. Touches: follower, and the tables that refuse_unordered() touches.
-- postrider: after refuse_unordered, take_followers, take_next
create or replace function postrider.take_ordered(
    p_cursor postrider.claim_cursor, p_taken postrider.taken, p_limit int, p_run int, p_keys text[]
) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_run int := case when p_cursor.complete then greatest(p_run, 1) else 1 end;
    t postrider.taken := p_taken;
begin
    if t.seqs is not null then
        t := postrider.refuse_unordered(p_cursor, t);
    end if;
    t := postrider.take_followers(-p_cursor.consumer_id, t, p_limit, v_run);
    if p_keys is not null then
        t := postrider.take_next(-p_cursor.consumer_id, p_keys, t, p_limit, v_run);
    end if;
    return t;
end
$$;
