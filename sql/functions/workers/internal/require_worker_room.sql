-- require_worker_room(consumer_id, worker): refuses a worker that is new to the role that owns the consumer if this role has as many as its
-- quota allows. Dead workers are forgotten first, after their messages were taken back, so that programs that crash and start again are not
-- refused: if all of them crashed, no other worker calls reap().
-- Raises: PR002, 55P03 as take_lock().
-- Touches: worker, setting and the tables that reap() touches.
-- postrider: after consumers_of_owner, forget_idle_workers, reap, require_quota
create or replace function postrider.require_worker_room(p_consumer_id int, p_worker uuid) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_owner record;
    v_max bigint := (select s.value::bigint from postrider.setting s where s.name = 'role_workers');
    v_count bigint;
begin
    if exists (select from postrider.worker w
               join postrider.consumer b on b.id = w.consumer_id left join postrider.consumer_owner bo on bo.name = b.name
               join postrider.consumer c on c.id = p_consumer_id left join postrider.consumer_owner co on co.name = c.name
               where w.id = p_worker and bo.role is not distinct from co.role
               for key share of w) then
        return;
    end if;
    v_owner := postrider.consumers_of_owner(p_consumer_id);
    v_count := (select count(*) from postrider.worker w where w.consumer_id = any (v_owner.ids));
    if v_count >= v_max then
        v_count := postrider.forget_idle_workers(v_owner.ids);
    end if;
    if v_count >= v_max then
        perform postrider.reap();
        v_count := postrider.forget_idle_workers(v_owner.ids);
    end if;
    perform postrider.require_quota(v_owner.role, 'role_workers', v_count + 1, 'live workers');
end
$$;
