-- retry_policy(retry): parses a retry policy from JSON, with defaults for missing keys; delay() explains the keys. A
-- malformed value counts as absent: a bad policy must not stop a reaper.
-- postrider: after policy_number
create or replace function postrider.retry_policy(p_retry jsonb) returns postrider.retry_policy
    language plpgsql immutable parallel safe
    as $$
declare
    v postrider.retry_policy;
begin
    v.curve := case when pg_catalog.jsonb_typeof(p_retry -> 'curve'::text) = 'string' then p_retry ->> 'curve'::text
                    else 'exponential' end;
    v.jitter := coalesce(p_retry ->> 'jitter'::text, case v.curve when 'exponential' then 'full' else 'none' end);
    v.base_ms := coalesce(
        postrider.policy_number(p_retry -> 'base_ms'::text), case v.curve when 'fixed' then 60000 else 1000 end);
    v.cap_ms := coalesce(postrider.policy_number(p_retry -> 'cap_ms'::text), 300000);
    v.floor_ms := coalesce(
        postrider.policy_number(p_retry -> 'floor_ms'::text), case v.curve when 'immediate' then 0 else 100 end);
    v.multiplier := case when pg_catalog.jsonb_typeof(p_retry -> 'multiplier'::text) is distinct from 'number' then 2
                         when (p_retry ->> 'multiplier'::text)::numeric < 0.001 then 0
                         else least((p_retry ->> 'multiplier'::text)::numeric, 1000)::float8 end;
    if v.curve = 'list' and pg_catalog.jsonb_typeof(p_retry -> 'delays_ms'::text) = 'array' then
        v.delays_ms := array(select postrider.policy_number(d.value)
                             from pg_catalog.jsonb_array_elements(p_retry -> 'delays_ms'::text) with ordinality as d(value, n)
                             order by d.n);
    end if;
    v.max_age := pg_catalog.make_interval(secs => postrider.policy_number(p_retry -> 'max_age_ms'::text) / 1000::float8);
    return v;
end
$$;
