-- doorbell_wake(channel): the keeper is awake again; producers need not ring any more.
-- Touches: the session-level advisory lock of doorbell_sleep; does nothing when it is not held.
create or replace function postrider.doorbell_wake(p_channel text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if exists (select from pg_locks
               where locktype = 'advisory' and pid = pg_backend_pid() and granted
                 and mode = 'ExclusiveLock' and classid = 1886351201
                 and objid = hashtext(p_channel)::bigint & 4294967295 and objsubid = 2) then
        perform pg_advisory_unlock(1886351201, hashtext(p_channel));
    end if;
end
$$;
