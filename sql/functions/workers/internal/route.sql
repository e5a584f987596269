-- route(consumer_id, event_type): the names of a consumer's active handlers for an event type.
-- postrider: after matches
create or replace function postrider.route(p_consumer_id int, p_event_type text) returns text[]
    language sql stable
    as $$
    select coalesce(pg_catalog.array_agg(h.name order by h.name), '{}')
    from postrider.handler h
    where h.consumer_id = p_consumer_id and h.retired_at is null
      and postrider.matches(p_event_type, h.event_types)
    $$;
