-- readable(json): a document as jsonb, for views. The log keeps documents as they were written; jsonb cannot hold numbers beyond
-- numeric, zero bytes or half a character, and a document whose nesting the stack just allowed at insertion can exceed the stack depth when it is
-- read. jsonb also writes numbers without an exponent: 1e130900 has 130,901 digits. And it sorts the members of an object: in the worst
-- order 130,000 of them take half a minute, in which the session cannot be cancelled. Such a document, one that would be many times as long as it was
-- written, and one with more than 10,000 members or, from a broker, more than 1 MB are shown as a string: no document that a producer can insert may stop a view.
-- postrider: grant operator, viewer, agent
-- postrider: after written_digits
create or replace function postrider.readable(p_document json) returns jsonb
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_text constant text := p_document;
    v_document jsonb;
begin
    if octet_length(v_text) > 1048576
       or octet_length(v_text) > 40000 and octet_length(v_text) - octet_length(replace(v_text, ':', '')) > 10000
          and regexp_count(v_text, '"[[:space:]]*:') > 10000 then
        return to_jsonb(v_text);
    end if;
    v_document := p_document;
    -- Only an exponent of three digits can make a document that much longer.
    if v_text ~ '[0-9][eE][-+]?[0-9]{3}' and postrider.written_digits(v_document) > 16 * octet_length(v_text) + 4096 then
        return to_jsonb(v_text);
    end if;
    return v_document;
exception when others then
    return to_jsonb(v_text);
end
$$;
