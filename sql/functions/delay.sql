-- delay(retry, attempt, u): how long to wait after the attempt-th run of a cycle failed.
-- retry holds the curve: {"curve": "exponential" | "quadratic" | "linear" | "fixed" | "immediate" | "list",
--   "base_ms", "multiplier", "cap_ms", "floor_ms", "jitter": "full" | "equal" | "none", "delays_ms": [...]}.
-- u in [0, 1) is the caller's randomness, so that the result is a function of its arguments alone.
-- Returns: an interval, never less than floor_ms and never more than cap_ms.
create or replace function postrider.delay(p_retry jsonb, p_attempt int, p_u double precision)
    returns interval
    language sql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
    with policy as (
        select coalesce(p_retry ->> 'curve', 'exponential') as curve,
               coalesce((p_retry ->> 'base_ms')::float8,
                        case p_retry ->> 'curve' when 'fixed' then 60000 else 1000 end) as base,
               coalesce((p_retry ->> 'multiplier')::float8, 2) as multiplier,
               coalesce((p_retry ->> 'cap_ms')::float8, 300000) as cap,
               coalesce((p_retry ->> 'floor_ms')::float8,
                        case p_retry ->> 'curve' when 'immediate' then 0 else 100 end) as floor,
               coalesce(p_retry ->> 'jitter',
                        case coalesce(p_retry ->> 'curve', 'exponential')
                             when 'exponential' then 'full' else 'none' end) as jitter,
               greatest(p_attempt, 1) as attempt
    ), nominal as (
        select least(cap, case curve
                   when 'exponential' then base * power(multiplier, least(attempt - 1, 60))
                   when 'quadratic' then base * attempt * attempt
                   when 'linear' then base * attempt
                   when 'fixed' then base
                   when 'immediate' then 0
                   when 'list' then (p_retry -> 'delays_ms' ->> least(
                       attempt, jsonb_array_length(p_retry -> 'delays_ms')) - 1)::float8
               end) as ms, floor, cap, jitter
        from policy
    )
    select make_interval(secs => least(cap, greatest(floor, case jitter
               when 'full' then ms * p_u
               when 'equal' then ms / 2 + ms / 2 * p_u
               else ms end)) / 1000)
    from nominal
    $$;
