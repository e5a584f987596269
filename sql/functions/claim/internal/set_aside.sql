-- set_aside(consumer, mine, event_type, xid, seq): which handlers cannot have messages of a type when the worker claims them.
-- p_mine are the worker's handlers, (xid, seq) is a message behind the cursor; without an xid the handlers are those that are active
-- now.
--   A message that is ready waits for the handlers that the worker does not have. When the circuit of one of its handlers is not
--   closed it waits for all of them, because a worker runs every handler that it has for a message.
--   A message that is published to this consumer by name although none of its handlers takes the type waits for '', which stands
--   for the handler that will take it.
--   A message is throttled when its only handler has a limit that can bind. If it has several, it waits for each of them on its own.
-- Returns: the handlers to park messages for that can be handed out, all handlers of the type, whether the worker gets messages, and
--   the handler that is limited with the key of its limit.
-- Touches: handler, handler_limit (read).
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
    v_limited boolean := coalesce(v_all && p_consumer.limited_handlers, false);
    v_throttled text := case when v_limited and not v_held and cardinality(v_all) = 1 then v_all[1] end;
begin
    return row(case when v_throttled is not null then '{}'
                    when v_held or v_limited or v_all = '{}' then v_waiting
                    else array(select unnest(v_all) except select unnest(p_mine)) end,
               v_waiting, v_all && p_mine and not v_held and not v_limited, v_throttled,
               case when v_throttled is not null then (
                   select l.key from postrider.handler_limit l where l.consumer_id = p_consumer.id and l.handler = v_throttled) end);
end
$$;
