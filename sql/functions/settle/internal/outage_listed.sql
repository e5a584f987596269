-- outage_listed(error_class, entries): whether an error class is in a handler's list of those that mean an outage, an array of
-- error classes or of prefixes that end in '*'. Strict: most handlers have no list.
create or replace function postrider.outage_listed(p_error_class text, p_entries jsonb) returns boolean
    language plpgsql immutable strict parallel safe
    as $$
begin
    return exists (
        select from pg_catalog.jsonb_array_elements_text(p_entries) as e(entry)
        where p_error_class = e.entry
           or (pg_catalog.right(e.entry, 1) = '*'
               and pg_catalog.starts_with(p_error_class, pg_catalog.left(e.entry, -1))));
end
$$;
