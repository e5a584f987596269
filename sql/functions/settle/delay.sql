-- delay(retry, attempt, u): how long to wait after the attempt-th run of a cycle failed.
-- retry holds the curve: {"curve": "exponential" | "quadratic" | "linear" | "fixed" | "immediate" | "list",
--   "base_ms", "multiplier", "cap_ms", "floor_ms", "jitter": "full" | "equal" | "none", "delays_ms": [...]}.
-- Without a key: exponential, base_ms 1000 (fixed: 60000), multiplier 2, cap_ms 300000, floor_ms 100 (immediate: 0), full jitter
-- for exponential and none for the others. The last of delays_ms repeats.
-- u in [0, 1) is the caller's randomness, so that the result is a function of its arguments alone.
-- Returns: an interval, never less than floor_ms and never more than cap_ms.
-- postrider: grant worker, operator
-- postrider: after policy_number
create or replace function postrider.delay(p_retry jsonb, p_attempt int, p_u double precision)
    returns interval
    language plpgsql immutable parallel safe
    as $$
declare
    -- Whatever is malformed counts as absent, and no number can overflow or underflow: a bad policy must not stop
    -- a reaper.
    v_attempt constant int := least(greatest(p_attempt, 1), 100000);
    v_curve constant text := case when pg_catalog.jsonb_typeof(p_retry -> 'curve'::text) = 'string' then p_retry ->> 'curve'::text
                                  else 'exponential' end;
    v_base constant float8 := coalesce(
        postrider.policy_number(p_retry -> 'base_ms'::text), case v_curve when 'fixed' then 60000 else 1000 end);
    v_cap constant float8 := coalesce(postrider.policy_number(p_retry -> 'cap_ms'::text), 300000);
    v_floor constant float8 := coalesce(
        postrider.policy_number(p_retry -> 'floor_ms'::text), case v_curve when 'immediate' then 0 else 100 end);
    v_jitter constant text := coalesce(
        p_retry ->> 'jitter'::text, case v_curve when 'exponential' then 'full' else 'none' end);
    v_ms float8;
begin
    case v_curve
        when 'exponential' then
            v_ms := v_base * pg_catalog.power(
                case when pg_catalog.jsonb_typeof(p_retry -> 'multiplier'::text) = 'number'
                     then case when (p_retry ->> 'multiplier'::text)::numeric < 0.001 then 0
                               else least((p_retry ->> 'multiplier'::text)::numeric, 1000)::float8 end
                     else 2 end, least(v_attempt - 1, 60));
        when 'quadratic' then v_ms := v_base * v_attempt::float8 * v_attempt::float8;
        when 'linear' then v_ms := v_base * v_attempt::float8;
        when 'immediate' then v_ms := 0;
        when 'list' then
            if pg_catalog.jsonb_typeof(p_retry -> 'delays_ms'::text) = 'array' then
                v_ms := postrider.policy_number(p_retry -> 'delays_ms'::text
                    -> (least(v_attempt, pg_catalog.jsonb_array_length(p_retry -> 'delays_ms'::text)) - 1));
            end if;
        else null;
    end case;
    v_ms := least(v_cap, coalesce(v_ms, v_base));
    return pg_catalog.make_interval(secs => least(v_cap, greatest(v_floor, case v_jitter
        when 'full' then v_ms * p_u
        when 'equal' then v_ms / 2::float8 + v_ms / 2::float8 * p_u
        else v_ms end)) / 1000::float8);
end
$$;
