-- resume_worker(worker, leases, deliveries): for a worker that has lost its connection and reconnected. If the result of
-- a claim was lost, the worker holds a lease that it does not know. All leases and deliveries of the worker other than
-- p_leases and p_deliveries are released, uncharged: they were never started.
-- From now on the worker belongs to the session user: a process may reconnect with a rotated login.
-- Returns: how many leases and deliveries were released.
-- Raises: PR004 when the worker is not registered (any more), PR010 when the session user may not work for its consumer, 55P03 as take_lock() when
--   the consumer is ordered.
-- Touches: worker, lease, delivery, message (read). Rings the channel if deliveries were released.
-- postrider: grant worker
-- postrider: after require_worker, take_lock, lock_claims, keep_owner, release, conclude, ring, open_leases
create or replace function postrider.resume_worker(
    p_worker uuid, p_leases bigint[] default '{}', p_deliveries bigint[] default '{}',
    out leases int, out deliveries int
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
begin
    -- In the lock order: before the worker. Messages of an ordered consumer end with this lock held.
    perform postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id)
    from postrider.consumer c where c.id = v_consumer and c.ordered;
    perform postrider.keep_owner(c.name) from postrider.consumer c where c.id = v_consumer;
    update postrider.worker set login = session_user where id = p_worker and login is distinct from session_user;
    select count(postrider.release(p_worker, l.id, l.token)) into leases
    from postrider.open_leases l
    where l.consumer_id = v_consumer and l.worker_id = p_worker
      and l.id <> all (p_leases);

    select count(c.result) into deliveries
    from postrider.conclude((
        select coalesce(jsonb_agg(jsonb_build_object(
                   'delivery', d.id, 'token', d.lease_token, 'outcome', 'interrupted')), '[]')
        from postrider.delivery d
        where d.worker_id = p_worker and d.status = 'in_flight' and d.id <> all (p_deliveries)), p_worker) c;
    if deliveries > 0 then
        perform postrider.ring(c.channel) from postrider.consumer c where c.id = v_consumer;
    end if;
end
$$;
