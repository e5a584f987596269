-- lock_retention(): the class of the advisory lock of retention; the key is 0 for a run, 1 for a change of the policies.
-- Constant and inlined, so that a name costs as much as the number.
-- postrider: grant producer, worker, operator, viewer, agent
create or replace function postrider.lock_retention() returns int
    language sql immutable parallel safe
    as $$ select 1886351205 $$;
