-- wait(policy, attempt, u): delay() of a parsed policy.
-- One expression, which is inlined. No number can overflow or underflow.
create or replace function postrider.wait(p_policy postrider.retry_policy, p_attempt int, p_u float8) returns interval
    language sql immutable parallel safe
    as $$
    select pg_catalog.make_interval(secs => least(p_policy.cap_ms, greatest(p_policy.floor_ms,
        least(p_policy.cap_ms, coalesce(
            case p_policy.curve
                when 'immediate' then 0
                when 'exponential' then p_policy.base_ms * pg_catalog.power(
                    p_policy.multiplier, least(greatest(p_attempt, 1) - 1, 60)::float8)
                when 'linear' then p_policy.base_ms * least(greatest(p_attempt, 1), 100000)::float8
                when 'quadratic' then p_policy.base_ms * least(greatest(p_attempt, 1), 100000)::float8 ^ 2::float8
                when 'list' then p_policy.delays_ms[least(greatest(p_attempt, 1), pg_catalog.cardinality(p_policy.delays_ms))]
            end, p_policy.base_ms))
        * case p_policy.jitter when 'full' then p_u when 'equal' then 0.5::float8 + 0.5::float8 * p_u else 1 end)) / 1000::float8)
    $$;
