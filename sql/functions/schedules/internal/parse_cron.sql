-- parse_cron(text): a cron expression as the type postrider.cron, which next_slot() reads.
-- Five fields: minute, hour, day of month, month, day of week (0 and 7 are Sunday); six: the first is the second. Months and days of
-- the week have English names of three letters. @every 1h30m is an interval; @hourly, @daily, @midnight, @weekly, @monthly, @yearly and
-- @annually have the meaning of cron(8).
-- Raises: PR001 for an expression that cannot be read, PR002 for one of more than 255 bytes.
-- postrider: after cron_field
create or replace function postrider.parse_cron(p_cron text) returns postrider.cron
    language plpgsql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_text text := btrim(regexp_replace(p_cron, '[[:space:]]+', ' ', 'g'));
    v_fields text[];
    v_parts text[];
    v_weekday text;
    c postrider.cron;
begin
    if octet_length(p_cron) > 255 then
        raise exception using errcode = 'PR002', message = 'cron: an expression must have at most 255 bytes';
    end if;
    v_text := case v_text when '@hourly' then '0 * * * *' when '@daily' then '0 0 * * *' when '@midnight' then '0 0 * * *'
                          when '@weekly' then '0 0 * * 0' when '@monthly' then '0 0 1 * *' when '@yearly' then '0 0 1 1 *'
                          when '@annually' then '0 0 1 1 *' else v_text end;
    v_parts := regexp_match(v_text, '^@every (?=[0-9])(?:([0-9]{1,3})d)?(?:([0-9]{1,5})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,8})s)?$');
    if v_parts is not null then
        c.every := coalesce(v_parts[1]::bigint, 0) * 86400 + coalesce(v_parts[2]::bigint, 0) * 3600
                   + coalesce(v_parts[3]::bigint, 0) * 60 + coalesce(v_parts[4]::bigint, 0);
        if c.every not between 1 and 366 * 86400 then
            raise exception using errcode = 'PR001', message = 'cron: @every must be between 1 second and 366 days, got ' || v_text;
        end if;
        return c;
    end if;
    v_fields := string_to_array(v_text, ' ');
    if v_text ~ '^@' or coalesce(cardinality(v_fields), 0) not between 5 and 6 then
        raise exception using errcode = 'PR001', message = format('cron: invalid expression %L', coalesce(v_text, '(null)')),
            hint = 'Give five fields (minute, hour, day of month, month, day of week), six with the second first, @every 1h30m, '
                   'or one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually.';
    elsif cardinality(v_fields) = 5 then
        v_fields := '0'::text || v_fields;
    end if;
    c.second := postrider.cron_field(v_fields[1], 0, 59, '{}', 'the second');
    c.minute := postrider.cron_field(v_fields[2], 0, 59, '{}', 'the minute');
    c.hour := postrider.cron_field(v_fields[3], 0, 23, '{}', 'the hour');
    c.day := postrider.cron_field(v_fields[4], 1, 31, '{}', 'the day of the month');
    c.month := postrider.cron_field(v_fields[5], 1, 12, '{JAN,FEB,MAR,APR,MAY,JUN,JUL,AUG,SEP,OCT,NOV,DEC}', 'the month');
    v_weekday := postrider.cron_field(v_fields[6], 0, 7, '{SUN,MON,TUE,WED,THU,FRI,SAT}', 'the day of the week');
    c.weekday := case when right(v_weekday, 1) = '1' then overlay(left(v_weekday, 7) placing '1' from 1) else left(v_weekday, 7) end;
    -- As in cron(8): when both are restricted, a day has to match one of them; otherwise both.
    c.either_day := left(v_fields[4], 1) <> '*' and left(v_fields[6], 1) <> '*';
    c.runs_through := left(v_fields[3], 1) = '*';
    return c;
end
$$;
