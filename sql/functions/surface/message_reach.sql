-- message_reach(filter, reach, xid, seq): where a search of the log of a channel stops that looks at p_reach messages, the newest
-- first, behind the given place. For what has no index: so a search takes no longer the longer the log is, and says how far it
-- went. filter is message_page()'s.
-- Returns: the place of the last message it looks at and when that was published; null when it need not stop.
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
    -- The index alone knows the place, when no time is given.
    execute format(
        'select m.xid, m.seq from postrider.message m where %s order by m.xid desc, m.seq desc offset %s limit 1',
        postrider.message_range(p_filter, p_xid, p_seq), greatest(p_reach, 1) - 1)
    into xid, seq;
    execute 'select m.published_at from postrider.message m where m.channel = $1 and m.xid = $2 and m.seq = $3'
    into published_at using coalesce(p_filter ->> 'channel', 'outbox_default'), xid, seq;
end
$$;
