-- take_followers(consumer_id, taken, limit): takes messages that are ready out of the table follower, the oldest first, and adds them to those
-- that a claim took already, up to p_limit in all.
-- Returns: all of them. The caller holds the consumer's claim lock. Touches: follower (delete). The caller's settings pin the plans.
create or replace function postrider.take_followers(p_consumer_id int, p_taken postrider.taken, p_limit int)
    returns postrider.taken
    language plpgsql volatile
    as $$
declare
    t postrider.taken := p_taken;
    v_before int := coalesce(cardinality(p_taken.seqs), 0);
    n record;
begin
    with gone as (
        delete from postrider.follower
        where ctid = any (array(
            select f.ctid from postrider.follower f
            where f.consumer_id = p_consumer_id and f.ready
            order by f.seq limit p_limit - v_before))
        returning key, seq, xid, published_at
    )
    select array_agg(g.seq order by g.seq) as seqs, array_agg(g.xid order by g.seq) as xids, array_agg(g.key order by g.seq) as keys,
           min(g.published_at) as from_at, max(g.published_at) as to_at
    into n from gone g;
    if n.seqs is not null then
        t.seqs := t.seqs || n.seqs;
        t.xids := t.xids || n.xids;
        t.keys := array_fill(null::text, array[v_before]) || n.keys;
        t.keyed := coalesce(t.keyed, '{}');
        t.from_at := least(t.from_at, n.from_at);
        t.to_at := greatest(t.to_at, n.to_at);
    end if;
    return t;
end
$$;
