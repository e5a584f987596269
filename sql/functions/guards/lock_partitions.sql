-- lock_partitions(): the class of the advisory lock for creating and dropping partitions; the key is 0.
-- Constant and inlined, so that a name costs as much as the number.
-- postrider: grant producer, worker, operator, viewer, agent
create or replace function postrider.lock_partitions() returns int
    language sql immutable parallel safe
    as $$ select 1886351204 $$;
