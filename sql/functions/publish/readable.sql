-- readable(json): a document as jsonb. The log keeps documents as they were written; jsonb cannot hold numbers beyond
-- numeric, zero bytes or half a character, and a document that was nested as deep as the stack allowed when it was inserted is too deep further down.
-- Such a document is shown as a string: whatever a producer could insert must not stop a claim.
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
