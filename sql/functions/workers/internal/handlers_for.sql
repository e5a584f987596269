-- handlers_for(consumer_id, event_type, xid, seq): the handlers a message at (xid, seq) is owed to: those that were
-- active when the cursor passed it, also if they changed since. For a message still behind the cursor: those that are
-- active now.
-- postrider: after matches, covers
create or replace function postrider.handlers_for(p_consumer_id int, p_event_type text, p_xid xid8, p_seq bigint)
    returns text[]
    language plpgsql stable
    as $$
begin
    return (
        select coalesce(pg_catalog.array_agg(h.name order by h.name), '{}')
        from postrider.handler h
        where h.consumer_id = p_consumer_id
          and postrider.matches(p_event_type, h.event_types)
          and not postrider.covers(h.starts, p_xid, p_seq)
          and (h.ends is null or postrider.covers(h.ends, p_xid, p_seq)));
end
$$;
