-- require_retry(retry): refuses a malformed retry policy; delay() describes it.
-- Raises: PR001, with the problem.
-- postrider: after require_keys, policy_number
create or replace function postrider.require_retry(p_retry jsonb) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_problem text;
    v_base float8;
    v_cap float8;
begin
    perform postrider.require_keys(
        p_retry, '{curve,jitter,base_ms,multiplier,cap_ms,floor_ms,delays_ms,max_age_ms}', 'a retry policy');
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
        end into v_problem
        from jsonb_each(p_retry)
        order by 1 nulls last
        limit 1;
        if v_problem is null and p_retry ->> 'curve' = 'list' and not p_retry ? 'delays_ms' then
            v_problem := 'the curve list needs delays_ms';
        end if;
        if v_problem is null and coalesce(p_retry ->> 'curve', 'exponential') not in ('immediate', 'list') then
            -- Compared with delay()'s defaults in place. A base above the cap would have no effect.
            v_base := coalesce(postrider.policy_number(p_retry -> 'base_ms'),
                               case p_retry ->> 'curve' when 'fixed' then 60000 else 1000 end);
            v_cap := coalesce(postrider.policy_number(p_retry -> 'cap_ms'), 300000);
            if v_base > v_cap then
                v_problem := format('base_ms %s%s is more than cap_ms %s%s',
                                    v_base, case when p_retry ? 'base_ms' then '' else ' (the default)' end,
                                    v_cap, case when p_retry ? 'cap_ms' then '' else ' (the default)' end);
            end if;
        end if;
    end if;
    if v_problem is not null then
        raise exception using errcode = 'PR001', message = 'retry policy: ' || v_problem,
            hint = 'For example: {"curve": "exponential", "base_ms": 1000, "cap_ms": 300000}.';
    end if;
end
$$;
