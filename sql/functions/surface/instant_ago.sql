-- instant_ago(text): an instant, written as one or as an age: 2026-03-01T12:00Z, 90m, 2h, 3 days.
-- Raises: 22007, 22008, 22015 for a text that is neither.
-- postrider: grant operator, viewer, agent
create or replace function postrider.instant_ago(p_text text) returns timestamptz
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return case when p_text ~ '^ *[0-9.]+ *[a-z]+ *$' then clock_timestamp() - p_text::interval else p_text::timestamptz end;
end
$$;
