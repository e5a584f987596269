-- readable(json): a document as jsonb. The log keeps documents as they were written; jsonb cannot hold numbers beyond
-- numeric, zero bytes or half a character, and a document whose nesting the stack just allowed at insertion can exceed the stack depth when it is
-- read. Such a document is shown as a string: no document that a producer can insert may fail a claim.
-- postrider: grant operator, viewer, agent
create or replace function postrider.readable(p_document json) returns jsonb
    language plpgsql immutable strict
    as $$
begin
    return p_document::pg_catalog.jsonb;
exception when others then
    return pg_catalog.to_jsonb(p_document::pg_catalog.text);
end
$$;
