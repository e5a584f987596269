-- canary_died(): why a replay paused that an operator has not paused, when a canary died again.
create or replace function postrider.canary_died() returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return 'a canary died again';
end
$$;
