-- doorbell_hold(channel): takes the doorbell in exclusive mode, for as long as the connection lasts. From the moment the
-- request waits, every publication sends NOTIFY. When it is granted, all producers that published without NOTIFY have
-- ended their transactions, and one NOTIFY announces their messages. Calling it again is harmless.
-- Waits for the oldest transaction that published without NOTIFY: the connection that calls it should do nothing else.
-- Touches: a session-level advisory lock.
-- postrider: grant worker
-- postrider: after lock_doorbell
create or replace function postrider.doorbell_hold(p_channel text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform pg_advisory_lock(postrider.lock_doorbell(), hashtext(p_channel));
    perform pg_notify(p_channel, '');
end
$$;
