-- require_outcomes(outcomes, names): refuses malformed reports; conclude() describes them.
-- names: the keys that identify the run of a report, and `earlier` if there may be runs before an immediate retry.
-- Raises: PR001.
-- postrider: after require_keys, require_earlier
create or replace function postrider.require_outcomes(p_outcomes jsonb, p_names text[]) returns void
    language plpgsql immutable
    as $$
declare
    -- In strict mode an element without the key ends the query early, so the result is shorter.
    v_outcomes jsonb := pg_catalog.jsonb_path_query_array(p_outcomes, 'strict $[*].outcome', '{}', true);
begin
    perform postrider.require_keys(p_outcomes, p_names || '{outcome,error,error_class,delay_ms,duration_ms}'::text[], 'an outcome');
    if pg_catalog.jsonb_typeof(p_outcomes) is distinct from 'array' then
        raise exception using errcode = 'PR001', message = 'the outcomes must be a JSON array';
    elsif pg_catalog.jsonb_array_length(v_outcomes) < pg_catalog.jsonb_array_length(p_outcomes)
          or not v_outcomes <@ '["delivered", "transient", "terminal", "crashed", "snooze", "interrupted"]' then
        raise exception using errcode = 'PR001',
            message = 'an outcome must be delivered, transient, terminal, crashed, snooze or interrupted';
    -- One query for the whole array: most reports have no delay. A larger number does not fit into float8. Numbers may be
    -- strings, because some languages write large numbers that way.
    elsif pg_catalog.jsonb_path_exists(p_outcomes, 'strict $[*] ? (exists (
              @.delay_ms ? (@ != null && !(@.type() == "number" && @ >= 0 && @ <= 1e300)
                                      && !(@.type() == "string" && @ like_regex "^[0-9]{1,15}([.][0-9]{1,15})?$"))))') then
        raise exception using errcode = 'PR001', message = 'delay_ms must be a number of milliseconds that is not negative';
    elsif pg_catalog.jsonb_path_exists(p_outcomes, 'strict $[*] ? (exists (
              @.duration_ms ? (@ != null && !(@.type() == "number" && @ >= 0 && @ <= 1e15))))') then
        raise exception using errcode = 'PR001', message = 'duration_ms must be a number of milliseconds that is not negative';
    elsif 'earlier' = any (p_names) and pg_catalog.jsonb_path_exists(p_outcomes, '$[*].earlier') then
        perform postrider.require_earlier(p_outcomes);
    end if;
end
$$;
