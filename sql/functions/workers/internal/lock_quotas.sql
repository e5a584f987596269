-- lock_quotas(): the class of the advisory lock for counting the consumers, handlers and workers of a role; the key is hashtext() of its name.
-- Constant and inlined, so that a name costs as much as the number.
create or replace function postrider.lock_quotas() returns int
    language sql immutable parallel safe
    as $$ select 1886351208 $$;
