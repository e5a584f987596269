-- message_reach(filter, reach, xid, seq): the place at which a search of a channel's log stops that scans p_reach messages, the
-- newest first, from the given place. For filters without an index: the time of a search is bounded, and its caller can continue
-- from that place. filter is message_page()'s.
-- Returns: the place of the last message to scan and when that was published; null when the search needs no bound.
-- postrider: grant operator, viewer, agent
-- postrider: after message_range
create or replace function postrider.message_reach(
    p_filter jsonb, p_reach int, p_xid xid8 default null, p_seq bigint default null, out xid xid8, out seq bigint,
    out published_at timestamptz
)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_bitmapscan = off
    set enable_seqscan = off
    set enable_sort = off
    as $$
#variable_conflict use_column
begin
    if p_reach is null or p_filter ? 'id' or not p_filter ?| '{idempotency_key,trace,event_type,workspace_id}' then
        return;
    end if;
    -- Without a time, an index-only scan finds the place.
    execute format(
        'select m.xid, m.seq from postrider.message m where %s order by m.xid desc, m.seq desc offset %s limit 1',
        postrider.message_range(p_filter, p_xid, p_seq), greatest(p_reach, 1) - 1)
    into xid, seq;
    execute 'select m.published_at from postrider.message m where m.channel = $1 and m.xid = $2 and m.seq = $3'
    into published_at using coalesce(p_filter ->> 'channel', 'outbox_default'), xid, seq;
end
$$;
