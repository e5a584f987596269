-- quantiles(counts): the median, the 95th and the 99th percentile of a histogram of durations, in milliseconds, as an array of three.
-- Within a class durations count as evenly spread, so a result is off by at most half of the class: a quarter of its value.
-- Returns: null for a histogram without counts.
-- postrider: after time_bound
create or replace function postrider.quantiles(p_counts bigint[]) returns float8[]
    language plpgsql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_parts constant float8[] := '{0.5,0.95,0.99}';
    v_total constant float8 := (select sum(n) from unnest(p_counts) n);
    v_wanted float8 := v_total * v_parts[1];
    v_below float8 := 0;
    v_class int := 0;
    v_found float8[] := '{}';
    v_n bigint;
begin
    if coalesce(v_total, 0) = 0 then
        return null;
    end if;
    foreach v_n in array p_counts loop
        v_class := v_class + 1;
        while v_below + v_n >= v_wanted loop
            v_found := v_found || round((
                postrider.time_bound(v_class) + (v_wanted - v_below) / greatest(v_n, 1)
                * (postrider.time_bound(v_class + 1) - postrider.time_bound(v_class)))::numeric, 3)::float8;
            if cardinality(v_found) = 3 then
                return v_found;
            end if;
            v_wanted := v_total * v_parts[cardinality(v_found) + 1];
        end loop;
        v_below := v_below + v_n;
    end loop;
    return v_found;
end
$$;
