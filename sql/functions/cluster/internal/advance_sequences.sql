-- advance_sequences(): puts every sequence of an identity column behind the highest number in its column. Logical replication
-- copies rows and not sequences, so numbers would repeat.
-- Returns: the columns whose sequence was behind. Touches: the sequences.
create or replace function postrider.advance_sequences() returns setof text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_highest bigint;
    v_last bigint;
    i record;
begin
    for i in
        select a.attrelid::regclass as relation, a.attname as attribute,
               pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) as sequence
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'postrider'::regnamespace and a.attidentity <> '' and not c.relispartition
        order by 1, 2
    loop
        execute format('select max(%I) from %s', i.attribute, i.relation) into v_highest;
        execute format('select case when is_called then last_value else last_value - 1 end from %s', i.sequence) into v_last;
        if v_highest > v_last then
            return next i.relation || '.' || i.attribute;
        end if;
        -- Always: this connection may have cached numbers that it drew before.
        if greatest(v_highest, v_last) > 0 then
            perform setval(i.sequence, greatest(v_highest, v_last));
        end if;
    end loop;
end
$$;
