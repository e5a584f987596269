-- set_aside(consumer, mine, event_type, xid, seq): which handlers cannot have messages of a type when the worker claims them: those
-- it does not have, or, published to this consumer by name although none of its handlers takes the type, the one that
-- will, for which '' stands. What is due later or of another than the default priority nobody can have yet.
-- When the circuit of one of the handlers is not closed none of them can: whoever is handed a message runs every handler
-- it has for it. p_mine are the worker's handlers, (xid, seq) a message that the cursor has not passed.
-- Returns: these handlers, for park(), of messages that are ready and of those that have to wait, and whether the worker has
--   anything to do with the ready ones.
-- Touches: handler (read).
-- postrider: after handlers_for
create or replace function postrider.set_aside(
    p_consumer postrider.consumer, p_mine text[], p_event_type text, p_xid xid8, p_seq bigint,
    out ready text[], out waiting text[], out ours boolean
)
    language plpgsql stable
    as $$
declare
    v_all text[] := postrider.handlers_for(p_consumer.id, p_event_type, p_xid, p_seq);
    v_held boolean := coalesce(v_all && p_consumer.held_handlers, false);
begin
    waiting := case when v_all = '{}' then array[''] else v_all end;
    ready := case when v_held or v_all = '{}' then waiting
                  else array(select unnest(v_all) except select unnest(p_mine)) end;
    ours := v_all && p_mine and not v_held;
end
$$;
