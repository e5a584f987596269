-- Finds a text in the tables.

-- traces(text): tables in which a row has the text anywhere.
create function promise.traces(p_text text) returns text[]
    language plpgsql
    as $$
declare
    v_table text;
    v_found text[] := '{}';
    v_has boolean;
begin
    for v_table in
        select c.relname from pg_class c
        where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        order by 1
    loop
        execute format('select exists (select from postrider.%I t where strpos(t::text, $1) > 0)', v_table) into v_has using p_text;
        v_found := v_found || case when v_has then v_table end;
    end loop;
    return array_remove(v_found, null);
end
$$;
