-- doorbell_watch(channel): the facts a keeper acts on.
-- Returns: wake, the channel's setting; silent, the transactions that have published without NOTIFY and are still open;
--   commit_waiters, transactions that wait for the lock under which NOTIFY commits.
-- Touches: channel (read).
-- postrider: grant worker
-- postrider: after lock_doorbell
create or replace function postrider.doorbell_watch(
    p_channel text, out wake text, out silent text[], out commit_waiters int)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    wake := coalesce((select c.wake from postrider.channel c where c.name = p_channel), 'doorbell');
    select coalesce(array_agg(l.virtualtransaction) filter (where l.locktype = 'advisory'), '{}'),
           count(*) filter (where l.locktype = 'object')
    into silent, commit_waiters
    from pg_locks l
    where l.locktype = 'advisory' and l.granted and l.mode = 'ShareLock' and l.objsubid = 2
          and l.classid = postrider.lock_doorbell()::oid and l.objid = (hashtext(p_channel)::bigint & 4294967295)::oid
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
       or l.locktype = 'object' and not l.granted and l.database = 0 and l.classid = 'pg_database'::regclass and l.objid = 0;
end
$$;
