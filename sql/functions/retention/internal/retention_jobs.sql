-- retention_jobs(limit, dry_run): removes the progress and the results of jobs whose message has left the log and has no delivery, and
-- sets that completed longer ago than the outbox's policy keeps them. Scans p_limit of each per call, for the former from where the
-- last call stopped. Rows that another transaction has locked are skipped.
-- Returns: entity and how many of it were removed, or would be. Touches: job_progress, job_set; delivery (read).
-- postrider: after retention_of, retention_note, partitions
create or replace function postrider.retention_jobs(p_limit int, p_dry_run boolean) returns table (entity text, things bigint)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
declare
    v_after timestamptz := (select to_timestamp(place / 1000000.0) from postrider.retention_progress where step = 'job_progress');
    v_log_from timestamptz := (select min(from_at) from postrider.partitions());
    v_walked bigint;
    v_last timestamptz;
    p postrider.retention_policy := postrider.retention_of('outbox', '*');
begin
    entity := 'job_progress';
    with slice as materialized (
        select r.message_id, r.consumer_id, r.handler, r.created_at,
               not exists (select from postrider.delivery d where d.message_id = r.message_id) as over
        from postrider.job_progress r
        where r.created_at > v_after and r.created_at < v_log_from
        order by r.created_at
        fetch first p_limit rows with ties
    ), due as materialized (
        select r.message_id, r.consumer_id, r.handler
        from slice s
        join postrider.job_progress r on (r.message_id, r.consumer_id, r.handler) = (s.message_id, s.consumer_id, s.handler)
        where s.over
        for update of r skip locked
    ), gone as (
        delete from postrider.job_progress r using due d
        where (r.message_id, r.consumer_id, r.handler) = (d.message_id, d.consumer_id, d.handler) and not p_dry_run
    )
    select count(*), max(s.created_at), (select count(*) from due) into v_walked, v_last, things from slice s;
    if not p_dry_run then
        perform postrider.retention_note('job_progress',
            case when v_walked >= p_limit then floor(extract(epoch from v_last) * 1000000)::bigint else 0 end, 0);
    end if;
    return next;
    entity := 'job_set';
    with due as materialized (
        select s.id from postrider.job_set s
        where s.completed_at < clock_timestamp() - p.active_ttl - p.grace and p.disposal = 'hard_delete'
        order by s.completed_at limit p_limit
        for update skip locked
    ), gone as (
        delete from postrider.job_set s using due where s.id = due.id and not p_dry_run
    )
    select count(*) into things from due;
    return next;
end
$$;
