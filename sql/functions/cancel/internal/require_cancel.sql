-- require_cancel(filter): refuses a filter of cancel() that is malformed, and one that describes all jobs.
-- Its lists and texts are bounded: the audit keeps the filter, and ids are compared while no worker of the consumer can claim.
-- Raises: PR001, PR002 for one that is too large.
-- postrider: after require_keys
create or replace function postrider.require_cancel(p_filter jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_uuid constant text := '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$';
begin
    if jsonb_typeof(p_filter) is distinct from 'object' then
        raise exception using errcode = 'PR001', message = 'cancel: the filter must be a JSON object';
    end if;
    perform postrider.require_keys(p_filter, '{ids,unique_key,consumer,channel,handler,event_type,workspace_id}', 'the filter of cancel');
    if not p_filter ?| '{ids,unique_key,consumer}' then
        raise exception using errcode = 'PR001', message = 'cancel: name ids, a unique_key or a consumer';
    elsif p_filter ? 'ids' and (
              jsonb_typeof(p_filter -> 'ids') <> 'array' or exists (
                  select from jsonb_array_elements(case jsonb_typeof(p_filter -> 'ids') when 'array' then p_filter -> 'ids' end) i
                  where i #>> '{}' !~ v_uuid or jsonb_typeof(i) <> 'string'))
          or p_filter ->> 'workspace_id' !~ v_uuid then
        raise exception using errcode = 'PR001', message = 'cancel: ids and workspace_id must be UUIDs, ids an array of them';
    elsif exists (select from jsonb_each(p_filter - 'ids') f where jsonb_typeof(f.value) <> 'string') then
        raise exception using errcode = 'PR001', message = 'cancel: the values of the filter must be texts';
    elsif jsonb_array_length(coalesce(p_filter -> 'ids', '[]')) > 1000
          or exists (select from jsonb_each_text(p_filter - 'ids') f where octet_length(f.value) > 255) then
        raise exception using errcode = 'PR002', message = 'cancel: a filter may have 1000 ids and texts of 255 bytes';
    end if;
end
$$;
