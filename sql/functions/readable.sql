-- readable(json): a document as jsonb. The log keeps documents as they were written; jsonb cannot hold numbers beyond
-- numeric. A document with such a number is shown as a string.
create or replace function postrider.readable(p_document json) returns jsonb
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_document::text !~ '[eE][-+]?[0-9]{4}|[0-9]{200}' then
        return p_document;
    end if;
    begin
        return p_document;
    exception when others then
        return to_jsonb(p_document::text);
    end;
end
$$;
