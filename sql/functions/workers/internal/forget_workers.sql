-- forget_workers(): removes workers that died more than a day ago and hold no lease. A worker whose row another transaction has locked, for
-- example with a heartbeat, is skipped.
-- Returns: how many. Touches: worker; lease (read).
-- postrider: after open_leases
create or replace function postrider.forget_workers() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count int;
begin
    delete from postrider.worker w
    where w.id in (
        select o.id from postrider.worker o
        where o.alive_until < clock_timestamp() - interval '1 day'
          and not exists (select from postrider.open_leases l where l.worker_id = o.id)
        for update of o skip locked);
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
