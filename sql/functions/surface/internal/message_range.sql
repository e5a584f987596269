-- message_range(filter, xid, seq): the part of the log that message_page() and message_reach() scan, as conditions that
-- an index supports: the channel, the times and the place to continue from.
-- filter is message_page()'s.
-- Returns: conditions on postrider.message m, to be put into a statement.
-- Raises: 22007, 22008 for an invalid time.
-- postrider: after message_before
create or replace function postrider.message_range(p_filter jsonb, p_xid xid8, p_seq bigint) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set datestyle = 'ISO'
    as $$
declare
    v_channel text := coalesce(p_filter ->> 'channel', 'outbox_default');
    v_since timestamptz := p_filter ->> 'since';
    v_until timestamptz := p_filter ->> 'until';
    v_before xid8;
begin
    if v_since is null and p_filter ?| '{idempotency_key,trace}' and not p_filter ? 'id' then
        v_since := clock_timestamp() - interval '1 day';
    end if;
    if v_until is not null and p_xid is null and not p_filter ? 'id' then
        v_before := postrider.message_before(v_channel, v_until);
    end if;
    return case when p_filter ? 'id' then 'true' else format('m.channel = %L', v_channel) end
        || case when v_since > '-infinity' then format(' and m.published_at >= %L', v_since) else '' end
        || case when v_until is not null then format(' and m.published_at < %L', v_until) else '' end
        || case when v_before is not null then format(' and m.xid < %L', v_before) else '' end
        || case when p_xid is not null then format(' and (m.xid, m.seq) < (%L, %L)', p_xid, coalesce(p_seq, 0)) else '' end;
end
$$;
