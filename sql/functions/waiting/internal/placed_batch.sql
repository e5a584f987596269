-- placed_batch(cursor, taken, places): taken_batch() for messages whose rows are still at their places, which saves a search in the log's
-- index for each: that takes longer than packing it.
-- Returns: one claim_batch. `special` says as well that a message was not found at its place: erase() or VACUUM FULL has moved it, or the
--   database was restored from a dump.
-- Stable, one query and without settings, so that the planner inlines it.
-- postrider: after packed_if_small
create or replace function postrider.placed_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken, p_places tid[])
    returns setof postrider.claim_batch
    language sql stable
    as $$
    select pg_catalog.array_agg(m.seq), pg_catalog.string_agg(m.packed, ''), null::xid8, null::bigint,
           pg_catalog.bool_or(m.packed is null) or pg_catalog.count(*) < pg_catalog.cardinality((p_taken).seqs), null::int
    from (
        select m.seq, m.packed
        from rows from (pg_catalog.unnest((p_taken).seqs), pg_catalog.unnest((p_taken).xids), pg_catalog.unnest(p_places))
             with ordinality as t(seq, xid, place, n)
        cross join lateral (
            select m.seq, postrider.packed_if_small(p_cursor, m) as packed
            from postrider.message m
            where m.ctid = t.place and m.channel = (p_cursor).channel and m.xid = t.xid and m.seq = t.seq
              and m.published_at >= (p_taken).from_at and m.published_at <= (p_taken).to_at
            offset 0) m
        order by t.n) m
    $$;
