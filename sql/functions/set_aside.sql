-- set_aside(consumer, mine, message): which handlers cannot have a message now: it is due later or of another than the
-- default priority, the worker does not have the handler, or it was published to this consumer by name although none of
-- its handlers takes the type ('' stands for the one that will). p_mine are the worker's handlers.
-- When the circuit of one of its handlers is not closed none of them can: whoever is handed a message runs every handler
-- it has for it.
-- Returns: these handlers, for park(), and whether the worker has anything to do with the message now.
-- Touches: handler (read).
-- postrider: after handlers_for
create or replace function postrider.set_aside(
    p_consumer postrider.consumer, p_mine text[], p_message postrider.message, out handlers text[], out ours boolean
)
    language plpgsql stable
    as $$
declare
    -- Under the consumer's lock, so these are the handlers it is owed to for ever.
    v_all text[] := postrider.handlers_for(p_consumer.id, p_message.event_type, p_message.xid, p_message.seq);
    v_ready boolean := p_message.priority = 0 and (p_message.available_at is null or p_message.available_at <= clock_timestamp())
                       and not coalesce(v_all && p_consumer.held_handlers, false);
begin
    ours := v_ready and v_all && p_mine;
    handlers := case when v_all = '{}' then array['']
                     when v_ready then array(select unnest(v_all) except select unnest(p_mine))
                     else v_all end;
end
$$;
