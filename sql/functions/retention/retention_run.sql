-- retention_run(limit, dry_run): one bounded slice of retention: soft deletes, then removes the rows that the policies
-- no longer keep, and finally one partition of the log. Deliveries that have not ended are never touched. Only one
-- caller at a time runs it. The others return at once, and so does a caller in a cluster that needs a rebase.
-- Rows that another transaction has locked are left to a later call.
-- p_limit: rows to scan per table. p_dry_run: returns the same result, changes nothing and keeps no lock.
-- The caller's transaction has to end soon: see end_soon().
-- Returns: entity, action and number of rows or partitions. Actions: soft_deleted, removed, dropped; held: a partition
--   that is old enough but still owed to the consumer named in detail; busy: another session had locked the log or the
--   table, call again later; skipped: outside READ COMMITTED no partition is dropped.
-- Raises: PR001 for a bad limit. Touches: delivery, event_handled, lease, message, alert, replay, audit, job_progress,
--   job_set, retention_progress.
-- postrider: grant worker, operator
-- postrider: after end_soon, retention_rows, retention_partitions, is_home, lock_retention
create or replace function postrider.retention_run(p_limit int default 1000, p_dry_run boolean default false)
    returns table (entity text, action text, things bigint, detail text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '1s'
    as $$
begin
    if p_limit is null or p_limit not between 1 and 1000000 then
        raise exception using errcode = 'PR001', message = 'retention_run: the limit must be between 1 and 1000000';
    elsif not (p_dry_run or pg_try_advisory_xact_lock(postrider.lock_retention(), 0)) or not postrider.is_home() then
        return;
    end if;
    perform postrider.end_soon();
    begin
        return query select * from postrider.retention_rows(p_limit, p_dry_run);
        -- The steps lock the rows that they find. The end of this block with an error gives up the locks; the result stays.
        if p_dry_run then
            raise exception using errcode = 'DRY00', message = 'a dry run keeps no locks';
        end if;
    exception when sqlstate 'DRY00' then
        null;
    end;
    -- Last, because the drop locks the log until the end of the transaction.
    begin
        return query
        select 'outbox', case when p.dropped then 'dropped' else 'held' end, 1::bigint,
               p.partition || coalesce(' is held by ' || p.held_by, '')
        from postrider.retention_partitions(p_dry_run) p;
    exception when lock_not_available then
        return query values ('outbox', 'busy', 1::bigint, 'the log is in use: its old partitions are dropped later');
    when sqlstate 'PR005' then
        return query values ('outbox', 'skipped', 1::bigint, 'partitions are dropped only under READ COMMITTED');
    end;
end
$$;
