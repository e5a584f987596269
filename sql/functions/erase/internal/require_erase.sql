-- require_erase(filter): refuses a filter of erase() that is malformed, and one that describes no subject.
-- Raises: PR001, PR002 for one that is too large.
-- postrider: after require_filter, require_keys
create or replace function postrider.require_erase(p_filter jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.require_filter(
        p_filter, '{ids,idempotency_key,ordering_key,partition_key,workspace_id,payload,event_type,channel,since,until}',
        '{ids,idempotency_key,ordering_key,partition_key,workspace_id,payload}', 'erase');
    if p_filter ? 'payload' then
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
