-- taken_batch(cursor, taken): the messages that were taken, in their order, for a worker that has all handlers.
-- Returns: one claim_batch. `special` says that a message is large, or that no handler takes its type any more: then the batch must
--   not be handed out, and pick() checks the messages one by one.
-- Stable, one query and without settings, so that the planner inlines it: then it is parsed with every plan, and a column that a
-- migration adds to the log does not break it.
-- postrider: after packed_if_small
create or replace function postrider.taken_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken)
    returns setof postrider.claim_batch
    language sql stable
    as $$
    select pg_catalog.array_agg(m.seq), pg_catalog.string_agg(m.packed, ''), null::xid8, null::bigint,
           pg_catalog.bool_or(m.packed is null), null::int
    from (
        -- Packed before they are sorted: that takes half the time of sorting whole messages.
        select m.seq, m.packed
        from rows from (pg_catalog.unnest((p_taken).seqs), pg_catalog.unnest((p_taken).xids)) with ordinality as t(seq, xid, n)
        cross join lateral (
            select m.seq, postrider.packed_if_small(p_cursor, m) as packed
            from postrider.message m
            where m.channel = (p_cursor).channel and m.xid = t.xid and m.seq = t.seq
              and m.published_at >= (p_taken).from_at and m.published_at <= (p_taken).to_at
            offset 0) m
        order by t.n) m
    $$;
