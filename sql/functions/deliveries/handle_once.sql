-- handle_once(key): enters an effect into the inbox, in the transaction that makes the effect.
-- The key is a row of consumer name, handler, source and idempotency key:
--   select postrider.handle_once(row('billing', 'billing.book', c.source, c.idempotency_key))
-- where c is a message as claim() or claim_due() returned it: its idempotency_key is never null. A null source counts as ''.
-- Returns: true when this transaction is the first to make the effect, so the handler goes on. False when a committed transaction
--   has made it, so the handler skips it. While another open transaction has entered it, the call waits for that one to end.
-- Raises: PR001 for a missing consumer, handler or key, or for a value that is too long, PR010 when the session user may not work
--   for the consumer: the entry of another role would make the handler skip its effect.
-- Touches: event_handled.
-- postrider: grant worker
-- postrider: after require_owner
create or replace function postrider.handle_once(p_key postrider.inbox_key) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if coalesce(octet_length(p_key.consumer), 0) not between 1 and 63
       or coalesce(octet_length(p_key.handler), 0) not between 1 and 127
       or octet_length(p_key.source) > 255
       or coalesce(octet_length(p_key.idempotency_key), 0) not between 1 and 255 then
        raise exception using errcode = 'PR001',
            message = format('handle_once: the key %s is incomplete or too long', left(p_key::text, 300)),
            hint = 'Give the name of the consumer (1 to 63 bytes), the handler (1 to 127), the source (at most 255) and the '
                   'idempotency key (1 to 255), in that order.';
    end if;
    perform postrider.require_owner(p_key.consumer);
    insert into postrider.event_handled (consumer_name, handler_name, source, idempotency_key)
    values (p_key.consumer, p_key.handler, coalesce(p_key.source, ''), p_key.idempotency_key)
    on conflict do nothing;
    return found;
end
$$;
