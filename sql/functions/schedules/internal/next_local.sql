-- next_local(cron, from): the first local time of a cron expression at or after a whole second, without changes of the clocks.
-- Returns: null when there is none within forty years, in which every date of the calendar falls on every day of the week.
--
-- Without a SET search_path clause, because firing calls it for every schedule and the clause costs more than the function. The callers pin it.
create or replace function postrider.next_local(p_cron postrider.cron, p_from timestamp) returns timestamp
    language plpgsql immutable parallel safe
    as $$
declare
    c constant postrider.cron := p_cron;
    v_date date := p_from::date;
    v_last constant date := v_date + 14700;
    v_hour int := extract(hour from p_from);
    v_minute int := extract(minute from p_from);
    v_second int := extract(second from p_from);
    v_step int;
    v_dom boolean;
    v_dow boolean;
begin
    while v_date < v_last loop
        if substr(c.month, extract(month from v_date)::int, 1) = '0' then
            v_date := date_trunc('month', v_date) + interval '1 month';
            v_hour := 0; v_minute := 0; v_second := 0;
            continue;
        end if;
        v_dom := substr(c.day, extract(day from v_date)::int, 1) = '1';
        v_dow := substr(c.weekday, extract(dow from v_date)::int + 1, 1) = '1';
        if (v_dom and v_dow) or (c.either_day and (v_dom or v_dow)) then
            -- In each field: how far the next value is; 0: there is none, so the field before it moves on.
            loop
                v_step := strpos(substr(c.hour, v_hour + 1), '1');
                exit when v_step = 0;
                if v_step > 1 then
                    v_hour := v_hour + v_step - 1; v_minute := 0; v_second := 0;
                end if;
                v_step := strpos(substr(c.minute, v_minute + 1), '1');
                if v_step = 0 then
                    v_hour := v_hour + 1; v_minute := 0; v_second := 0;
                    continue;
                elsif v_step > 1 then
                    v_minute := v_minute + v_step - 1; v_second := 0;
                end if;
                v_step := strpos(substr(c.second, v_second + 1), '1');
                if v_step > 0 then
                    return v_date + make_time(v_hour, v_minute, v_second + v_step - 1);
                end if;
                v_minute := v_minute + 1; v_second := 0;
            end loop;
        end if;
        v_date := v_date + 1;
        v_hour := 0; v_minute := 0; v_second := 0;
    end loop;
    return null;
end
$$;
