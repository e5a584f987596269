-- message_page(filter, limit, xid, seq, reach): one page of the log of a channel, the newest first, without payloads.
-- filter is a JSON object; all its keys must match: channel (default outbox_default), id, idempotency_key, trace (a
-- trace id, or a whole trace context), event_type (exactly this, or a prefix that ends in *), workspace_id, since,
-- until (see message_before()). An id is looked up in every channel. With idempotency_key or trace, for which there is no index, since is a day
-- ago unless it is given; -infinity: the whole log.
-- The next page is the one behind the xid and seq of the last row of this one. With reach it scans at most
-- that number of messages; message_reach() says how far that is.
-- Raises: PR001 for an unknown key or an invalid value.
-- postrider: grant operator, viewer, agent
-- postrider: after message_range, require_keys
create or replace function postrider.message_page(
    p_filter jsonb default '{}', p_limit int default 50, p_xid xid8 default null, p_seq bigint default null,
    p_reach int default null
) returns table (
    id uuid, channel text, event_type text, event_version int, occurred_at timestamptz, source text, target text,
    content_class text, generation bigint, workspace_id uuid, idempotency_key text, ordering_key text, partition_key text,
    trace_context text, priority int, seq bigint, published_at timestamptz, xid xid8)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_key text;
    v_text text;
    v_where text := 'true';
    v_range text;
begin
    if jsonb_typeof(p_filter) is distinct from 'object' or p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'message_page: the filter must be a JSON object and the limit 1 to 10000';
    end if;
    perform postrider.require_keys(
        p_filter, '{channel,id,idempotency_key,trace,event_type,workspace_id,since,until}', 'a filter of messages');
    for v_key, v_text in select key, value from jsonb_each_text(p_filter) loop
        v_where := v_where || ' and ' || case
            when v_key in ('channel', 'since', 'until') then 'true'
            when v_key = 'id' then format('m.id = %L', v_text::uuid)
            when v_key = 'idempotency_key' then format('coalesce(m.idempotency_key, m.id::text) = %L', v_text)
            when v_key = 'trace' and length(v_text) = 32 then format('split_part(m.trace_context, ''-'', 2) = %L', v_text)
            when v_key = 'trace' then format('m.trace_context = %L', v_text)
            when v_key = 'event_type' and right(v_text, 1) = '*' then format('starts_with(m.event_type, %L)', left(v_text, -1))
            when v_key = 'event_type' then format('m.event_type = %L', v_text)
            when v_key = 'workspace_id' then format('m.workspace_id = %L', v_text::uuid)
        end;
    end loop;
    v_key := null;
    v_range := postrider.message_range(p_filter, p_xid, p_seq);
    return query execute format(
        'select m.id, m.channel::text, m.event_type::text, m.event_version, m.occurred_at, m.source::text, m.target::text,
                m.content_class::text, m.generation, m.workspace_id, coalesce(m.idempotency_key, m.id::text),
                m.ordering_key::text, m.partition_key::text, m.trace_context::text, m.priority::int, m.seq, m.published_at,
                m.xid
         from %s where %s order by m.xid desc, m.seq desc limit %s',
        case when p_reach is null or p_filter ? 'id' then 'postrider.message m'
             else format('(select m.* from postrider.message m where %s order by m.xid desc, m.seq desc limit %s) m', v_range, greatest(p_reach, 1)) end,
        v_where || case when p_reach is null or p_filter ? 'id' then ' and ' || v_range else '' end, p_limit);
exception when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception using errcode = 'PR001', message = format('message_page: %s: %s', coalesce(v_key, 'since or until'), sqlerrm);
end
$$;
