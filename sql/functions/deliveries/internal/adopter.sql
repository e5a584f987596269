-- adopter(consumer_id, event_type): the handler that gets a delivery whose type had no handler: the first by name of the
-- handlers that take the type at the time of the call.
-- Returns: null when there is none; the delivery keeps waiting.
-- Touches: handler (read).
-- postrider: after matches
create or replace function postrider.adopter(p_consumer_id int, p_event_type text) returns postrider.handler
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_handler postrider.handler;
begin
    select * into v_handler from postrider.handler h
    where h.consumer_id = p_consumer_id and h.retired_at is null and postrider.matches(p_event_type, h.event_types)
    order by h.name limit 1;
    return v_handler;
end
$$;
