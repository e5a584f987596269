-- edit_with(delivery, change, actor, reason): edit_and_replay() with the members of a JSON object.
-- change: {"payload": any document, "headers": an object}. Headers are merged over the existing ones. A member that is missing, and
-- headers that are null, stay as they were.
-- Returns: the id of the new message.
-- Raises: edit_and_replay()'s errors.
-- postrider: grant operator
-- postrider: after edit_and_replay, dead_letters
create or replace function postrider.edit_with(p_delivery bigint, p_change jsonb, p_actor text, p_reason text) returns uuid
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return postrider.edit_and_replay(
        p_delivery, p_change -> 'payload',
        (select coalesce(nullif(d.headers, 'null'), '{}') || nullif(p_change -> 'headers', 'null')
         from postrider.dead_letters d where d.delivery_id = p_delivery),
        p_actor, p_reason);
end
$$;
