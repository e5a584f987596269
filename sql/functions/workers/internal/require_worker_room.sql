-- require_worker_room(consumer_id, worker): refuses a new worker if the role that owns the consumer has as many as its quota allows. Dead workers
-- that hold nothing are forgotten first, so that a program that crashes and starts again is not refused. Those that hold messages
-- count, because a heartbeat makes them live again.
-- Raises: PR002, 55P03 as take_lock().
-- Touches: worker, setting; lease, delivery (read).
-- postrider: after consumers_of_owner, require_quota, open_leases
create or replace function postrider.require_worker_room(p_consumer_id int, p_worker uuid) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_owner record;
    v_count bigint;
begin
    if exists (select from postrider.worker w where w.id = p_worker) then
        return;
    end if;
    v_owner := postrider.consumers_of_owner(p_consumer_id);
    v_count := (select count(*) from postrider.worker w where w.consumer_id = any (v_owner.ids));
    if v_count >= (select s.value::bigint from postrider.setting s where s.name = 'role_workers') then
        with gone as (
            delete from postrider.worker w
            where w.id in (
                select o.id from postrider.worker o
                where o.consumer_id = any (v_owner.ids) and o.alive_until < clock_timestamp()
                  -- Hashed: there may be many leases.
                  and o.id not in (select l.worker_id from postrider.open_leases l
                                   where l.consumer_id = any (v_owner.ids) and l.worker_id is not null)
                  and not exists (select from postrider.delivery d where d.worker_id = o.id and d.status = 'in_flight')
                for update of o skip locked)
            returning w.id)
        select v_count - count(*) into v_count from gone;
    end if;
    perform postrider.require_quota(v_owner.role, 'role_workers', v_count + 1, 'live workers');
end
$$;
