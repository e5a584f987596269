-- limited_consumer(consumer, channel, function, lock): the consumer whose limits are about to be changed, with its claim lock.
-- p_lock false: without the lock, for a preview.
-- Raises: PR003 when there is none, PR010 for a session user who is neither an operator nor a member of the role that owns it, 55P03 as
--   take_lock(), PR005 outside READ COMMITTED.
-- Touches: consumer (read).
-- postrider: after is_member, lock_claims, require_owner, require_read_committed, take_lock
create or replace function postrider.limited_consumer(p_consumer text, p_channel text, p_function text, p_lock boolean default true) returns postrider.consumer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.consumer;
begin
    perform postrider.require_read_committed(p_function);
    select * into c from postrider.consumer o where o.name = p_consumer and o.channel = p_channel;
    if not found then
        raise exception using errcode = 'PR003', message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    if not postrider.is_member('postrider_operator') then
        perform postrider.require_owner(p_consumer);
    end if;
    if p_lock then
        perform postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id);
        select * into strict c from postrider.consumer o where o.id = c.id;
    end if;
    return c;
end
$$;
