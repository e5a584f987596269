-- leaves(document): the fields of a JSON object down to the fourth level, with their paths and values as text of at most 200
-- characters. Arrays are values.
create or replace function postrider.leaves(p_document jsonb) returns table (field text, value text)
    language sql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
    with recursive part(field, value, depth) as (
        select '', p_document, 0
        union all
        select concat_ws('.', nullif(p.field, ''), k.key), k.value, p.depth + 1
        from part p cross join lateral jsonb_each(case jsonb_typeof(p.value) when 'object' then p.value else '{}' end) k
        where p.depth < 4
    )
    select p.field, left(p.value #>> '{}', 200) from part p
    where p.field <> '' and (jsonb_typeof(p.value) <> 'object' or p.depth = 4 or p.value = '{}')
    $$;
