-- quantiles(counts): the median, the 95th and the 99th percentile of a histogram of durations, in milliseconds, as an array of three.
-- Within a class durations count as evenly spread, so a result is off by at most half of the class: a quarter of its value.
-- Returns: null for a histogram without counts.
-- postrider: after time_bound
create or replace function postrider.quantiles(p_counts bigint[]) returns float8[]
    language plpgsql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_total constant numeric := (select sum(n) from unnest(p_counts) n);
    v_below numeric := 0;
    v_found float8[] := '{}';
    v_part float8;
begin
    if coalesce(v_total, 0) = 0 then
        return null;
    end if;
    for n in 1 .. cardinality(p_counts) loop
        while cardinality(v_found) < 3 and v_below + p_counts[n] >= v_total * (array[0.5, 0.95, 0.99])[cardinality(v_found) + 1] loop
            v_part := (v_total * (array[0.5, 0.95, 0.99])[cardinality(v_found) + 1] - v_below) / greatest(p_counts[n], 1);
            v_found := v_found || round((
                postrider.time_bound(n) + v_part * (postrider.time_bound(n + 1) - postrider.time_bound(n)))::numeric, 3)::float8;
        end loop;
        v_below := v_below + p_counts[n];
    end loop;
    return v_found;
end
$$;
