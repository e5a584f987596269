-- cut_chains(cursor, taken): puts messages of an ordering key back into the table follower if they must not be in one claim with earlier messages of
-- the key. For each key these are all messages from the first one on that pick() may not hand out, unless that is the first message of the key. Such
-- a message is too large, or no handler takes its type any more. A worker that does not have all handlers gets one message of a key.
-- Returns: the others. Touches: the tables that put_back() touches; message (read).
-- postrider: after put_back, too_large, wants
create or replace function postrider.cut_chains(p_cursor postrider.claim_cursor, p_taken postrider.taken) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_behind bigint[] := array(
        select k.seq
        from (select k.seq, row_number() over (partition by k.key order by k.n) as place,
                     bool_or(not c.complete or s.is) over (partition by k.key order by k.n) as cut
              from unnest(p_taken.seqs, p_taken.xids, p_taken.keys) with ordinality as k(seq, xid, key, n)
              left join lateral (
                  select postrider.too_large(m.payload, m.headers)
                         or not postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, null, m.event_type) as is
                  from postrider.message m
                  where m.channel = c.channel and m.xid = k.xid and m.seq = k.seq
                    and m.published_at >= p_taken.from_at and m.published_at <= p_taken.to_at
                  offset 0) s on true
              where k.key is not null) k
        where k.place > 1 and k.cut);
    t postrider.taken := p_taken;
begin
    if v_behind <> '{}' then
        perform postrider.put_back(c.consumer_id, p_taken, v_behind, false);
        select array_agg(o.seq order by o.n), array_agg(o.xid order by o.n), array_agg(o.key order by o.n) into t.seqs, t.xids, t.keys
        from unnest(p_taken.seqs, p_taken.xids, p_taken.keys) with ordinality as o(seq, xid, key, n)
        where o.seq not in (select unnest(v_behind));
    end if;
    return t;
end
$$;
