-- take_next(consumer_id, keys, taken, limit, run): take_followers() for these ordering keys, which wait for nothing and are not ready: their messages
-- need no mark. Keys that find no room start as next_followers() says.
-- Returns: all of them. The caller holds the consumer's claim lock. Touches: follower. The caller's settings pin the plans.
-- postrider: after add_taken, next_followers, noted_segment
create or replace function postrider.take_next(p_consumer_id int, p_keys text[], p_taken postrider.taken, p_limit int, p_run int)
    returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_room int := p_limit - coalesce(cardinality(p_taken.seqs), 0);
    v_keys text[] := array(select k from unnest(p_keys) as k
                           where exists (select from postrider.follower f where f.consumer_id = p_consumer_id and f.key = k));
    v_segment xid8 := postrider.noted_segment(p_consumer_id);
    n postrider.taken;
begin
    if v_keys = '{}' then
        return p_taken;
    end if;
    with gone as (
        delete from postrider.follower
        where ctid = any (array(
            select r.ctid
            from unnest(v_keys) as k(key)
            cross join lateral (
                select f.ready, f.alone, f.segment from postrider.follower f
                where f.consumer_id = p_consumer_id and f.key = k.key
                order by f.ready desc, f.seq limit 1) h
            cross join lateral (
                select f.ctid from postrider.follower f
                where f.consumer_id = p_consumer_id and f.key = k.key and f.segment < v_segment
                order by f.ready desc, f.seq limit case when h.alone then 1 else p_run end) r
            where not h.ready and h.segment < v_segment
            limit v_room))
        returning key, seq, xid, published_at
    )
    select array_agg(g.seq order by g.key, g.seq), array_agg(g.xid order by g.key, g.seq), min(g.published_at), max(g.published_at), '{}',
           array_agg(g.key order by g.key, g.seq)
    into n from gone g;
    v_keys := array(select unnest(v_keys) except select unnest(n.keys));
    perform postrider.next_followers(p_consumer_id, v_keys) where v_keys <> '{}';
    return postrider.add_taken(p_taken, n);
end
$$;
