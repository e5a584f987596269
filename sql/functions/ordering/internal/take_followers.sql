-- take_followers(consumer_id, taken, limit, run): takes the messages of keys that are ready out of the table follower, the oldest keys first and
-- up to p_run of each key, and adds them to those that a claim took already, up to p_limit in all. Those of a key are next to each other, in order.
-- Returns: all of them. The caller holds the consumer's claim lock. Touches: follower (delete). The caller's settings pin the plans.
-- postrider: after add_taken, noted_segment
create or replace function postrider.take_followers(p_consumer_id int, p_taken postrider.taken, p_limit int, p_run int)
    returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_segment xid8 := postrider.noted_segment(p_consumer_id);
    n postrider.taken;
begin
    with gone as (
        delete from postrider.follower
        where ctid = any (array(
            select r.ctid
            from (select f.key, f.alone from postrider.follower f
                  where f.consumer_id = p_consumer_id and f.ready and f.segment < v_segment
                  order by f.segment, f.seq) k
            cross join lateral (
                select f.ctid from postrider.follower f
                where f.consumer_id = p_consumer_id and f.key = k.key and f.segment < v_segment
                order by f.ready desc, f.seq limit case when k.alone then 1 else p_run end) r
            limit p_limit - coalesce(cardinality(p_taken.seqs), 0)))
        returning key, seq, xid, published_at
    )
    select array_agg(g.seq order by g.key, g.seq), array_agg(g.xid order by g.key, g.seq), min(g.published_at), max(g.published_at), '{}',
           array_agg(g.key order by g.key, g.seq)
    into n from gone g;
    return postrider.add_taken(p_taken, n);
end
$$;
