-- Promises about the ranges behind a position:
--   a message lies in a range of behind() exactly when covers() says that the position does not cover it
--   whatever transactions were in progress when its snapshots were taken, and wherever it is between them
\ir ../include/promises.sql

-- A snapshot of transactions 3 to p_end - 1, of which some have not ended.
create function promise.snapshot(p_end int, p_open int[]) returns pg_snapshot
    language sql
    as $$
    select format('%s:%s:%s', coalesce(min(o), p_end), p_end, string_agg(o::text, ',' order by o))::pg_snapshot
    from unnest(p_open) o where o < p_end
    $$;
do $$
declare
    v_done_end int;
    v_open int[];  -- not ended when the first snapshot was taken
    p postrider.position;
    v_wrong record;
begin
    perform setseed(0.25);
    for i in 1..2000 loop
        v_done_end := 3 + (random() * 8)::int;
        v_open := array(select x from generate_series(3, 12) x where x >= v_done_end or random() < 0.4);
        p.done := promise.snapshot(v_done_end, v_open);
        p.open := promise.snapshot(v_done_end + (random() * 4)::int, array(select x from unnest(v_open) x where random() < 0.5 or x > 11));
        p.xid := (2 + (random() * 12)::int)::text::xid8;
        p.seq := (random() * 4)::int;
        select m.xid, m.seq into v_wrong
        from (select x::text::xid8 as xid, s as seq from generate_series(3, 16) x, generate_series(1, 4) s) m
        where postrider.covers(p, m.xid, m.seq) = exists (
            select from postrider.behind(p) b
            where (m.xid, m.seq) > (b.from_xid, b.after_seq) and m.xid <= coalesce(b.to_xid, m.xid))
        limit 1;
        assert v_wrong is null, format('%s: (%s, %s)', p, v_wrong.xid, v_wrong.seq);
    end loop;
end
$$;
