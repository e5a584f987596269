-- require_handler_room(consumer_id, handler, event_types): limits what reap(), which workers of all roles call, compares the messages of a
-- lost lease with: the active handlers of the role that owns the consumer, their event types, and retired revisions. Removes the retired
-- revisions of the handler that no message of the log can be owed to.
-- Raises: PR002 above the quotas role_handlers and role_event_types, and for 1000 retired revisions of a consumer, 55P03 as take_lock().
-- Touches: handler. The caller has the claim lock of the consumer.
-- postrider: after partitions, consumers_of_owner, require_quota
create or replace function postrider.require_handler_room(p_consumer_id int, p_handler text, p_event_types text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_owner record := postrider.consumers_of_owner(p_consumer_id);
    v_handlers bigint;
    v_types bigint;
    v_retired bigint;
begin
    select count(*) filter (where h.retired_at is null),
           coalesce(sum(cardinality(h.event_types)) filter (where h.retired_at is null), 0),
           count(*) filter (where h.retired_at is not null and h.consumer_id = p_consumer_id)
    into v_handlers, v_types, v_retired
    from postrider.handler h
    where h.consumer_id = any (v_owner.ids) and ((h.consumer_id, h.name) <> (p_consumer_id, p_handler) or h.retired_at is not null);
    if v_retired >= 500 then
        with gone as (
            delete from postrider.handler h
            where h.consumer_id = p_consumer_id and h.retired_at < (select min(p.from_at) from postrider.partitions() p) - interval '1 hour'
              and exists (select from postrider.handler n
                          where n.consumer_id = p_consumer_id and n.name = h.name and n.revision > h.revision)
            returning h.name)
        select v_retired - count(*) into v_retired from gone;
    end if;
    perform postrider.require_quota(v_owner.role, 'role_handlers', v_handlers + 1, 'handlers');
    perform postrider.require_quota(v_owner.role, 'role_event_types', v_types + cardinality(p_event_types), 'event types');
    if v_retired >= 1000 then
        raise exception using errcode = 'PR002',
            message = 'the event types of the handlers of this consumer have changed 1000 times within the retention of the log',
            hint = 'Workers with different event types may be replacing each other: compare their versions.';
    end if;
end
$$;
