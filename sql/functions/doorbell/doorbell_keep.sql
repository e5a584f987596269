-- doorbell_keep(channel): tries to become the keeper of a channel's doorbell, for as long as the connection lasts.
-- The keeper makes producers send NOTIFY: it calls doorbell_hold() on a second connection. A keeper that only holds the
-- doorbell has no further obligation.
-- Returns: whether this connection is the keeper now.
-- Touches: a session-level advisory lock.
-- postrider: grant worker
-- postrider: after lock_keeper
create or replace function postrider.doorbell_keep(p_channel text) returns boolean
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    select pg_catalog.pg_try_advisory_lock(postrider.lock_keeper(), pg_catalog.hashtext(p_channel))
    $$;
