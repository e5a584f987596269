-- retention_deleted(limit, dry_run): removes deliveries that were soft deleted, by retention or by hand, and whose grace is
-- over. Only terminal ones, and a dead letter only when its message has left the log: without its delivery the log
-- would say that the message was delivered. Scans p_limit of them per call, and all of the last instant, from where the last
-- call stopped.
-- Returns: how many of outbox (delivered) and of dead_letter it removed, or would. Touches: delivery.
-- postrider: after retention_of, retention_note, partitions
create or replace function postrider.retention_deleted(
    p_limit int, p_dry_run boolean, out delivered bigint, out dead bigint
)
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
    v_after timestamptz := (select to_timestamp(place / 1000000.0) from postrider.retention_progress where step = 'deleted');
    v_before timestamptz := (select v_now - min(grace) from postrider.retention_policy
                             where entity in ('outbox', 'dead_letter'));
    v_log_from timestamptz := (select min(from_at) from postrider.partitions());
    v_walked bigint;
    v_last timestamptz;
begin
    with slice as materialized (
        select d.id, d.deleted_at, d.status, d.published_at, d.content_class
        from postrider.delivery d
        where d.deleted_at > v_after and d.deleted_at < v_before
        order by d.deleted_at
        fetch first p_limit rows with ties
    ), due as materialized (
        select d.id, d.status
        from slice s
        cross join lateral postrider.retention_of(
            case s.status when 'failed' then 'dead_letter' else 'outbox' end, s.content_class) p
        join postrider.delivery d on d.id = s.id and d.status = s.status and d.deleted_at = s.deleted_at
        where s.deleted_at < v_now - p.grace and p.disposal = 'hard_delete'
          and (s.status = 'delivered' or s.status = 'failed' and s.published_at < v_log_from)
        for update of d skip locked
    ), gone as (
        delete from postrider.delivery d using due where d.id = due.id and not p_dry_run
    )
    select count(*), max(deleted_at), (select count(*) from due where status = 'delivered'),
           (select count(*) from due where status = 'failed')
    into v_walked, v_last, delivered, dead
    from slice;
    if not p_dry_run then
        perform postrider.retention_note('deleted',
            case when v_walked >= p_limit then floor(extract(epoch from v_last) * 1000000)::bigint else 0 end, dead);
        update postrider.retention_progress set removed = removed + delivered where step = 'delivered';
    end if;
end
$$;
