-- sum_counts(a, b): two arrays of counts, added up element by element. The shorter one counts as filled up with 0; null is empty.
create or replace function postrider.sum_counts(p_a bigint[], p_b bigint[]) returns bigint[]
    language sql immutable parallel safe
    as $$
    select case
        when p_b is null or p_b = '{}' then coalesce(p_a, '{}')
        when p_a is null or p_a = '{}' then p_b
        else (select pg_catalog.array_agg(coalesce(s.a, 0) + coalesce(s.b, 0) order by s.n)
              from rows from (pg_catalog.unnest(p_a), pg_catalog.unnest(p_b)) with ordinality as s(a, b, n))
    end
    $$;
