-- circuit_events(consumer, channel, handler, limit): the events of a handler's circuit, newest first: openings, and decisions
-- of operators. An opening has an error, which a viewer does not see; a decision has an actor and a reason.
-- Returns: event is opened, hold_handler, force_handler or release_handler.
-- postrider: grant operator, viewer, agent
-- postrider: after alerts, audits
create or replace function postrider.circuit_events(p_consumer text, p_channel text, p_handler text, p_limit int default 50)
    returns table (at timestamptz, event text, actor text, reason text, error_class text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query
        (select a.at, 'opened', null::text, null::text, a.error_class from postrider.alerts a
         where a.kind = 'circuit_opened' and a.consumer = p_consumer and a.channel = p_channel and a.handler_name = p_handler
         order by a.at desc limit p_limit)
        union all
        (select a.at, a.action, a.actor, a.reason, null from postrider.audits a
         where a.action in ('hold_handler', 'force_handler', 'release_handler')
           and a.filter = jsonb_build_object('consumer', p_consumer, 'channel', p_channel, 'handler', p_handler)
         order by a.at desc limit p_limit)
        order by 1 desc limit p_limit;
end
$$;
