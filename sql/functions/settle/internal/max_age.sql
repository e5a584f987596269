-- max_age(retry): how old a message may get before it is not tried again: max_age_ms of the policy.
-- Its age counts from its publication, after a replay from the start of the cycle.
-- Returns: an interval, null without a limit. What is malformed counts as absent.
-- postrider: after policy_number
create or replace function postrider.max_age(p_retry jsonb) returns interval
    language sql immutable parallel safe
    as $$
    select pg_catalog.make_interval(secs => postrider.policy_number(p_retry -> 'max_age_ms'::text) / 1000::float8)
    $$;
