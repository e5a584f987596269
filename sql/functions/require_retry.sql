-- require_retry(retry): refuses a retry policy that delay() and max_age() would not understand.
-- Raises: PR001, naming what is wrong with it.
create or replace function postrider.require_retry(p_retry jsonb) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_problem text;
begin
    if jsonb_typeof(p_retry) <> 'object' then
        v_problem := 'it must be a JSON object';
    else
        select case
            when key = 'curve' and value #>> '{}' not in
                ('exponential', 'quadratic', 'linear', 'fixed', 'immediate', 'list')
                then 'curve must be exponential, quadratic, linear, fixed, immediate or list'
            when key = 'jitter' and value #>> '{}' not in ('full', 'equal', 'none')
                then 'jitter must be full, equal or none'
            when key in ('base_ms', 'multiplier', 'cap_ms', 'floor_ms', 'max_age_ms')
                 and case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric < 0 else true end
                then key || ' must be a number that is not negative'
            when key = 'delays_ms'
                 and case when jsonb_typeof(value) = 'array'
                          then value = '[]' or exists (
                              select from jsonb_array_elements(value) as d(ms)
                              where case when jsonb_typeof(d.ms) = 'number'
                                         then (d.ms #>> '{}')::numeric < 0 else true end)
                          else true end
                then 'delays_ms must be a list of numbers'
            when key not in ('curve', 'jitter', 'base_ms', 'multiplier', 'cap_ms', 'floor_ms', 'delays_ms', 'max_age_ms')
                then format('%s is not part of a policy', key)
        end into v_problem
        from jsonb_each(p_retry)
        order by 1 nulls last
        limit 1;
        if v_problem is null and p_retry ->> 'curve' = 'list' and not p_retry ? 'delays_ms' then
            v_problem := 'the curve list needs delays_ms';
        end if;
    end if;
    if v_problem is not null then
        raise exception using errcode = 'PR001', message = 'retry policy: ' || v_problem,
            hint = 'For example: {"curve": "exponential", "base_ms": 1000, "cap_ms": 300000}.';
    end if;
end
$$;
