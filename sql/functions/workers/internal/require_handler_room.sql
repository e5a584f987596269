-- require_handler_room(consumer_id, handler, event_types): limits what reap(), which workers of all roles call, compares the messages of a
-- lost lease with: the active handlers of a consumer, their event types, and retired revisions. Removes the retired revisions of the
-- handler that no message of the log can be owed to.
-- Raises: PR002 for more than 1000 handlers or 5000 event types of a consumer, or 1000 retired revisions.
-- Touches: handler. The caller has the claim lock of the consumer.
-- postrider: after partitions
create or replace function postrider.require_handler_room(p_consumer_id int, p_handler text, p_event_types text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_handlers int;
    v_types int;
    v_retired int;
begin
    select count(*) filter (where h.retired_at is null), sum(cardinality(h.event_types)) filter (where h.retired_at is null),
           count(*) filter (where h.retired_at is not null)
    into v_handlers, v_types, v_retired
    from postrider.handler h where h.consumer_id = p_consumer_id and (h.name <> p_handler or h.retired_at is not null);
    if v_retired >= 500 then
        with gone as (
            delete from postrider.handler h
            where h.consumer_id = p_consumer_id and h.retired_at < (select min(p.from_at) from postrider.partitions() p) - interval '1 hour'
              and exists (select from postrider.handler n
                          where n.consumer_id = p_consumer_id and n.name = h.name and n.revision > h.revision)
            returning h.name)
        select v_retired - count(*) into v_retired from gone;
    end if;
    if v_handlers >= 1000 then
        raise exception using errcode = 'PR002', message = 'a consumer may have at most 1000 handlers', hint = 'Let an operator retire some.';
    elsif coalesce(v_types, 0) + cardinality(p_event_types) > 5000 then
        raise exception using errcode = 'PR002', message = 'the handlers of a consumer may have at most 5000 event types in all',
            hint = 'Use prefixes like user.*, or several consumers.';
    elsif v_retired >= 1000 then
        raise exception using errcode = 'PR002',
            message = 'the event types of the handlers of this consumer have changed 1000 times within the retention of the log',
            hint = 'Workers with different event types may be replacing each other: compare their versions.';
    end if;
end
$$;
