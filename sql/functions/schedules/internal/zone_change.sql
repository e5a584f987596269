-- zone_change(time_zone, from, to): the first whole second between two instants at which a time zone has another offset from UTC
-- than at p_from, found by binary search. There is at most one change between them.
create or replace function postrider.zone_change(p_time_zone text, p_from timestamptz, p_to timestamptz) returns timestamptz
    language plpgsql stable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_before constant interval := timezone(p_time_zone, p_from) - timezone('UTC', p_from);
    v_low bigint := extract(epoch from p_from);   -- has the offset of p_from
    v_high bigint := extract(epoch from p_to);
    v_middle bigint;
    v_at timestamptz;
begin
    while v_high - v_low > 1 loop
        v_middle := (v_low + v_high) / 2;
        v_at := to_timestamp(v_middle);
        if timezone(p_time_zone, v_at) - timezone('UTC', v_at) = v_before then
            v_low := v_middle;
        else
            v_high := v_middle;
        end if;
    end loop;
    return to_timestamp(v_high);
end
$$;
