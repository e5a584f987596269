-- policy_number(value): a number of a policy, from 0 to 1e12; null for any other value.
-- Strict and not inlined: most policies leave most numbers out, and a null value is returned without a call.
-- postrider: grant worker, operator
create or replace function postrider.policy_number(p_value jsonb) returns float8
    language plpgsql immutable strict parallel safe
    as $$
begin
    return case when pg_catalog.jsonb_typeof(p_value) = 'number'
                then pg_catalog.round(greatest(least((p_value #>> '{}'::text[])::pg_catalog.numeric, 1e12), 0), 6)::pg_catalog.float8 end;
end
$$;
