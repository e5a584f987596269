-- visible_columns(view, hidden, viewer): the columns of a view that the caller's role may read, as a select list of the alias t.
-- p_hidden: columns to leave out. p_viewer: only columns that postrider_viewer may read.
-- Returns: t.* when there is none, so that the query that uses it fails with a clear error.
-- postrider: grant operator, viewer, agent
create or replace function postrider.visible_columns(p_view text, p_hidden text[] default '{}', p_viewer boolean default false)
    returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        select coalesce(string_agg('t.' || quote_ident(a.attname), ', ' order by a.attnum), 't.*')
        from pg_attribute a
        where a.attrelid = to_regclass(format('postrider.%I', p_view)) and a.attnum > 0 and not a.attisdropped
          and a.attname <> all (p_hidden)
          and has_column_privilege(case when p_viewer then 'postrider_viewer' else current_user end, a.attrelid, a.attnum, 'select'));
end
$$;
