-- too_large(payload, headers): whether a message that is stored is larger than one that is published may be: an owner inserted it, or
-- a version whose limits meant the compressed size. Claims do not hand it out.
-- The stored size decides most cases: compression cannot shrink a value to less than a 255th of its length. One expression, which is
-- inlined.
create or replace function postrider.too_large(p_payload json, p_headers json) returns boolean
    language sql stable parallel safe
    as $$
    select coalesce(pg_catalog.pg_column_size(p_payload) > 4096 and pg_catalog.octet_length(p_payload::text) > 1048576, false)
        or coalesce(pg_catalog.pg_column_size(p_headers) > 256 and pg_catalog.octet_length(p_headers::text) > 65536, false)
    $$;
