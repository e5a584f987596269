-- unregister_worker(worker): removes a worker that stopped; reap() takes back messages that it still holds. Does nothing for an
-- unknown worker.
-- Raises: PR010 when the session user neither registered it nor may work for its consumer.
-- Touches: worker (delete), consumer and waiting if it has limits.
-- postrider: grant worker
-- postrider: after require_worker, refresh_limits, lock_claims
create or replace function postrider.unregister_worker(p_worker uuid) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int;
    v_locked boolean;
begin
    if exists (select from postrider.worker where id = p_worker) then
        v_consumer := postrider.require_worker(p_worker);
        -- If a claim holds the lock, reap() refreshes the limits instead.
        v_locked := exists (select from postrider.consumer c where c.id = v_consumer and c.limited)
                    and pg_try_advisory_xact_lock(postrider.lock_claims(), v_consumer);
        delete from postrider.worker where id = p_worker;
        perform postrider.refresh_limits(v_consumer) where v_locked;
    end if;
end
$$;
