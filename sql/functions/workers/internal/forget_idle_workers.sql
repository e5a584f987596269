-- forget_idle_workers(consumer_ids): removes dead workers of these consumers that hold nothing. Those that hold messages stay, because a
-- heartbeat makes them live again.
-- Returns: how many workers are left.
-- Touches: worker; lease, delivery (read).
-- postrider: after open_leases
create or replace function postrider.forget_idle_workers(p_consumer_ids int[]) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    delete from postrider.worker w
    where w.id in (
        select o.id from postrider.worker o
        where o.consumer_id = any (p_consumer_ids) and o.alive_until < clock_timestamp()
          -- Hashed: there may be many leases.
          and o.id not in (select l.worker_id from postrider.open_leases l
                           where l.consumer_id = any (p_consumer_ids) and l.worker_id is not null)
          and not exists (select from postrider.delivery d where d.worker_id = o.id and d.status = 'in_flight')
        for update of o skip locked);
    return (select count(*) from postrider.worker w where w.consumer_id = any (p_consumer_ids));
end
$$;
