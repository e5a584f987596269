-- take_next(consumer_id, keys, taken, limit): takes the next message of each of these ordering keys, which wait for nothing, out of the table
-- follower, and adds them to those that a claim took already, up to p_limit in all. Keys that are left over start as next_followers() says.
-- Returns: all of them. The caller holds the consumer's claim lock. Touches: follower. The caller's settings pin the plans.
-- postrider: after add_taken, next_followers, noted_segment
create or replace function postrider.take_next(p_consumer_id int, p_keys text[], p_taken postrider.taken, p_limit int)
    returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_room int := p_limit - coalesce(cardinality(p_taken.seqs), 0);
    n postrider.taken;
begin
    with gone as (
        delete from postrider.follower
        where ctid = any (array(
            select f.ctid
            from unnest(p_keys) as k(key)
            cross join lateral (
                select f.ctid, f.ready, f.segment from postrider.follower f
                where f.consumer_id = p_consumer_id and f.key = k.key
                order by f.ready desc, f.seq limit 1) f
            where not f.ready and f.segment < (select postrider.noted_segment(p_consumer_id))
            limit v_room))
        returning key, seq, xid, published_at
    )
    select array_agg(g.seq), array_agg(g.xid), min(g.published_at), max(g.published_at), '{}', array_agg(g.key)
    into n from gone g;
    if coalesce(cardinality(n.seqs), 0) = v_room then
        perform postrider.next_followers(p_consumer_id, array(select unnest(p_keys) except select unnest(n.keys)));
    end if;
    return postrider.add_taken(p_taken, n);
end
$$;
