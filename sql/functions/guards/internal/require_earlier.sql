-- require_earlier(failures): refuses failures of settle() with malformed runs before an immediate retry: `earlier` is an array of at most 1000
-- objects {"error", "error_class", "duration_ms", "ago_ms"}.
-- Raises: PR001.
-- postrider: after require_keys
create or replace function postrider.require_earlier(p_failures jsonb) returns void
    language plpgsql immutable
    as $$
begin
    -- The path is inside a filter: in strict mode a failure without it would end the search.
    if pg_catalog.jsonb_path_exists(p_failures, 'strict $[*] ? (exists (@.earlier ? (
           @ != null && (@.type() != "array" || @.size() > 1000 || exists (@[*] ? (@.type() != "object"))))))') then
        raise exception using errcode = 'PR001', message = 'earlier must be an array of at most 1000 objects';
    end if;
    perform postrider.require_keys(
        pg_catalog.jsonb_path_query_array(p_failures, '$[*].earlier[*]'), '{error,error_class,duration_ms,ago_ms}', 'an earlier run');
    if pg_catalog.jsonb_path_exists(p_failures, '$[*].earlier[*].* ? (
           @ != null && @.type() != "string" && !(@.type() == "number" && @ >= 0 && @ <= 1e12))')
       or pg_catalog.jsonb_path_exists(p_failures, '$[*].earlier[*] ? (
           @.duration_ms.type() == "string" || @.ago_ms.type() == "string")') then
        raise exception using errcode = 'PR001',
            message = 'duration_ms and ago_ms of an earlier run must be numbers of milliseconds that are not negative';
    end if;
end
$$;
