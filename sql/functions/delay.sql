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
    -- Whatever is malformed counts as absent, and no number can overflow or underflow: a bad policy must not stop
    -- a reaper.
    with given as (
        select case when jsonb_typeof(p_retry -> 'curve') = 'string' then p_retry ->> 'curve' end as curve,
               case when jsonb_typeof(p_retry -> 'base_ms') = 'number'
                    then round(greatest(least((p_retry ->> 'base_ms')::numeric, 1e12), 0), 6)::float8 end as base,
               case when jsonb_typeof(p_retry -> 'multiplier') = 'number'
                    then case when (p_retry ->> 'multiplier')::numeric < 0.001 then 0
                              else least((p_retry ->> 'multiplier')::numeric, 1000)::float8 end end as multiplier,
               case when jsonb_typeof(p_retry -> 'cap_ms') = 'number'
                    then round(greatest(least((p_retry ->> 'cap_ms')::numeric, 1e12), 0), 6)::float8 end as cap,
               case when jsonb_typeof(p_retry -> 'floor_ms') = 'number'
                    then round(greatest(least((p_retry ->> 'floor_ms')::numeric, 1e12), 0), 6)::float8 end as floor,
               p_retry ->> 'jitter' as jitter,
               case when jsonb_typeof(p_retry -> 'delays_ms') = 'array' then p_retry -> 'delays_ms' end as delays,
               least(greatest(p_attempt, 1), 100000) as attempt
    ), policy as (
        select coalesce(curve, 'exponential') as curve,
               coalesce(base, case curve when 'fixed' then 60000 else 1000 end) as base,
               coalesce(multiplier, 2) as multiplier,
               coalesce(cap, 300000) as cap,
               coalesce(floor, case curve when 'immediate' then 0 else 100 end) as floor,
               coalesce(jitter, case coalesce(curve, 'exponential')
                                     when 'exponential' then 'full' else 'none' end) as jitter,
               delays -> (least(attempt, jsonb_array_length(delays)) - 1) as listed, attempt
        from given
    ), nominal as (
        select least(cap, coalesce(case curve
                   when 'exponential' then base * power(multiplier, least(attempt - 1, 60))
                   when 'quadratic' then base * attempt * attempt
                   when 'linear' then base * attempt
                   when 'immediate' then 0
                   when 'list' then case when jsonb_typeof(listed) = 'number'
                                         then round(greatest(least((listed #>> '{}')::numeric, 1e12), 0), 6)::float8 end
               end, base)) as ms, floor, cap, jitter
        from policy
    )
    select make_interval(secs => least(cap, greatest(floor, case jitter
               when 'full' then ms * p_u
               when 'equal' then ms / 2 + ms / 2 * p_u
               else ms end)) / 1000)
    from nominal
    $$;
