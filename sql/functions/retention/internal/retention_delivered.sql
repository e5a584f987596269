-- retention_delivered(limit, dry_run): soft deletes deliveries that were delivered long enough ago.
-- Scans p_limit deliveries per call in the order of their ids, from where the last call stopped, and restarts from the beginning after
-- the ones that are old enough. So delivered rows need no index. Locked rows are skipped.
-- Returns: how many it soft deleted, or would. Touches: delivery.
-- postrider: after retention_of, retention_note
create or replace function postrider.retention_delivered(p_limit int, p_dry_run boolean) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_place bigint := (select place from postrider.retention_progress where step = 'delivered');
    v_before timestamptz := (select v_now - min(active_ttl) from postrider.retention_policy where entity = 'outbox');
    v_walked bigint;
    v_last bigint;
    v_newest timestamptz;
    v_count bigint;
begin
    with slice as materialized (
        select d.id, d.created_at, d.status, d.delivered_at, d.deleted_at, d.content_class
        from postrider.delivery d
        where d.id > v_place
        order by d.id
        limit p_limit
    ), due as materialized (
        select d.id
        from slice s
        cross join lateral postrider.retention_of('outbox', s.content_class) p
        join postrider.delivery d on d.id = s.id and d.status = 'delivered' and d.deleted_at is null
        where s.status = 'delivered' and s.deleted_at is null and s.delivered_at < v_now - p.active_ttl
          and p.disposal = 'hard_delete'
        for update of d skip locked
    ), changed as (
        update postrider.delivery d set deleted_at = clock_timestamp()
        from due where d.id = due.id and not p_dry_run
    )
    select count(*), max(id), max(created_at), (select count(*) from due)
    into v_walked, v_last, v_newest, v_count
    from slice;
    if not p_dry_run then
        perform postrider.retention_note('delivered',
            case when v_walked = p_limit and v_newest < v_before then v_last else 0 end, 0);
    end if;
    return v_count;
end
$$;
