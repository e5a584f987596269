-- doorbell_release(channel): releases the doorbell of doorbell_hold(). Producers publish without NOTIFY from now on, so
-- the keeper must call doorbell_relay() until it holds the doorbell again. Does nothing when the doorbell is not held.
-- Touches: a session-level advisory lock.
-- postrider: grant worker
-- postrider: after lock_doorbell
create or replace function postrider.doorbell_release(p_channel text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    -- Once for each acquisition, and not once more: releasing a lock that is not held writes a warning to the server's log.
    while exists (
        select from pg_locks l
        where l.pid = pg_backend_pid() and l.locktype = 'advisory' and l.mode = 'ExclusiveLock' and l.objsubid = 2
          and l.classid = postrider.lock_doorbell()::oid and l.objid = (hashtext(p_channel)::bigint & 4294967295)::oid
    ) loop
        perform pg_advisory_unlock(postrider.lock_doorbell(), hashtext(p_channel));
    end loop;
end
$$;
