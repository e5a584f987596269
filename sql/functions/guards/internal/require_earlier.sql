-- require_earlier(failures): refuses failures of settle() whose runs before an immediate retry it would not understand: `earlier` is an array of
-- at most 1000 objects {"error", "error_class", "duration_ms", "ago_ms"}.
-- Raises: PR001.
-- postrider: after require_keys
create or replace function postrider.require_earlier(p_failures jsonb) returns void
    language plpgsql immutable
    as $$
begin
    -- In a filter: a path that a failure does not have would end the search before the others.
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
