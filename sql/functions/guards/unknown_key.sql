-- unknown_key(object, allowed, subject): the problem with a JSON object that has a key which is not allowed.
-- subject: the object for the text, like 'a message'.
-- Returns: "unknown key 'paylod' in a message; did you mean 'payload'?", null when all its keys are allowed.
-- postrider: grant producer
-- postrider: after closest
create or replace function postrider.unknown_key(p_object jsonb, p_allowed text[], p_subject text) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    v_key text;
begin
    if p_object - p_allowed = '{}' then
        return null;
    end if;
    select k into v_key from pg_catalog.jsonb_object_keys(p_object - p_allowed) k limit 1;
    return pg_catalog.format('unknown key %s in %s%s', pg_catalog.quote_literal(pg_catalog.left(v_key, 64)), p_subject,
                             '; did you mean ' || pg_catalog.quote_literal(postrider.closest(v_key, p_allowed)) || '?');
end
$$;
