-- indented(document): a document as text, with one line per value and indented; a document of more than 256 KB or 32 levels in one line. Indentation
-- takes four blanks per level for each value: a document of 1 MB with 400 levels would have 800 MB.
-- postrider: grant operator, viewer, agent
create or replace function postrider.indented(p_document jsonb) returns text
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_text constant text := p_document;
begin
    return case when octet_length(v_text) > 262144 or jsonb_path_exists(p_document, 'strict $.**{33}') then v_text
                else jsonb_pretty(p_document) end;
end
$$;
