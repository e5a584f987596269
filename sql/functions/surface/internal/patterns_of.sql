-- patterns_of(event_type): the patterns that accept an event type: the type itself, '*', and 'a.*' for each of its prefixes 'a.'. matches() is true
-- for exactly these, so a join with them replaces a call for every pair of a type and a pattern.
create or replace function postrider.patterns_of(p_event_type text) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    v_parts constant text[] := pg_catalog.string_to_array(p_event_type, '.');
    v_prefix text := '';
    v_patterns text[] := array[p_event_type, '*'];
begin
    for i in 1 .. pg_catalog.cardinality(v_parts) - 1 loop
        v_prefix := v_prefix || v_parts[i] || '.';
        v_patterns := v_patterns || (v_prefix || '*');
    end loop;
    return v_patterns;
end
$$;
