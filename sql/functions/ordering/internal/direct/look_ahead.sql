-- look_ahead(cursor, native): scans the rest of a segment that is longer than a claim, backwards from its end to the cursor, 50,000 messages per
-- call, and writes a place for every 250 messages of the consumer. p_native: the library reads the log where it can.
-- Returns: whether it has reached the cursor. The caller holds the claim lock, and its settings pin the plans.
-- Touches: lookahead; message (read).
-- postrider: after log_range, is_for
create or replace function postrider.look_ahead(p_cursor postrider.claim_cursor, p_native boolean) returns boolean
    language plpgsql volatile
    as $$
declare
    v_most constant int := 50000;
    c postrider.claim_cursor := p_cursor;
    v_read int;
    v_lowest bigint;
    n record;
    l postrider.lookahead;
begin
    select * into l from postrider.lookahead a
    where a.consumer_id = c.consumer_id and a.opened_at = c.open_at order by a.xid, a.seq limit 1;
    if not found then
        delete from postrider.lookahead a where a.consumer_id = c.consumer_id;
        l := row(c.consumer_id, c.open_at, c.before, 0, 9223372036854775807);
    end if;
    if p_native then
        select * into n from postrider.look_ahead_native(c, l.xid, l.seq, l.lowest, v_most);
        insert into postrider.lookahead (consumer_id, opened_at, xid, seq, lowest)
        select c.consumer_id, c.open_at, p.* from unnest(n.xids, n.seqs, n.lowest) p;
        v_read := n.read;
        v_lowest := n.lowest_read;
    end if;
    if v_read is null then
        with read as materialized (
            select m.xid, m.seq, m.wanted, count(*) over w as n, count(*) filter (where m.wanted) over w as wanted_n,
                   min(m.seq) filter (where m.keyed) over w as lowest
            from (select m.xid, m.seq, m.ordering_key is not null as keyed,
                         postrider.is_for(c, m) as wanted
                  from postrider.log_range(c.channel, c.done, c.open, c.xid, c.seq, c.before, c.low, c.high) m
                  where (m.xid, m.seq) <= (l.xid, l.seq)
                  order by m.xid desc, m.seq desc
                  limit v_most) m
            window w as (rows unbounded preceding)
        ), placed as (
            insert into postrider.lookahead (consumer_id, opened_at, xid, seq, lowest)
            select c.consumer_id, c.open_at, r.xid, r.seq - 1, least(l.lowest, r.lowest)
            from read r
            where r.wanted and r.wanted_n % 250 = 0 or r.n = v_most
        )
        select count(*), least(l.lowest, min(r.lowest)) into v_read, v_lowest from read r;
    end if;
    if v_read < v_most then
        insert into postrider.lookahead (consumer_id, opened_at, xid, seq, lowest)
        values (c.consumer_id, c.open_at, c.xid, c.seq, v_lowest)
        on conflict do nothing;
    end if;
    return v_read < v_most;
end
$$;
