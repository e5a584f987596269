-- lock_doorbell(): the class of the advisory lock that consumers of a channel hold while they sleep; the key is hashtext of the channel.
-- Constant and inlined, so that a name costs as much as the number.
-- postrider: grant producer, worker, operator, viewer, agent
create or replace function postrider.lock_doorbell() returns int
    language sql immutable parallel safe
    as $$ select 1886351201 $$;
