-- require_time_zone(time_zone): refuses a time zone that is not a name of the IANA database. Abbreviations and POSIX rules, which
-- PostgreSQL takes as well, have no daylight-saving time or turn its sign around.
-- Raises: PR001.
create or replace function postrider.require_time_zone(p_time_zone text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_time_zone ~ '^[A-Za-z_]+(/[A-Za-z_-]+)+$' or p_time_zone = 'UTC' then
        perform timezone(p_time_zone, clock_timestamp());
        return;
    elsif p_time_zone ~ '^[A-Za-z_]+/[A-Za-z0-9_+-]+$'
          -- A name with a digit could be a POSIX rule. Only this view can tell, and it is slow, because it reads a file
          -- per zone.
          and exists (select from pg_timezone_names where name = p_time_zone) then
        return;
    end if;
    raise invalid_parameter_value;
exception when invalid_parameter_value then
    raise exception using errcode = 'PR001',
        message = format('time_zone must be UTC or a name of the IANA database, got %L', left(p_time_zone, 64)),
        hint = 'For example Europe/Berlin. The view pg_timezone_names has all of them.';
end
$$;
