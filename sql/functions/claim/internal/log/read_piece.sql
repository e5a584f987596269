-- read_piece(cursor, xid, seq, limit): the next messages of a segment behind (xid, seq), for a worker that has all handlers.
-- Late committers are not among them; pick() reads those. Nor are messages that wait; exchange_waiting() hands those out.
-- Returns: one claim_batch. Fewer messages than asked for are the rest of the segment, so it ends there. `special` says that a
--   message is large or is published to the consumer by name although none of its handlers takes the type, or that
--   the time to pass over messages of other consumers is up: then the batch must not be handed out, and pick() reads the messages
--   one by one. Stored sizes are compressed sizes, so the packed message is measured too.
-- The scan ends at a limit; an upper bound on (xid, seq) would not end it. Stable, one query and without settings, so that the
-- planner inlines it.
-- Touches: message (read).
-- postrider: after log_range, wants, packed
create or replace function postrider.read_piece(
    p_cursor postrider.claim_cursor, p_xid xid8, p_seq bigint, p_limit int
) returns setof postrider.claim_batch
    language sql stable
    as $$
    select pg_catalog.array_agg(m.seq), pg_catalog.string_agg(m.packed, ''),
           case when pg_catalog.count(*) = p_limit then pg_catalog.max(m.xid)
                when pg_catalog.count(*) > 0 then (p_cursor).before end,
           case when pg_catalog.count(*) = p_limit then (pg_catalog.array_agg(m.seq))[p_limit] else 0 end,
           pg_catalog.bool_or(coalesce(pg_catalog.octet_length(m.packed), 8001) > 8000), null::int
    from (
        select m.seq, m.xid,
               case when pg_catalog.pg_column_size(m.payload) > 4000 or pg_catalog.pg_column_size(m.headers) > 4000
                      or m.target is not null and not postrider.wants(
                          (p_cursor).name, (p_cursor).all_types, (p_cursor).exact_types, (p_cursor).type_prefixes, null,
                          m.event_type)
                      or pg_catalog.clock_timestamp() > (p_cursor).stop
                    then null else postrider.packed(m) end as packed
        from postrider.log_range(
            (p_cursor).channel, (p_cursor).done, (p_cursor).open, p_xid, p_seq, (p_cursor).before, (p_cursor).low,
            (p_cursor).high) m
        where m.priority = 0 and m.available_at is null
          and postrider.wants((p_cursor).name, (p_cursor).all_types, (p_cursor).exact_types, (p_cursor).type_prefixes, m.target,
                              m.event_type)
           or pg_catalog.clock_timestamp() > (p_cursor).stop
        order by m.xid, m.seq limit p_limit) m
    $$;
