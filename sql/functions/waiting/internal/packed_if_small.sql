-- packed_if_small(cursor, message): packed() of a message that was taken; null when it is large, or when no handler takes its type any more.
-- One expression, so that it is inlined.
-- postrider: after packed, wants
create or replace function postrider.packed_if_small(p_cursor postrider.claim_cursor, p_message postrider.message) returns bytea
    language sql stable
    as $$
    select case when pg_catalog.octet_length((p_message).payload::text) <= 8000
                 and coalesce(pg_catalog.octet_length((p_message).headers::text) <= 8000, true)
                 and postrider.wants((p_cursor).name, (p_cursor).all_types, (p_cursor).exact_types,
                                     (p_cursor).type_prefixes, null, (p_message).event_type)
                then postrider.packed(p_message) end
    $$;
