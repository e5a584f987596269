-- require_filter(filter, keys, subjects, caller): refuses a filter that is malformed: unknown keys, none of the keys that name a subject, ids
-- that are not an array of UUIDs, a workspace_id that is no UUID, values that are not texts. The value of payload is the caller's to check.
-- Its lists and texts are bounded: the audit keeps the filter, and ids may be compared while no worker can claim.
-- Raises: PR001, PR002 for one that is too large.
-- postrider: after require_filter_size, require_keys
create or replace function postrider.require_filter(p_filter jsonb, p_keys text[], p_subjects text[], p_caller text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_uuid constant text := '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$';
    v_problem text;
begin
    if jsonb_typeof(p_filter) is distinct from 'object' then
        raise exception using errcode = 'PR001', message = p_caller || ': the filter must be a JSON object';
    end if;
    perform postrider.require_keys(p_filter, p_keys, 'the filter of ' || p_caller);
    v_problem := case
        when not p_filter ?| p_subjects then 'name at least one of ' || array_to_string(p_subjects, ', ')
        when jsonb_typeof(coalesce(p_filter -> 'ids', '[]')) <> 'array'
             or jsonb_path_exists(p_filter, 'strict $.ids[*] ? (@.type() != "string")', '{}', true)
             or exists (select from jsonb_array_elements_text(
                            case jsonb_typeof(p_filter -> 'ids') when 'array' then p_filter -> 'ids' end) i where i !~ v_uuid)
             or p_filter ->> 'workspace_id' !~ v_uuid
            then 'ids and workspace_id must be UUIDs, ids an array of them'
        when exists (select from jsonb_each(p_filter - '{ids,payload}'::text[]) f where jsonb_typeof(f.value) <> 'string')
            then 'the values of the filter must be texts'
    end;
    if v_problem is not null then
        raise exception using errcode = 'PR001', message = p_caller || ': ' || v_problem;
    elsif exists (select from jsonb_each_text(p_filter - '{ids,payload}'::text[]) f where octet_length(f.value) > 255) then
        raise exception using errcode = 'PR002', message = p_caller || ': the texts of a filter may have 255 bytes';
    end if;
    perform postrider.require_filter_size(p_filter, 'the filter of ' || p_caller);
end
$$;
