-- xmin_holder(): the session, prepared transaction or slot with the oldest snapshot of this database.
-- It runs with the caller's rights: only members of pg_read_all_stats see the snapshots of other users' sessions.
-- Returns: a JSON object {"age_xids", "kind", "holder", "since", "age_s"}; kind is none when there is no snapshot.
-- postrider: grant operator, viewer, agent
create or replace function postrider.xmin_holder() returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        select jsonb_build_object(
            'age_xids', coalesce(max(h.age), 0), 'kind', coalesce(max(h.kind), 'none'), 'holder', coalesce(max(h.holder), ''),
            'since', max(h.since), 'age_s', coalesce(extract(epoch from clock_timestamp() - max(h.since)), 0))
        from (
            select * from (
                select case a.backend_type when 'walsender' then 'standby' else 'session' end as kind,
                       concat_ws(' ', 'pid', a.pid, nullif(a.application_name, ''), a.usename, a.state) as holder,
                       coalesce(a.xact_start, a.backend_start) as since, greatest(age(a.backend_xmin), age(a.backend_xid)) as age
                from pg_stat_activity a
                where a.pid <> pg_backend_pid() and (a.datname = current_database() or a.datname is null)
                  and (a.backend_xmin is not null or a.backend_xid is not null)
                union all
                select 'prepared', p.gid, p.prepared, age(p.transaction) from pg_prepared_xacts p where p.database = current_database()
                union all
                select 'slot', s.slot_name, null, greatest(age(s.xmin), age(s.catalog_xmin))
                from pg_replication_slots s where s.xmin is not null or s.catalog_xmin is not null) held
            order by held.age desc limit 1) h);
end
$$;
