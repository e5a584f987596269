-- take_chains(consumer_id, keys, taken, limit, chain): takes the first messages of free ordering keys out of the table follower, up to p_chain of
-- each key, and adds them to those that a claim took already, up to p_limit in all. Those of a key are next to each other, in order. A chain ends
-- before a delivery that waits for the key, and one whose worker was lost has one message.
-- Returns: all of them. The caller holds the consumer's claim lock. Touches: follower (delete). The caller's settings pin the plans.
-- postrider: after add_taken, has_heads, noted_before
create or replace function postrider.take_chains(p_consumer_id int, p_keys text[], p_taken postrider.taken, p_limit int, p_chain int)
    returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_before record := postrider.noted_before(p_consumer_id);
    v_heads boolean := postrider.has_heads(p_consumer_id);
    n postrider.taken;
begin
    with gone as (
        delete from postrider.follower
        where ctid = any (array(
            select r.ctid
            from (select k.key, min(k.n) from unnest(p_keys) with ordinality as k(key, n) group by k.key order by 2) k
            cross join lateral (
                select f.alone, case when v_heads then (
                           select d.seq from postrider.delivery d
                           where d.consumer_id = p_consumer_id and d.ordering_key = k.key and d.heads is not null and not d.heads and d.status <> 'delivered'
                             and d.deleted_at is null and d.status = 'pending'
                           order by d.seq limit 1) end as waits
                from postrider.follower f
                where f.consumer_id = p_consumer_id and f.key = k.key
                order by f.seq limit 1) h
            cross join lateral (
                select f.ctid from postrider.follower f
                where f.consumer_id = p_consumer_id and f.key = k.key and (f.segment, f.seq) < (v_before.segment, v_before.seq)
                  and (h.waits is null or f.seq < h.waits)
                order by f.seq limit case when h.alone then 1 else p_chain end) r
            limit p_limit - coalesce(cardinality(p_taken.seqs), 0)))
        returning key, seq, xid, published_at
    )
    select array_agg(g.seq), array_agg(g.xid), min(g.published_at), max(g.published_at), '{}', array_agg(g.key)
    into n from (select * from gone order by key, seq) g;
    return postrider.add_taken(p_taken, n);
end
$$;
