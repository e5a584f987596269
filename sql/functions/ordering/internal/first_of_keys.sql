-- first_of_keys(consumer_id, taken): puts all but the first message of each ordering key back among the followers.
-- Returns: the others. Touches: what put_back() touches.
-- postrider: after put_back
create or replace function postrider.first_of_keys(p_consumer_id int, p_taken postrider.taken) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_behind bigint[] := array(
        select k.seq
        from (select k.seq, k.key, row_number() over (partition by k.key order by k.n) as place
              from unnest(p_taken.seqs, p_taken.keys) with ordinality as k(seq, key, n)) k
        where k.place > 1 and k.key is not null);
    t postrider.taken := p_taken;
begin
    if v_behind <> '{}' then
        perform postrider.put_back(p_consumer_id, p_taken, v_behind, false);
        select array_agg(o.seq order by o.n), array_agg(o.xid order by o.n), array_agg(o.key order by o.n) into t.seqs, t.xids, t.keys
        from unnest(p_taken.seqs, p_taken.xids, p_taken.keys) with ordinality as o(seq, xid, key, n)
        where o.seq not in (select unnest(v_behind));
    end if;
    return t;
end
$$;
