-- require_limitable(consumer, handler): refuses a limit for a handler that cannot have one.
-- Raises: PR011 when the consumer has no such active handler, PR012 for an ordered consumer. Touches: handler (read).
create or replace function postrider.require_limitable(p_consumer postrider.consumer, p_handler text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c constant postrider.consumer := p_consumer;
begin
    if not exists (select from postrider.handler h where h.consumer_id = c.id and h.name = p_handler and h.retired_at is null) then
        raise exception using errcode = 'PR011',
            message = format('consumer %s on %s has no active handler %s', c.name, c.channel, p_handler);
    elsif c.ordered then
        raise exception using errcode = 'PR012', message = format('consumer %s is ordered, so its handlers can have no limit', c.name),
            hint = 'It handles one message of an ordering key at a time. Put the handler into a consumer that is not ordered.';
    end if;
end
$$;
