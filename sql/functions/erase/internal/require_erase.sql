-- require_erase(filter): refuses a filter of erase() that is malformed, and one that describes no subject.
-- Raises: PR001.
-- postrider: after require_keys
create or replace function postrider.require_erase(p_filter jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_uuid constant text := '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$';
begin
    if jsonb_typeof(p_filter) is distinct from 'object' then
        raise exception using errcode = 'PR001', message = 'erase: the filter must be a JSON object';
    end if;
    perform postrider.require_keys(
        p_filter, '{ids,idempotency_key,ordering_key,partition_key,workspace_id,payload,event_type,channel,since,until}',
        'the filter of erase');
    if not p_filter ?| '{ids,idempotency_key,ordering_key,partition_key,workspace_id,payload}' then
        raise exception using errcode = 'PR001', message = 'erase: name ids, a key, a workspace_id or a value of the payload';
    elsif jsonb_typeof(coalesce(p_filter -> 'ids', '[]')) <> 'array'
          or jsonb_path_exists(p_filter, 'strict $.ids[*] ? (@.type() != "string")', '{}', true)
          or exists (select from jsonb_array_elements_text(coalesce(p_filter -> 'ids', '[]')) i where i !~ v_uuid)
          or p_filter ->> 'workspace_id' !~ v_uuid then
        raise exception using errcode = 'PR001', message = 'erase: ids and workspace_id must be UUIDs, ids an array of them';
    elsif exists (select from jsonb_each(p_filter - '{ids,payload}'::text[]) f where jsonb_typeof(f.value) <> 'string') then
        raise exception using errcode = 'PR001', message = 'erase: the values of the filter must be texts';
    elsif p_filter ? 'payload' then
        if jsonb_typeof(p_filter -> 'payload') <> 'object' or jsonb_typeof(p_filter -> 'payload' -> 'path') is distinct from 'string'
           or not p_filter -> 'payload' ? 'equals' then
            raise exception using errcode = 'PR001', message = 'erase: payload must be an object with a path and the value that it equals';
        end if;
        perform postrider.require_keys(p_filter -> 'payload', '{path,equals}', 'payload');
        perform (p_filter -> 'payload' ->> 'path')::jsonpath;
    end if;
    perform (p_filter ->> 'since')::timestamptz, (p_filter ->> 'until')::timestamptz;
exception when syntax_error or datetime_field_overflow or invalid_datetime_format then
    raise exception using errcode = 'PR001', message = 'erase: ' || sqlerrm;
end
$$;
