-- Native claims are an extension, which uses no type of this schema. `postrider migrate up` makes it, or the function alone, again.
set local role postrider_owner;
drop function if exists postrider.exchange_native(uuid, int, bigint, uuid, bigint[], jsonb, interval);
drop function if exists postrider.first_retry(timestamptz, float8, text, int, int, jsonb, jsonb, boolean);
reset role;
