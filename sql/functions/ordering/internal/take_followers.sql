-- take_followers(consumer_id, taken, limit): takes messages that are ready out of the table follower, the oldest first, and adds them to those
-- that a claim took already, up to p_limit in all.
-- Returns: all of them. The caller holds the consumer's claim lock. Touches: follower (delete). The caller's settings pin the plans.
-- postrider: after add_taken
create or replace function postrider.take_followers(p_consumer_id int, p_taken postrider.taken, p_limit int)
    returns postrider.taken
    language plpgsql volatile
    as $$
declare
    n postrider.taken;
begin
    with gone as (
        delete from postrider.follower
        where ctid = any (array(
            select f.ctid from postrider.follower f
            where f.consumer_id = p_consumer_id and f.ready
            order by f.seq limit p_limit - coalesce(cardinality(p_taken.seqs), 0)))
        returning key, seq, xid, published_at
    )
    select array_agg(g.seq order by g.seq), array_agg(g.xid order by g.seq), min(g.published_at), max(g.published_at), '{}',
           array_agg(g.key order by g.seq)
    into n from gone g;
    return postrider.add_taken(p_taken, n);
end
$$;
