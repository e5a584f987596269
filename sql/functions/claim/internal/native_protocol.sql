-- native_protocol(): the version of the protocol between this schema and the library postrider_native. The library claims in C only
-- if it has the same version. A change of the tables worker, consumer, lease and message or of the type claim_cursor, or of how
-- claims use them, raises it.
create or replace function postrider.native_protocol() returns int
    language sql immutable parallel safe
    as $$ select 2 $$;
