-- audit_document(document): a document as the audit keeps it. A member of more than 48 KB is replaced by its size, its SHA-256 digest and its
-- beginning, and so is the document if it still has more than 64 KB: lists show many entries at once.
-- postrider: after audit_value
create or replace function postrider.audit_document(p_document jsonb) returns jsonb
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_document jsonb := p_document;
begin
    if jsonb_typeof(p_document) = 'object' then
        v_document := (
            select jsonb_object_agg(m.key, postrider.audit_value(m.value, 49152)) from jsonb_each(p_document) m);
    end if;
    return postrider.audit_value(coalesce(v_document, p_document), 65536);
end
$$;
