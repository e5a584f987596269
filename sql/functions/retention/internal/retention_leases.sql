-- retention_leases(limit, dry_run): removes finished leases that are older than the setting lease_keep, oldest first; never the
-- newest of a consumer, which is its cursor, of the log and of messages that wait. At most p_limit of each consumer per call.
-- Leases that another transaction has locked are skipped.
-- Returns: how many were removed, or would be. Touches: lease, lease_mark.
create or replace function postrider.retention_leases(p_limit int, p_dry_run boolean) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
    as $$
declare
    v_slices_most constant int := 10;
    v_before timestamptz := clock_timestamp() - (select value::interval from postrider.setting where name = 'lease_keep');
    v_count bigint := 0;
    v_ids bigint[];
    v_last bigint;
    v_claimed timestamptz;  -- the last of the slice
    c record;
begin
    -- There may be millions of leases. They are read by their key, and only for consumers whose oldest lease is old
    -- enough.
    for c in
        select n.id, (select max(l.id) from postrider.lease l where l.consumer_id = n.id) as newest,
               (select l.claimed_at from postrider.lease l where l.consumer_id = n.id order by l.id limit 1) as since,
               (select min(l.id) from postrider.lease l where l.consumer_id = n.id) as oldest
        from (select s.id from postrider.consumer co cross join lateral (values (co.id), (-co.id)) as s(id)) n
    loop
        continue when c.since >= v_before;
        v_last := c.oldest - 1;
        -- A slice of which no lease can be removed, because they are locked or not finished, does not keep the next one.
        for i in 1..v_slices_most loop
            select array_agg(l.id) filter (where l.finished_at < v_before), max(l.id), max(l.claimed_at) into v_ids, v_last, v_claimed
            from (select l.id, l.finished_at, l.claimed_at from postrider.lease l
                  where l.consumer_id = c.id and l.id > v_last and l.id < c.newest
                  order by l.id limit p_limit) l;
            v_ids := array(select l.id from postrider.lease l where l.consumer_id = c.id and l.id = any (v_ids) for update skip locked);
            exit when v_ids <> '{}' or v_last is null or v_claimed >= v_before;
        end loop;
        v_count := v_count + cardinality(v_ids);
        if not p_dry_run then
            delete from postrider.lease l where l.consumer_id = c.id and l.id = any (v_ids);
            delete from postrider.lease_mark m
            where m.consumer_id = c.id and m.upto in (
                select o.upto from postrider.lease_mark o
                where o.consumer_id = c.id
                  and o.upto < (select max(n.upto) from postrider.lease_mark n where n.consumer_id = c.id)
                for update skip locked);
        end if;
    end loop;
    return v_count;
end
$$;
