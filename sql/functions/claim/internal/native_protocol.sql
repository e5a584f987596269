-- native_protocol(): the number of the agreement between this schema and the library postrider_native, which claims in C only if it
-- knows the same number. A change of the tables worker, consumer, lease and message or of the type claim_cursor, or of how claims
-- use them, raises it.
create or replace function postrider.native_protocol() returns int
    language sql immutable parallel safe
    as $$ select 2 $$;
