-- lock_holder(class, key): which sessions hold an advisory lock of this database, for errors and for people:
-- 'pid 4711 (user eve, application psql)'. Null when none does. Any database user can take such a lock.
-- Class and key are those of pg_advisory_lock(int, int); the functions lock_claims(), lock_doorbell() … name the classes.
-- postrider: grant worker, operator, viewer, agent
create or replace function postrider.lock_holder(p_class int, p_key int) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        select string_agg(distinct format('pid %s (user %s, application %s)', l.pid, coalesce(a.usename, 'unknown'),
                                          coalesce(nullif(a.application_name, ''), 'unnamed')), ', ')
        from pg_locks l left join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.pid <> pg_backend_pid()
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and l.classid = p_class::oid and l.objid = (p_key::bigint & 4294967295)::oid);
end
$$;
