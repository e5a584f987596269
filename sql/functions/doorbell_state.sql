-- doorbell_state(channel): whether NOTIFY announces the messages of a channel.
-- Returns: state and, for 'unserved', the connection that holds the keeper's lock.
--   kept      a keeper serves, or the channel's wake is 'always'
--   unkept    no connection is the keeper: call doorbell_keep()
--   unserved  a connection holds the keeper's lock and does not do the keeper's work: poll
--   poll      the channel's wake is 'never': poll
-- A keeper serves if it is the library's (by role and application name), or if the doorbell is held or waited for.
-- Touches: channel (read).
create or replace function postrider.doorbell_state(p_channel text, out state text, out holder text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_wake text := coalesce((select c.wake from postrider.channel c where c.name = p_channel), 'doorbell');
    v_key oid := (hashtext(p_channel)::bigint & 4294967295)::oid;
begin
    if v_wake <> 'doorbell' then
        state := case v_wake when 'never' then 'poll' else 'kept' end;
        return;
    elsif pg_try_advisory_xact_lock(1886351203, hashtext(p_channel)) then
        state := 'unkept';
        return;
    end if;
    state := 'kept';
    select 'unserved', format('%s (user %s, application %s)', k.pid, coalesce(a.usename, '?'), coalesce(nullif(a.application_name, ''), '?'))
    into state, holder
    from pg_locks k left join pg_stat_activity a on a.pid = k.pid
    where k.locktype = 'advisory' and k.granted and k.objsubid = 2 and k.classid = 1886351203 and k.objid = v_key
      and k.database = (select d.oid from pg_database d where d.datname = current_database())
      and not (a.application_name = 'postrider keeper' and pg_has_role(a.usesysid, 'postrider_worker', 'member'))
      and not exists (
          select from pg_locks b
          where b.locktype = 'advisory' and b.mode = 'ExclusiveLock' and b.objsubid = 2 and b.classid = 1886351201
            and b.objid = v_key and b.database = k.database)
    order by k.pid limit 1;
    state := coalesce(state, 'kept');
end
$$;
