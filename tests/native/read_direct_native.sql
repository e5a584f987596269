-- Promises of read_direct_native() and look_ahead_native():
--   a piece of the log is the same as read_direct() reads it, byte for byte, for any bounds, keys that are blocked or wait, and messages that
--   need pick(), on both sides of a bound of partitions
--   look_ahead() notes the same places
--   with late committers SQL reads the log; a function that is declared differently raises an error
\ir ../sql/include/promises.sql
\ir ../sql/include/ordering.sql
\ir include/helped.sql
\ir include/bound.sql
select setseed(0.42);

-- cursor_of(worker): the cursor of the worker's consumer, in the segment of all published messages.
create function promise.cursor_of(p_worker uuid) returns postrider.claim_cursor
    language plpgsql
    as $$
declare
    c postrider.claim_cursor;
begin
    select l.* into strict c
    from postrider.worker w cross join lateral postrider.load_cursor(p_worker, w.consumer_id, null) l where w.id = p_worker;
    c.stop := 'infinity';
    return case when c.xid >= c.before then postrider.open_segment(c) else c end;
end
$$;

-- publish_mixed(channel, transactions, each): messages with and without one of 20 keys, some of them large, for another consumer, for this one
-- by name or with a priority. Each transaction overlaps with the next one, so that their numbers do, and lies in two partitions. Some rows are
-- so long that the server compresses their keys.
create procedure promise.publish_mixed(p_channel text, p_transactions int, p_each int)
    language plpgsql
    as $$
begin
    for i in 1..p_transactions loop
        insert into postrider.message (seq, channel, event_type, source, payload, ordering_key, target, priority, event_version,
                                       published_at)
            overriding system value
        select i * 100000 + n * 10 + (random() * 150000)::int * 10 + i % 10, p_channel, 'kind.' || (random() * 3)::int, 'test',
               jsonb_build_object('n', n, 'text', case when random() < 0.01 then repeat(md5(n::text), 300)
                                                           when random() < 0.02 then repeat('x', 7600 + (random() * 400)::int)
                                                           when random() < 0.05 then (select string_agg(md5(n::text || part), '') from generate_series(1, 58) part)
                                                           else 'small' end),
               case when random() < 0.9 then 'key ' || repeat('x', (random() * 3)::int * 80) || (random() * 20)::int end,
               case when random() < 0.05 then 'another' when random() < 0.05 then 'reader' end,
               case when random() < 0.02 then 3 else 0 end, 1 + (random() < 0.2)::int,
               now() + (random() - 0.5) * interval '30 minutes'
        from generate_series(1, p_each) n;
        commit;
    end loop;
end
$$;

-- somewhere(cursor): the cursor, or one behind any message; some transactions of the segment may be in progress in `open`.
create function promise.somewhere(p_cursor postrider.claim_cursor) returns postrider.claim_cursor
    language plpgsql
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_xids xid8[] := array(select distinct m.xid from postrider.message m where m.channel = c.channel and random() < 0.002 order by 1);
begin
    if random() < 0.3 then
        select m.xid, m.seq into c.xid, c.seq from postrider.message m where m.channel = c.channel order by random() limit 1;
    end if;
    if random() < 0.3 and v_xids <> '{}' then
        c.open := format('%s:%s:%s', v_xids[1], c.before, array_to_string(v_xids, ','));
    end if;
    return c;
end
$$;

-- compare_pieces(cursor, rounds): reads pieces with random bounds by the library and in SQL. A piece that must not be used has nothing to compare.
create function promise.compare_pieces(p_cursor postrider.claim_cursor, p_rounds int, out usable int, out handed_out int, out noted int)
    language plpgsql
    as $$
declare
    c postrider.claim_cursor;
    v_to record;
    v_lowest bigint;
    v_blocked text[];
    v_room int;
    v_chain int;
    a postrider.direct_piece;
    b postrider.direct_piece;
begin
    usable := 0;
    handed_out := 0;
    noted := 0;
    for i in 1..p_rounds loop
        c := promise.somewhere(p_cursor);
        select m.xid, m.seq into v_to from postrider.message m where m.channel = c.channel order by random() limit 1;
        if random() < 0.2 then
            select c.before as xid, 0::bigint as seq into v_to;
        end if;
        v_lowest := coalesce((select min(m.seq) from postrider.message m
                              where m.channel = c.channel and (m.xid, m.seq) > (v_to.xid, v_to.seq) and m.ordering_key is not null),
                             9223372036854775807);
        if random() < 0.3 then
            v_lowest := least(v_lowest, (select m.seq from postrider.message m
                                         where m.channel = c.channel and m.ordering_key is not null
                                           and (m.xid, m.seq) > (c.xid, c.seq) and (m.xid, m.seq) <= (v_to.xid, v_to.seq)
                                         order by random() limit 1));
        end if;
        v_blocked := array(select distinct m.ordering_key from postrider.message m
                           where m.channel = c.channel and m.ordering_key is not null and random() < 0.002);
        v_room := 1 + (random() * 999)::int;
        v_chain := 1 + (random() * 20)::int;
        a := postrider.read_segment_piece(c, v_to.xid, v_to.seq, v_lowest, v_blocked, v_room, v_chain, false);
        perform promise.helped('postrider.read_direct(postrider.claim_cursor, xid8, bigint, bigint, text[], int, int)');
        b := postrider.read_segment_piece(c, v_to.xid, v_to.seq, v_lowest, v_blocked, v_room, v_chain, true);
        assert promise.helped('postrider.read_direct(postrider.claim_cursor, xid8, bigint, bigint, text[], int, int)') = 0, 'read in SQL';
        assert (a.more, a.more or a.special) = (b.more, b.more or b.special), format('more: %s and %s, special: %s and %s', a.more, b.more, a.special, b.special);
        continue when a.more or a.special;
        assert a is not distinct from b, format('%s messages and %s, %s and %s noted', cardinality((a.taken).seqs),
                                                cardinality((b.taken).seqs), cardinality((a.noted).seqs), cardinality((b.noted).seqs));
        usable := usable + 1;
        handed_out := handed_out + coalesce(cardinality((a.taken).seqs), 0);
        noted := noted + coalesce(cardinality((a.noted).seqs), 0);
    end loop;
end
$$;

-- Pieces of a log without and with keys that wait.
do $$
declare
    w uuid := promise.ordered('pieces', p_handlers => '[{"name": "test.some", "event_types": ["kind.1", "kind.2", "kind.3"]}]');
    v_consumer int := (select consumer_id from postrider.worker where id = w);
    c postrider.claim_cursor;
    r record;
begin
    call promise.publish_mixed('pieces', 8, 60);
    assert (select count(distinct m.tableoid) > 1 and bool_or(pg_column_size(m.ordering_key) < octet_length(m.ordering_key))
            from postrider.message m where m.channel = 'pieces');
    c := promise.cursor_of(w);
    r := promise.compare_pieces(c, 60);
    assert r.usable > 10 and r.handed_out > 100 and r.noted > 100, r;
    insert into postrider.follower (consumer_id, key, seq, xid, segment, published_at)
    select distinct on (m.ordering_key) v_consumer, m.ordering_key, -1, m.xid, m.xid, m.published_at
    from postrider.message m where m.channel = 'pieces' and m.ordering_key like 'key %1';
    r := promise.compare_pieces(c, 30);
    assert r.usable > 5, r;
    rollback;
end
$$;

-- places(cursor, native): the places that look_ahead() writes.
create function promise.places(c postrider.claim_cursor, p_native boolean) returns postrider.lookahead[]
    language plpgsql
    as $$
declare
    v_places postrider.lookahead[];
begin
    assert postrider.look_ahead(c, p_native);
    v_places := array(select l from postrider.lookahead l where l.consumer_id = c.consumer_id order by l.xid, l.seq);
    delete from postrider.lookahead where consumer_id = c.consumer_id;
    return v_places;
end
$$;

-- The places of a long segment.
do $$
declare
    w uuid := promise.ordered('places');
    c postrider.claim_cursor;
    s postrider.claim_cursor;
    v_sql postrider.lookahead[];
    v_native postrider.lookahead[];
    v_xids xid8[];
    v_seqs bigint[];
begin
    call promise.publish_mixed('places', 20, 150);
    c := promise.cursor_of(w);
    s := c;
    for i in 1..10 loop
        assert (select n.read is not null from postrider.look_ahead_native(s, s.before, 0, 1, 50000) n), 'left to SQL';
        v_sql := promise.places(s, false);
        v_native := promise.places(s, true);
        assert v_sql = v_native, format('%s %s', v_sql, v_native);
        assert i > 1 or cardinality(v_sql) > 5, v_sql;
        s := promise.somewhere(c);
    end loop;
    -- From any message back, also of the newest transaction. The last one that may be read is a place, too.
    select array_agg(m.xid order by m.xid, m.seq), array_agg(m.seq order by m.xid, m.seq) into v_xids, v_seqs
    from postrider.message m where m.channel = 'places';
    for i in 149..cardinality(v_seqs) by 149 loop
        assert (select n.read = i from postrider.look_ahead_native(c, v_xids[i], v_seqs[i], 1, 50000) n), i;
        assert (select (n.read, n.xids, n.seqs) = (100, array[v_xids[i - 99]], array[v_seqs[i - 99] - 1])
                from postrider.look_ahead_native(c, v_xids[i], v_seqs[i], 1, 100) n), i;
    end loop;
    rollback;
end
$$;

-- SQL reads late committers.
do $$
declare
    w uuid := promise.ordered('late');
    c postrider.claim_cursor := promise.cursor_of(w);
begin
    c.late := true;
    assert (select n.more is null and n.seqs is null from postrider.read_direct_native(c, c.before, 0, 1, '{}', 10, 1) n);
    assert (select n.read is null from postrider.look_ahead_native(c, c.before, 0, 1, 10) n);
    c.late := false;
    assert (select not n.more and not n.found from postrider.read_direct_native(c, c.before, 0, 1, '{}', 10, 1) n);
    assert (select n.more is null from postrider.read_direct_native(c, c.before, 0, 1, '{}', 0, 1) n);
    assert (select n.more is null from postrider.read_direct_native(c, c.before, 0, 1, null, 10, 1) n);
    assert (select n.read is null from postrider.look_ahead_native(c, c.before, 0, 1, 1000000) n);
    set local postrider.native = off;
    assert (select n.more is null from postrider.read_direct_native(c, c.before, 0, 1, '{}', 10, 1) n);
    rollback;
end
$$;

-- Other declarations, and a record that is not a cursor.
create function promise.other(int, xid8, bigint, bigint, text[], int, int, out int, out int) language c
    as 'postrider_native', 'read_direct_native';
select promise.raises($$select promise.other(1, '1', 1, 1, '{}', 1, 1)$$, '42P13');
create function promise.another(record, xid8, bigint, bigint, int, out int, out int) language c
    as 'postrider_native', 'look_ahead_native';
select promise.raises($$select promise.another(null, '1', 1, 1, 1)$$, '42P13');
do $$
begin
    assert (select n.read is null from postrider.look_ahead_native(row(1, 2), '1', 1, 1, 1) n);
    assert (select n.more is null from postrider.read_direct_native(row('consumer_id'), '1', 1, 1, '{}', 1, 1) n);
    assert (select n.more is null from postrider.read_direct_native(null, '1', 1, 1, '{}', 1, 1) n);
end
$$;
