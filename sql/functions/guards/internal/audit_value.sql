-- audit_value(value, limit): a value, or, if it has more bytes than the limit, its size, its SHA-256 digest and its beginning.
create or replace function postrider.audit_value(p_value jsonb, p_limit int) returns jsonb
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_text constant text := p_value;
begin
    return case when octet_length(v_text) <= p_limit then p_value
                else jsonb_build_object('bytes', octet_length(v_text), 'sha256', encode(sha256(convert_to(v_text, 'utf8')), 'hex'),
                                        'beginning', left(v_text, 200)) end;
end
$$;
