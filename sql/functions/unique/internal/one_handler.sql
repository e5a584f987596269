-- one_handler(target, channel, event_type): the consumer that a unique job is for, and its one handler of the event type, and the setting unique_wait in milliseconds. With several
-- handlers the job would end several times.
-- Raises: PR001 without a target or with several handlers, PR003 for an unknown consumer, PR011 when no handler takes the type.
-- The caller's search_path is pinned. Touches: consumer, handler, setting (read).
-- postrider: after matches
create or replace function postrider.one_handler(
    p_target text, p_channel text, p_event_type text, out consumer_id int, out handler text, out wait text
)
    language plpgsql stable
    as $$
declare
    v_handlers text[];
begin
    if p_target is null then
        raise exception using errcode = 'PR001', message = 'publish_unique: a unique job needs a target',
            hint = 'Name the consumer that is to run it.';
    end if;
    -- The query of route(), inlined because this function caches its plan: an SQL function would be planned again in
    -- every transaction.
    select c.id, array(select h.name from postrider.handler h
                       where h.consumer_id = c.id and h.retired_at is null and postrider.matches(p_event_type, h.event_types)
                       order by h.name),
           (select least(greatest(date_part('epoch', s.value::interval) * 1000, 1), 2147483647)::int || 'ms' from postrider.setting s where s.name = 'unique_wait')
    into consumer_id, v_handlers, wait
    from postrider.consumer c where c.name = p_target and c.channel = p_channel;
    if not found then
        raise exception using errcode = 'PR003',
            message = format('publish_unique: there is no consumer %s on channel %s', p_target, p_channel),
            hint = 'Start one of its workers or call postrider.create_consumer first: it does not receive messages published before that.';
    elsif v_handlers = '{}' then
        raise exception using errcode = 'PR011',
            message = format('publish_unique: consumer %s has no handler for %s', p_target, p_event_type),
            hint = 'Start a worker that registers one.';
    elsif cardinality(v_handlers) > 1 then
        raise exception using errcode = 'PR001',
            message = format('publish_unique: consumer %s has several handlers for %s: %s', p_target, p_event_type,
                             array_to_string(v_handlers, ', ')),
            hint = 'A unique job has one handler: give it an event type of its own.';
    end if;
    handler := v_handlers[1];
end
$$;
