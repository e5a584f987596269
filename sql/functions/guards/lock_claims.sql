-- lock_claims(): the class of the advisory lock of a consumer's claims; the key is the consumer's id.
-- Constant and inlined, so that a name costs as much as the number.
-- postrider: grant producer, worker, operator, viewer, agent
create or replace function postrider.lock_claims() returns int
    language sql immutable parallel safe
    as $$ select 1886351202 $$;
