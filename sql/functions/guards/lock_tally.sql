-- lock_tally(): the class of the advisory lock for moving the tally of dead letters to its sums; the key is 0.
-- Constant and inlined, so that a name costs as much as the number.
-- postrider: grant producer, worker, operator, viewer, agent
create or replace function postrider.lock_tally() returns int
    language sql immutable parallel safe
    as $$ select 1886351206 $$;
