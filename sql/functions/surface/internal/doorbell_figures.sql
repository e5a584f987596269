-- doorbell_figures(now): the doorbells of all channels, as figures() shows them: a JSON array.
-- Touches: channel, consumer, worker (read), pg_locks.
-- postrider: after channel_names, lock_doorbell, lock_keeper
create or replace function postrider.doorbell_figures(p_now timestamptz) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        select coalesce(jsonb_agg(jsonb_build_object(
            'channel', ch.name, 'wake', coalesce(k.wake, 'doorbell'), 'consumers', used.consumers, 'workers', used.workers, 'kept', keeper.pid is not null,
            'keeper_pid', keeper.pid, 'sleeping', bell.pid is not null) order by ch.name), '[]')
        from postrider.channel_names ch
        left join postrider.channel k on k.name = ch.name
        cross join lateral (
            select count(distinct c.id) as consumers, count(w.id) as workers from postrider.consumer c
            left join postrider.worker w on w.consumer_id = c.id and w.alive_until > p_now
            where c.channel = ch.name) used
        left join lateral (
            select l.pid from pg_locks l
            where l.locktype = 'advisory' and l.classid = postrider.lock_keeper()::oid and l.objid = (hashtext(ch.name)::bigint & 4294967295)::oid
              and l.objsubid = 2 and l.granted
              and l.database = (select oid from pg_database where datname = current_database()) limit 1) keeper on true
        left join lateral (
            select l.pid from pg_locks l
            where l.locktype = 'advisory' and l.classid = postrider.lock_doorbell()::oid and l.objid = (hashtext(ch.name)::bigint & 4294967295)::oid
              and l.objsubid = 2 and l.granted and l.mode = 'ExclusiveLock'
              and l.database = (select oid from pg_database where datname = current_database()) limit 1) bell on true);
end
$$;
