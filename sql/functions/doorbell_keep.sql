-- doorbell_keep(channel): tries to become the keeper of a channel's doorbell, for as long as the
-- connection lasts. One worker per channel is the keeper; only the keeper may let producers ring.
-- Returns: whether this connection is the keeper now.
create or replace function postrider.doorbell_keep(p_channel text) returns boolean
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    select exists (select from pg_catalog.pg_locks
                   where locktype = 'advisory' and pid = pg_catalog.pg_backend_pid() and granted
                     and database = (select oid from pg_catalog.pg_database where datname = current_database())
                     and classid = 1886351203 and objid = pg_catalog.hashtext(p_channel)::bigint & 4294967295
                     and objsubid = 2)
        or pg_catalog.pg_try_advisory_lock(1886351203, pg_catalog.hashtext(p_channel))
    $$;
