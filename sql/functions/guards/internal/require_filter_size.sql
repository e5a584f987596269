-- require_filter_size(filter, name): refuses a filter with more than 1000 values in a list, or of more than 64 KB. The audit and proposed replays
-- keep filters, and lists show them. p_name: of the filter, for the message.
-- Raises: PR002.
create or replace function postrider.require_filter_size(p_filter jsonb, p_name text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if exists (select from jsonb_each(p_filter) f
               where case when jsonb_typeof(f.value) = 'array' then jsonb_array_length(f.value) end > 1000)
       or octet_length(p_filter::text) > 65536 then
        raise exception using errcode = 'PR002', message = p_name || ' may have lists of 1000 ids and 65536 bytes',
            hint = 'Use several calls, or conditions instead of ids.';
    end if;
end
$$;
