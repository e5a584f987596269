-- consumers_of_owner(consumer_id): the consumers of the role that owns this one, also on other channels; those without an owner count as those
-- of one role. Other transactions that ask for the same role wait until this one ends, so that each counts the consumers, handlers and
-- workers that the others have made.
-- Returns: the name of the role, and the ids of the consumers.
-- Raises: 55P03 as take_lock().
-- Touches: consumer, consumer_owner (read).
-- postrider: after lock_quota
create or replace function postrider.consumers_of_owner(p_consumer_id int, out role text, out ids int[])
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    select o.role into consumers_of_owner.role
    from postrider.consumer c join postrider.consumer_owner o on o.name = c.name where c.id = p_consumer_id;
    perform postrider.lock_quota(role, 'workers');
    ids := array(
        select c.id from postrider.consumer c left join postrider.consumer_owner o on o.name = c.name
        where o.role is not distinct from consumers_of_owner.role);
end
$$;
