-- audit_floor(): how long audit entries are kept at least, from the table setting. A year when there is no such setting.
create or replace function postrider.audit_floor() returns interval
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return coalesce((select value::interval from postrider.setting where name = 'audit_floor'), interval '365 days');
end
$$;
