-- lock_proposals(): the class of the advisory lock for counting the proposals of a database user; the key is hashtext() of the user's name.
-- Constant and inlined, so that a name costs as much as the number.
create or replace function postrider.lock_proposals() returns int
    language sql immutable parallel safe
    as $$ select 1886351207 $$;
