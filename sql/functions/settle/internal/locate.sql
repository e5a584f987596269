-- locate(lease, channel, seqs): the transaction ids of members of a lease of a consumer of that channel.
-- Returns: an array in the order of p_seqs, null where there is no such message in the lease's piece of the log.
-- Few seqs are compared one by one, many are looked up in a hash table. In both cases the lease's piece of the log is
-- read at most once.
-- The caller's settings pin the plan.
create or replace function postrider.locate(p_lease postrider.lease, p_channel text, p_seqs bigint[]) returns xid8[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_floor timestamptz := p_lease.floor_at - interval '1 hour';
    v_ceiling timestamptz := p_lease.ceiling_at + interval '1 hour';
    v_from_xid xid8 := greatest(p_lease.from_xid, pg_snapshot_xmax(p_lease.done_snapshot));
    v_many boolean := cardinality(p_seqs) > 64;
    v_xids xid8[];
    v_seqs bigint[];
    v_map jsonb;
begin
    if p_lease.taken is not null then
        return array(select (p_lease.taken).xids[array_position((p_lease.taken).seqs, s.seq)]
                     from unnest(p_seqs) with ordinality as s(seq, n) order by s.n);
    elsif p_lease.from_xid = p_lease.to_xid then
        return array_fill(p_lease.to_xid, array[cardinality(p_seqs)]);
    elsif not v_many and p_lease.to_xid::text::numeric - p_lease.from_xid::text::numeric
                         < cardinality(p_lease.members) / 100 then
        -- The lease spans few transactions: most members are of the first and the last one, so these are tried first.
        v_xids := array(
            select (select m.xid
                    from unnest(array[p_lease.from_xid, p_lease.to_xid]) as x(xid)
                    cross join lateral (
                        select m.xid from postrider.message m
                        where m.channel = p_channel and m.xid = x.xid and m.seq = s.seq
                          and m.published_at >= v_floor and m.published_at < v_ceiling
                        offset 0) m)
            from unnest(p_seqs) with ordinality as s(seq, n) order by s.n);
        if array_position(v_xids, null) is null then
            return v_xids;
        end if;
    end if;
    -- A lease holds either late committers or a range of the log.
    if p_lease.to_xid < pg_snapshot_xmax(p_lease.done_snapshot) then
        select array_agg(l.xid), array_agg(l.seq) into v_xids, v_seqs
        from pg_snapshot_xip(p_lease.done_snapshot) as x(xid)
        cross join lateral (
            select m.xid, m.seq from postrider.message m
            where m.channel = p_channel and m.xid = x.xid
              and m.seq > case when x.xid = p_lease.from_xid then p_lease.from_seq else 0 end
              and m.seq <= case when x.xid = p_lease.to_xid then p_lease.to_seq else 9223372036854775807 end
              and case when v_many then m.seq in (select unnest(p_seqs)) else m.seq = any (p_seqs) end
              and m.published_at >= v_floor and m.published_at < v_ceiling
            offset 0) l
        where x.xid between p_lease.from_xid and p_lease.to_xid;
    else
        select array_agg(l.xid), array_agg(l.seq) into v_xids, v_seqs
        from (
            select m.xid, m.seq from postrider.message m
            where m.channel = p_channel
              and (m.xid, m.seq) > (v_from_xid, case when p_lease.from_xid = v_from_xid then p_lease.from_seq else 0 end)
              and m.xid < p_lease.to_xid
              and case when v_many then m.seq in (select unnest(p_seqs)) else m.seq = any (p_seqs) end
              and m.published_at >= v_floor and m.published_at < v_ceiling
            union all
            -- The last transaction separately: an index scan ends at a seq only after an equality on xid.
            select m.xid, m.seq from postrider.message m
            where m.channel = p_channel and m.xid = p_lease.to_xid
              and m.seq > case when p_lease.from_xid = p_lease.to_xid then p_lease.from_seq else 0 end
              and m.seq <= p_lease.to_seq
              and case when v_many then m.seq in (select unnest(p_seqs)) else m.seq = any (p_seqs) end
              and m.published_at >= v_floor and m.published_at < v_ceiling) l;
    end if;
    if v_many then
        v_map := (select jsonb_object_agg(l.seq, l.xid::text) from unnest(v_xids, v_seqs) as l(xid, seq));
        return array(select (v_map ->> s.seq::text)::xid8 from unnest(p_seqs) with ordinality as s(seq, n) order by s.n);
    end if;
    return array(select v_xids[array_position(v_seqs, s.seq)] from unnest(p_seqs) with ordinality as s(seq, n) order by s.n);
end
$$;
