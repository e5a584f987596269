-- require_keys(document, allowed, subject): refuses a JSON object, or an array of objects, with a key that is not allowed: a
-- misspelt key must not be ignored. The caller refuses other types.
-- subject: an object of the document for the text, like 'a handler'.
-- Raises: PR001, naming the key and the closest one that is allowed.
-- postrider: after unknown_key
create or replace function postrider.require_keys(p_document jsonb, p_allowed text[], p_subject text) returns void
    language plpgsql immutable parallel safe
    as $$
declare
    v_problem text;
begin
    if pg_catalog.jsonb_typeof(p_document) = 'object' then
        v_problem := postrider.unknown_key(p_document, p_allowed, p_subject);
    elsif pg_catalog.jsonb_typeof(p_document) <> 'array' then
        return;
    elsif pg_catalog.jsonb_array_length(p_document) = 1 and pg_catalog.jsonb_typeof(p_document -> 0) = 'object' then
        -- Most reports of workers have one delivery; an expression is cheaper than a query.
        v_problem := postrider.unknown_key(p_document -> 0, p_allowed, p_subject);
    else
        select postrider.unknown_key(e.item, p_allowed, p_subject) into v_problem
        from pg_catalog.jsonb_array_elements(p_document) as e(item)
        where case when pg_catalog.jsonb_typeof(e.item) = 'object' then e.item - p_allowed <> '{}' end
        limit 1;
    end if;
    if v_problem is not null then
        raise exception using errcode = 'PR001', message = v_problem,
            hint = pg_catalog.format('Use %s.', pg_catalog.array_to_string(p_allowed, ', '));
    end if;
end
$$;
