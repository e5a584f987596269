-- handle_once(handler, key): enters an effect into the inbox, in the transaction that has the effect.
-- Returns: true when this transaction is the first to have it: go on. False when it happened before: skip.
--   While another transaction is having it, the call waits for that one to end.
-- Raises: PR001 for a missing or too long handler or key, PR010 when the handler is a consumer's that the session user may not work
--   for: an entry of a stranger would make the effect be skipped.
-- Touches: event_handled.
-- postrider: after require_handler_owner
create or replace function postrider.handle_once(p_handler text, p_key text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if coalesce(octet_length(p_handler), 0) not between 1 and 127
       or coalesce(octet_length(p_key), 0) not between 1 and 255 then
        raise exception using errcode = 'PR001',
            message = 'handle_once: a handler of at most 127 bytes and a key of at most 255 bytes are needed';
    end if;
    perform postrider.require_handler_owner(p_handler);
    insert into postrider.event_handled (handler_name, idempotency_key) values (p_handler, p_key)
    on conflict do nothing;
    return found;
end
$$;
