-- read_rate(rate, name): a rate of a limit from JSON: {"starts": 100, "period": "1 minute", "burst": 10}. Without a burst it is the starts.
-- Raises: PR001 for an invalid rate; p_name is its name in the message.
-- postrider: after require_keys
create or replace function postrider.read_rate(p_rate jsonb, p_name text, out starts int, out period interval, out burst int)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_rate is null then
        return;
    end if;
    perform postrider.require_keys(p_rate, '{starts,period,burst}', 'a ' || p_name);
    begin
        starts := (p_rate ->> 'starts')::int;
        period := (p_rate ->> 'period')::interval;
        -- Normalized to days and seconds: fields of different signs could be in range as a sum and still overflow in the arithmetic of
        -- a claim.
        period := justify_hours(make_interval(secs => extract(epoch from period)));
        burst := coalesce((p_rate ->> 'burst')::int, starts);
    exception when others then
        starts := 0;
    end;
    if starts between 1 and 1000000 and burst between 1 and 1000000
       and period between interval '1 millisecond' and interval '30 days' and burst * period / starts <= interval '3650 days' then
        return;
    end if;
    raise exception using errcode = 'PR001',
        message = format('%s must have starts and burst from 1 to 1000000, a period from 1 ms to 30 days, and burst * period / starts of at '
                         'most 3650 days, got %s', p_name, p_rate),
        hint = 'For example: {"starts": 100, "period": "1 minute"}.';
end
$$;
