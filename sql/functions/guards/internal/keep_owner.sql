-- keep_owner(consumer): refuses session users who are not members of the role that owns the consumers of this name, and lets no other
-- role become their owner until the caller commits. A caller that records the session user as a worker's login needs this: a transfer
-- that is not committed is waited for, and one that begins later finds the login and clears it.
-- Raises: PR010.
-- Touches: consumer_owner (lock).
-- postrider: after require_owner
create or replace function postrider.keep_owner(p_consumer text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform from postrider.consumer_owner where name = p_consumer for key share;
    perform postrider.require_owner(p_consumer);
end
$$;
