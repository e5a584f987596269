-- next_slot(cron, time_zone, after): the first slot of a cron expression behind an instant.
-- Time is divided into segments in which the zone has one offset from UTC. Where clocks change:
--   an expression whose hour begins with * runs through: it has a slot whenever the clock shows a matching time. A time that is
--     skipped has none, a time that is shown twice has two.
--   any other expression has fixed times: those that are skipped have one slot together, at the instant of the change; those that
--     are shown twice have their slot the first time.
-- Slots of @every are multiples of the interval since 1970-01-01 00:00 UTC, whatever the zone.
-- Returns: null when there is none within forty years.
--
-- Without a SET search_path clause, because firing calls it for every schedule and the clause costs more than the function. The callers pin it.
-- postrider: after next_local, zone_change
create or replace function postrider.next_slot(p_cron postrider.cron, p_time_zone text, p_after timestamptz) returns timestamptz
    language plpgsql stable parallel safe
    as $$
declare
    c constant postrider.cron := p_cron;
    v_first constant timestamptz := date_trunc('second', p_after) + interval '1 second';  -- the first instant that may be a slot
    v_from timestamptz := v_first - interval '24 hours';  -- of the segment; a day earlier, to detect a change that repeats local times
    v_to timestamptz;
    v_offset interval := timezone(p_time_zone, v_from) - timezone('UTC', v_from);
    v_change boolean;  -- the segment ends because clocks change
    v_shown timestamp;  -- the end of the previous segment in its local time; null: clocks do not change at v_from
    v_local timestamp;
begin
    if c.every is not null then
        return to_timestamp((floor(extract(epoch from p_after) / c.every) + 1) * c.every);
    end if;
    loop
        v_to := v_from + interval '24 hours';
        v_change := timezone(p_time_zone, v_to) - timezone('UTC', v_to) <> v_offset;
        if v_change then
            v_to := postrider.zone_change(p_time_zone, v_from, v_to);
        end if;
        v_local := timezone('UTC', v_from) + v_offset;
        if v_shown is not null and not c.runs_through then
            if v_shown < v_local and v_from >= v_first and postrider.next_local(c, v_shown) < v_local then
                return v_from;
            end if;
            v_local := greatest(v_local, v_shown);
        end if;
        v_local := postrider.next_local(c, greatest(v_local, timezone('UTC', v_first) + v_offset));
        if v_local is null then
            return null;
        elsif timezone('UTC', v_local - v_offset) < v_to then
            return timezone('UTC', v_local - v_offset);
        end if;
        if v_change then
            v_shown := timezone('UTC', v_to) + v_offset;
            v_from := v_to;
        else
            -- No clock shows a matching time until a day before v_local.
            v_shown := null;
            v_from := greatest(v_to, timezone('UTC', v_local - v_offset) - interval '24 hours');
        end if;
        v_offset := timezone(p_time_zone, v_from) - timezone('UTC', v_from);
    end loop;
end
$$;
