-- lock_keeper(): the class of the advisory lock of the keeper of a channel; the key is hashtext of the channel.
-- Constant and inlined, so that a name costs as much as the number.
-- postrider: grant producer, worker, operator, viewer, agent
create or replace function postrider.lock_keeper() returns int
    language sql immutable parallel safe
    as $$ select 1886351203 $$;
