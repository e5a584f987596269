-- delay(retry, attempt, u): how long to wait after the attempt-th run of a cycle failed.
-- retry holds the curve: {"curve": "exponential" | "quadratic" | "linear" | "fixed" | "immediate" | "list",
--   "base_ms", "multiplier", "cap_ms", "floor_ms", "jitter": "full" | "equal" | "none", "delays_ms": [...]}.
-- Without a key: exponential, base_ms 1000 (fixed: 60000), multiplier 2, cap_ms 300000, floor_ms 100 (immediate: 0), full jitter
-- for exponential and none for the others. The last of delays_ms repeats.
-- It runs with the rights of its owner, because wait() and retry_policy() are private.
-- u in [0, 1) is the caller's randomness, so that the result is a function of its arguments alone.
-- Returns: an interval, never less than floor_ms and never more than cap_ms.
-- postrider: grant worker, operator
-- postrider: after retry_policy, wait
create or replace function postrider.delay(p_retry jsonb, p_attempt int, p_u double precision)
    returns interval
    language plpgsql immutable parallel safe security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return postrider.wait(postrider.retry_policy(p_retry), p_attempt, p_u);
end
$$;
