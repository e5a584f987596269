-- require_worker_room(consumer_id, worker): refuses a new worker if the role that owns the consumer has as many as its quota allows. Only those
-- that are alive count, so that a program that crashes and starts again is not refused; where they would be too many, dead ones that
-- hold nothing are forgotten.
-- Raises: PR002, 55P03 as take_lock().
-- Touches: worker; lease, delivery (read).
-- postrider: after consumers_of_owner, require_quota, open_leases
create or replace function postrider.require_worker_room(p_consumer_id int, p_worker uuid) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_owner record;
    v_all bigint;
    v_alive bigint;
begin
    if exists (select from postrider.worker w where w.id = p_worker) then
        return;
    end if;
    v_owner := postrider.consumers_of_owner(p_consumer_id);
    select count(*), count(*) filter (where w.alive_until > clock_timestamp()) into v_all, v_alive
    from postrider.worker w where w.consumer_id = any (v_owner.ids);
    if v_all > 2 * v_alive + 1000 then
        delete from postrider.worker w
        where w.id in (
            select o.id from postrider.worker o
            where o.consumer_id = any (v_owner.ids) and o.alive_until < clock_timestamp() - interval '1 minute'
              and not exists (select from postrider.open_leases l where l.worker_id = o.id)
              and not exists (select from postrider.delivery d where d.worker_id = o.id and d.status = 'in_flight')
            for update of o skip locked);
    end if;
    perform postrider.require_quota(v_owner.role, 'role_workers', v_alive + 1, 'live workers');
end
$$;
