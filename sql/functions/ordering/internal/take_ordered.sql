-- take_ordered(cursor, taken, limit, keys): what a claim of an ordered consumer hands out: messages that waited, which it took already, those that
-- are ready, and the next ones of keys whose messages it has just finished. Up to p_limit in all.
-- Followers that are fresh are looked at as far as the claim has room for them, for a second at most; then the channel is rung.
-- Returns: all of them. Touches: follower, and the tables that refuse_unordered() and start_fresh() touch; rings.
-- postrider: after refuse_unordered, start_fresh, take_followers, take_next, ring
create or replace function postrider.take_ordered(
    p_cursor postrider.claim_cursor, p_taken postrider.taken, p_limit int, p_keys text[]
) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_until timestamptz := clock_timestamp() + interval '1 second';
    t postrider.taken := p_taken;
begin
    if t.seqs is not null then
        t := postrider.refuse_unordered(p_cursor, t);
    end if;
    t := postrider.take_followers(-p_cursor.consumer_id, t, p_limit);
    if p_keys is not null then
        t := postrider.take_next(-p_cursor.consumer_id, p_keys, t, p_limit);
    end if;
    while coalesce(cardinality(t.seqs), 0) < p_limit and postrider.start_fresh(-p_cursor.consumer_id) loop
        t := postrider.take_followers(-p_cursor.consumer_id, t, p_limit);
        if clock_timestamp() > v_until then
            perform postrider.ring(p_cursor.channel);
            exit;
        end if;
    end loop;
    return t;
end
$$;
