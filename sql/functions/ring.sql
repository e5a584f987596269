-- ring(channel): wakes whoever sleeps on a channel when the caller's transaction commits.
-- The same protocol as the constraint message_doorbell: no NOTIFY while nobody sleeps.
create or replace function postrider.ring(p_channel text) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    select from (select 1) as one
    where not pg_catalog.pg_try_advisory_xact_lock_shared(1886351201, pg_catalog.hashtext(p_channel))
      and pg_catalog.pg_notify(p_channel, '') is not null
    $$;
