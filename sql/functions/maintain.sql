-- maintain(): the housekeeping any worker does now and then: partitions ahead of time, old finished leases
-- out of the ledger (never the newest of a consumer, which is its cursor), long dead workers forgotten.
-- Returns: what was done, one line each; nothing when there was nothing to do.
-- postrider: after ensure_partitions
create or replace function postrider.maintain() returns setof text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_keep interval := (select value::interval from postrider.setting where name = 'lease_keep');
    v_count int;
begin
    begin
        return query select 'made partition ' || e from postrider.ensure_partitions() as e;
    exception when lock_not_available then
        return next 'the log is busy, its next partitions have to wait';
    end;

    with gone as (
        select l.consumer_id, l.id
        from postrider.lease l
        where l.finished_at < clock_timestamp() - v_keep
          and l.id < (select max(n.id) from postrider.lease n where n.consumer_id = l.consumer_id)
        limit 10000
    )
    delete from postrider.lease l using gone
    where l.consumer_id = gone.consumer_id and l.id = gone.id;
    get diagnostics v_count = row_count;
    if v_count > 0 then
        return next format('removed %s finished leases', v_count);
    end if;

    delete from postrider.worker w
    where w.alive_until < clock_timestamp() - v_keep
      and not exists (select from postrider.lease l where l.worker_id = w.id and l.finished_at is null);
    get diagnostics v_count = row_count;
    if v_count > 0 then
        return next format('forgot %s workers', v_count);
    end if;
end
$$;
