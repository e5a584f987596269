-- cron_field(text, low, high, names, field): one field of a cron expression as a string with one character per value from low to high:
-- '1' where the field has the value, else '0'.
-- A field is a list of *, n, n-m, each optionally with a step: */5, 10-40/10; n/s counts from n to the end. p_names: names of the
-- values from low on. p_field: the field, for the error.
-- Raises: PR001, with the part that cannot be read.
create or replace function postrider.cron_field(p_text text, p_low int, p_high int, p_names text[], p_field text) returns text
    language plpgsql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_field text := repeat('0', p_high - p_low + 1);
    v_part text;
    v_match text[];
    v_from int;
    v_to int;
    v_step int;
begin
    foreach v_part in array string_to_array(p_text, ',') loop
        v_match := regexp_match(v_part, '^([*]|[0-9]{1,2}|[A-Za-z]{3})(?:-([0-9]{1,2}|[A-Za-z]{3}))?(?:/([0-9]{1,4}))?$');
        v_step := coalesce(v_match[3]::int, 1);
        if v_match[1] = '*' then
            v_from := p_low;
            v_to := p_high;
        else
            v_from := case when v_match[1] ~ '^[0-9]' then v_match[1]::int
                           else p_low - 1 + array_position(p_names, upper(v_match[1])) end;
            v_to := case when v_match[2] ~ '^[0-9]' then v_match[2]::int
                         when v_match[2] is not null then p_low - 1 + array_position(p_names, upper(v_match[2]))
                         when v_match[3] is not null then p_high
                         else v_from end;
        end if;
        if v_match is null or v_match[1] = '*' and v_match[2] is not null then
            raise exception using errcode = 'PR001',
                message = format('cron: invalid value of %s: %L', p_field, left(v_part, 40)),
                hint = 'A field is a list of *, n or n-m, each optionally with a step: 0,30 or 8-18 or */5 or 10-40/10.';
        elsif v_from is null or v_to is null or v_from < p_low or v_to > p_high or v_from > v_to or v_step < 1 then
            raise exception using errcode = 'PR001',
                message = format('cron: %s must be between %s and %s, in ascending ranges with steps of 1 or more, got %L', p_field, p_low,
                                 p_high, left(v_part, 40));
        end if;
        while v_from <= v_to loop
            v_field := overlay(v_field placing '1' from v_from - p_low + 1);
            v_from := v_from + v_step;
        end loop;
    end loop;
    return v_field;
end
$$;
