-- readable(json): a document as jsonb. The log keeps documents as they were written; jsonb cannot hold numbers beyond
-- numeric, and a document that was nested as deep as the stack allowed when it was inserted is too deep further down.
-- Such a document is shown as a string: whatever a producer could insert must not stop a claim.
create or replace function postrider.readable(p_document json) returns jsonb
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
begin
    -- The block costs a subtransaction; most documents cannot need it.
    if length(p_document::text) < 2000 and p_document::text !~ '[eE][-+]?[0-9]{4}|[0-9]{200}' then
        return p_document::jsonb;
    end if;
    begin
        return p_document::jsonb;
    exception when others then
        return to_jsonb(p_document::text);
    end;
end
$$;
