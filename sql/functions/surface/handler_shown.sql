-- handler_shown(consumer, channel, handler, span, viewer): one handler with its history, with the rights of the caller.
-- span is run_history()'s; viewer is visible_columns()'s.
-- Returns: {"handler": a row of the view handlers, "history": run_history(), "events": circuit_events()}; null when there is no such
--   active handler.
-- Raises: PR001 for another span.
-- postrider: grant operator, viewer, agent
-- postrider: after view_page, run_history, circuit_events
create or replace function postrider.handler_shown(
    p_consumer text, p_channel text, p_handler text, p_span text default 'hour', p_viewer boolean default false
) returns json
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        select json_build_object(
            'handler', v.shown, 'history', postrider.run_history(p_span, p_consumer, p_channel, p_handler),
            'events', (select coalesce(json_agg(e order by e.at desc), '[]')
                       from postrider.circuit_events(p_consumer, p_channel, p_handler) e))
        from postrider.view_page(
            'handlers', jsonb_build_object('consumer', p_consumer, 'channel', p_channel, 'handler', p_handler), p_viewer => p_viewer,
            p_ids_as_text => true) v);
end
$$;
