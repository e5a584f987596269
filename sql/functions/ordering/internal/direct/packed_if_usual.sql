-- packed_if_usual(cursor, message): packed() of a message, null if pick() has to check it: it is large, or published to the consumer by name although
-- none of its handlers takes the type. Stored sizes are compressed sizes, so the caller also checks the size of the packed message.
-- One expression, so that it is inlined.
-- postrider: after wants, packed
create or replace function postrider.packed_if_usual(p_cursor postrider.claim_cursor, p_message postrider.message) returns bytea
    language sql stable
    as $$
    select case when pg_catalog.pg_column_size((p_message).payload) <= 4000
                 and (pg_catalog.pg_column_size((p_message).headers) <= 4000) is not false
                 and ((p_message).target is null
                      or postrider.wants((p_cursor).name, (p_cursor).all_types, (p_cursor).exact_types, (p_cursor).type_prefixes, null,
                                         (p_message).event_type))
                then postrider.packed(p_message) end
    $$;
