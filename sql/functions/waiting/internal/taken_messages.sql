-- taken_messages(channel, taken): the messages of a channel that were taken, in the order in which they were.
-- Stable, one query and without settings, so that the planner inlines it.
create or replace function postrider.taken_messages(p_channel text, p_taken postrider.taken) returns setof postrider.message
    language sql stable
    as $$
    select m.*
    from rows from (pg_catalog.unnest((p_taken).seqs), pg_catalog.unnest((p_taken).xids)) with ordinality as t(seq, xid, n)
    cross join lateral (
        select m.* from postrider.message m
        where m.channel = p_channel and m.xid = t.xid and m.seq = t.seq
          and m.published_at >= (p_taken).from_at and m.published_at <= (p_taken).to_at
        offset 0) m
    order by t.n
    $$;
