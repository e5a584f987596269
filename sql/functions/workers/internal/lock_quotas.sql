-- lock_quotas(): the class of the advisory lock for counting what a role has; the key is a hash of the things and its name.
-- Constant and inlined, so that a name costs as much as the number.
create or replace function postrider.lock_quotas() returns int
    language sql immutable parallel safe
    as $$ select 1886351208 $$;
