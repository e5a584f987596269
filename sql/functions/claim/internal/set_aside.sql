-- set_aside(consumer, mine, event_type, xid, seq): which handlers cannot have messages of a type when the worker claims them.
-- p_mine are the worker's handlers, (xid, seq) is a message behind the cursor; without an xid the handlers are those of today.
--   A message that is ready waits for the handlers that the worker does not have. When the circuit of one of its handlers is not
--   closed it waits for all of them, because a worker runs every handler that it has for a message.
--   A message that is published to this consumer by name although none of its handlers takes the type waits for '', which stands
--   for the handler that will take it.
-- Returns: the handlers to park messages for that can be handed out, all handlers of the type, and whether the worker gets messages.
-- Touches: handler (read).
-- postrider: after handlers_for, route
create or replace function postrider.set_aside(
    p_consumer postrider.consumer, p_mine text[], p_event_type text, p_xid xid8, p_seq bigint
) returns postrider.aside
    language plpgsql stable
    as $$
declare
    v_all text[] := case when p_xid is null then postrider.route(p_consumer.id, p_event_type)
                          else postrider.handlers_for(p_consumer.id, p_event_type, p_xid, p_seq) end;
    v_held boolean := coalesce(v_all && p_consumer.held_handlers, false);
    v_waiting text[] := case when v_all = '{}' then array[''] else v_all end;
begin
    return row(case when v_held or v_all = '{}' then v_waiting
                    else array(select unnest(v_all) except select unnest(p_mine)) end,
               v_waiting, v_all && p_mine and not v_held);
end
$$;
