-- dead_where(filter, discarded): the condition of a filter of dead letters, as SQL over postrider.delivery d. filter
-- is a JSON object; all its keys must match:
--   consumer, channel, handler, event_type, source, workspace_id, fingerprint, error_class: exactly this value
--   error: the error text contains it (case does not matter); it must not be empty, which every text contains
--   dead_after, dead_before, published_after, published_before, discarded_after, discarded_before: instants
--   ids: a list of message ids; deliveries: a list of delivery ids
--   replay: the id of the last replay that moved them: those that died again in it
-- p_discarded: discarded dead letters instead of the others.
-- Instants are read in the session's date order and written in ISO format, which every session reads the same way.
-- Raises: PR001 for an unknown key or an invalid value: a misspelt filter must not match all dead letters. PR002 as require_filter_size().
-- postrider: after require_filter_size, require_keys
create or replace function postrider.dead_where(p_filter jsonb, p_discarded boolean default false) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set datestyle = 'ISO'
    as $$
declare
    v_where text := 'd.status = ''failed'' and d.deleted_at is ' || case when p_discarded then 'not null' else 'null' end;
    v_key text;
    v_text text;
    v_value jsonb;
begin
    perform postrider.require_keys(
        p_filter, '{consumer,channel,handler,event_type,source,workspace_id,fingerprint,error_class,error,dead_after,dead_before,'
                  'published_after,published_before,discarded_after,discarded_before,ids,deliveries,replay}', 'a filter of dead letters');
    if jsonb_typeof(p_filter) is distinct from 'object' then
        raise exception using errcode = 'PR001', message = 'the filter must be a JSON object',
            hint = 'For example: {"handler": "billing.send_invoice", "error": "timeout"}; {} matches all dead letters.';
    end if;
    perform postrider.require_filter_size(p_filter, 'a filter of dead letters');
    for v_key, v_value in select key, value from jsonb_each(p_filter) loop
        v_text := v_value #>> '{}';
        if v_key in ('ids', 'deliveries') <> (jsonb_typeof(v_value) = 'array')
           or v_key not in ('ids', 'deliveries') and jsonb_typeof(v_value) <> 'string' or v_value @> '[null]'
           or v_key = 'error' and v_text = '' then
            raise exception using errcode = 'PR001', message = format('filter: invalid value of %s: %s', v_key, left(v_value::text, 100)),
                hint = 'ids and deliveries must be lists of ids, other values must be text, and error must not be empty.';
        end if;
        v_where := v_where || ' and ' || case
            when v_key in ('handler', 'event_type', 'source', 'fingerprint', 'error_class')
                then format('d.%I = %L', v_key, v_text)
            when v_key = 'workspace_id' then format('d.workspace_id = %L::uuid', v_text::uuid)
            -- Handled together below.
            when v_key in ('consumer', 'channel') then 'true'
            when v_key = 'error' then format('position(%L in lower(d.last_error)) > 0', lower(v_text))
            when v_key = 'dead_after' then format('d.dead_at >= %L', v_text::timestamptz)
            when v_key = 'dead_before' then format('d.dead_at < %L', v_text::timestamptz)
            when v_key = 'published_after' then format('d.published_at >= %L', v_text::timestamptz)
            when v_key = 'published_before' then format('d.published_at < %L', v_text::timestamptz)
            when v_key = 'discarded_after' then format('d.deleted_at >= %L', v_text::timestamptz)
            when v_key = 'discarded_before' then format('d.deleted_at < %L', v_text::timestamptz)
            when v_key = 'replay' then format('d.replay_id = %s', v_text::bigint)
            when v_key = 'ids' then format('d.message_id = any (%L::uuid[])', array(select jsonb_array_elements_text(v_value))::uuid[])
            when v_key = 'deliveries' then format('d.id = any (%L::bigint[])', array(select jsonb_array_elements_text(v_value))::bigint[])
        end;
    end loop;
    if p_filter ?| '{consumer,channel}' then
        -- By consumer_id, which the indexes have. With a single id, an index also provides the order.
        select v_where || format(case when count(*) = 1 then ' and d.consumer_id = %s' else ' and d.consumer_id in (%s)' end,
                                 coalesce(string_agg(c.id::text, ', '), 'null'))
        into v_where
        from postrider.consumer c
        where c.name = coalesce(p_filter ->> 'consumer', c.name) and c.channel = coalesce(p_filter ->> 'channel', c.channel);
    end if;
    return v_where;
exception when invalid_text_representation or numeric_value_out_of_range or invalid_datetime_format or datetime_field_overflow then
    raise exception using errcode = 'PR001', message = format('filter: %s: %s', v_key, sqlerrm);
end
$$;
