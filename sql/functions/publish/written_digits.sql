-- written_digits(document): the number of digits, at most, that PostgreSQL writes for the numbers of a document. It is computed without writing
-- them, which could take gigabytes.
-- postrider: grant operator, viewer, agent
create or replace function postrider.written_digits(p_document jsonb) returns bigint
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return coalesce(sum(scale(n.value) + case when abs(n.value) < 1e32 then 32 when abs(n.value) < 1e1000 then 1000 else 131072 end), 0)
    -- As an array: the time of jsonb_path_query() grows with the square of the number of its rows.
    from (select v::numeric as value
          from jsonb_array_elements(jsonb_path_query_array(p_document, 'strict $.** ? (@.type() == "number")')) v) n;
end
$$;
