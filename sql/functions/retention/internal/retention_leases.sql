-- retention_leases(limit, dry_run): removes finished leases that are older than the setting lease_keep, oldest first; never the
-- newest of a consumer, which is its cursor, of the log and of messages that wait. At most p_limit of each consumer per call.
-- Returns: how many were removed, or would be. Touches: lease, lease_mark.
create or replace function postrider.retention_leases(p_limit int, p_dry_run boolean) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
    as $$
declare
    v_before timestamptz := clock_timestamp() - (select value::interval from postrider.setting where name = 'lease_keep');
    v_count bigint := 0;
    v_ids bigint[];
    c record;
begin
    -- There may be millions of leases. They are read by their key, and only for consumers whose oldest lease is old
    -- enough.
    for c in
        select n.id, (select max(l.id) from postrider.lease l where l.consumer_id = n.id) as newest,
               (select l.claimed_at from postrider.lease l where l.consumer_id = n.id order by l.id limit 1) as since
        from (select s.id from postrider.consumer co cross join lateral (values (co.id), (-co.id)) as s(id)) n
    loop
        continue when c.since >= v_before;
        select array_agg(l.id) filter (where l.finished_at < v_before) into v_ids
        from (select l.id, l.finished_at from postrider.lease l
              where l.consumer_id = c.id and l.id < c.newest
              order by l.id limit p_limit) l;
        v_count := v_count + coalesce(cardinality(v_ids), 0);
        if not p_dry_run then
            delete from postrider.lease l where l.consumer_id = c.id and l.id = any (v_ids);
            delete from postrider.lease_mark m
            where m.consumer_id = c.id
              and m.upto < (select max(n.upto) from postrider.lease_mark n where n.consumer_id = c.id);
        end if;
    end loop;
    return v_count;
end
$$;
