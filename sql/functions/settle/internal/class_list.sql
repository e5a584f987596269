-- class_list(error_class, classes): which of a handler's lists an error class is in; classify() explains them.
-- Returns: 'terminal', 'transient', or null: in neither.
create or replace function postrider.class_list(p_error_class text, p_classes jsonb) returns text
    language plpgsql immutable parallel safe
    as $$
begin
    return (
        select l.list
        from (values ('terminal'), ('transient')) as l(list)
        cross join lateral pg_catalog.jsonb_array_elements_text(p_classes -> l.list) as e(entry)
        where p_error_class = e.entry
           or (pg_catalog.right(e.entry, 1) = '*'
               and pg_catalog.starts_with(p_error_class, pg_catalog.left(e.entry, -1)))
        order by p_error_class = e.entry desc, pg_catalog.length(e.entry) desc, l.list desc
        limit 1);
end
$$;
