-- message_uuid(id, source): the id of a message from a broker: its own if that is a UUID, else 16 bytes of the SHA-256 of source and
-- id, separated by a line feed. The C++ library derives the same.
create or replace function postrider.message_uuid(p_id text, p_source text) returns uuid
    language plpgsql immutable parallel safe
    as $$
begin
    return case when p_id ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then p_id::uuid
                else pg_catalog.encode(pg_catalog.substring(pg_catalog.sha256(pg_catalog.convert_to(
                         pg_catalog.concat(p_source, E'\n', p_id), 'UTF8')), 1, 16), 'hex')::uuid end;
end
$$;
