-- remove_limit(consumer, handler, actor, reason, channel): removes the limit of a handler. Throttled messages can start.
-- If workers declare the limit, the next registration restores it.
-- Operators may remove all limits, other roles those of their consumers.
-- Raises: PR003 when there is no such consumer, PR014 when the handler has no limit, PR010 for a consumer of another role, PR001 without
--   actor or reason, 55P03 as take_lock().
-- Touches: handler_limit, consumer, limit_bucket, waiting, audit.
-- postrider: grant operator, worker
-- postrider: after limited_consumer, delete_limit, limit_json, refresh_limits, write_audit, ring
create or replace function postrider.remove_limit(
    p_consumer text, p_handler text, p_actor text default session_user, p_reason text default 'not given',
    p_channel text default 'outbox_default'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.consumer := postrider.limited_consumer(p_consumer, p_channel, 'remove_limit');
    b postrider.handler_limit := postrider.delete_limit(c.id, p_handler);
begin
    if b.handler is null then
        raise exception using errcode = 'PR014',
            message = format('handler %s of consumer %s on %s has no limit', p_handler, p_consumer, p_channel);
    end if;
    perform postrider.refresh_limits(c.id);
    perform postrider.write_audit(
        p_actor, 'remove_limit', p_reason, jsonb_build_object('consumer', p_consumer, 'channel', p_channel, 'handler', p_handler),
        postrider.limit_json(b));
    perform postrider.ring(p_channel);
end
$$;
