-- exchange(worker, limit, …): claims the next messages and settles a finished lease, in one round trip. Due messages that waited,
-- because they have a priority or an available_at, come in claims of their own, in turn with those of the log.
-- p_lease and p_token name the lease to settle (null: none); p_delivered and p_failures are settle()'s.
-- p_deadline is how long the new lease may be held (null: the consumer's, then 15 minutes).
-- Returns: one row per claimed message, in log order or by priority and due time, never more than p_limit (an idempotency_key that is null
--   is the id), then one summary row with seq null: `settled` is settle()'s result (null: nothing was to
--   settle), lease_id and lease_token name the new lease (null: nothing was claimed), `parked` is how many
--   messages were found that have to wait; -1 says that there were none and that the claim stopped before the end of the log, after
--   passing over messages of other consumers for scan_time(), or over 5000 that wait. If no message was returned and parked is not 0, call again.
-- Raises: PR001 bad limit or deadline, PR004 unknown worker, PR005 not READ COMMITTED, PR006 moved to another cluster,
--   PR010 another role's consumer, 55P03 when another session keeps the lock of the consumer's claims; the error names it.
-- Touches: lease, delivery, message (read).
-- postrider: grant worker
-- postrider: after exchange_packed, exchange_waiting, settle, lease_messages
create or replace function postrider.exchange(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null
) returns setof postrider.claimed
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_consumer int;
    v_waiting_first boolean;
    v_more_wait boolean;
    h postrider.handed_out;
    l postrider.lease;
begin
    select w.consumer_id, (select max(e.id) from postrider.lease e where e.consumer_id = -w.consumer_id)
                          < (select max(e.id) from postrider.lease e where e.consumer_id = w.consumer_id)
    into v_consumer, v_waiting_first
    from postrider.worker w where w.id = p_worker;
    -- Messages that wait take turns with the log. Messages of a priority below 0 are handed out when the log has no message to
    -- hand out.
    if p_limit > 0 and v_waiting_first then
        select e.* into h from postrider.exchange_waiting(p_worker, p_limit, p_deadline => p_deadline, p_idle => false) e;
        v_more_wait := h.parked = -1;
    end if;
    if h.lease_id is not null and p_lease is not null then
        h.settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
    elsif h.lease_id is null then
        select e.* into h
        from postrider.exchange_packed(p_worker, p_limit, p_lease, p_token, p_delivered, p_failures, p_deadline, p_keep => false) e
        where e.parked is not null;
        if h.lease_id is null and h.parked <= 0 and p_limit > 0
           and (not v_waiting_first or exists (select from postrider.waiting w where w.consumer_id = v_consumer and w.priority < 0)) then
            select h.settled, case when e.parked in (0, -2) then h.parked else e.parked end, e.lease_id, e.lease_token, e.messages into h
            from postrider.exchange_waiting(p_worker, p_limit, p_deadline => p_deadline, p_idle => h.parked = 0) e;
        end if;
        h.parked := case when h.parked = 0 and v_more_wait then -1 else h.parked end;
    end if;
    if h.lease_id is not null then
        select le.* into l
        from postrider.worker w join postrider.lease le on le.consumer_id in (w.consumer_id, -w.consumer_id) and le.id = h.lease_id
        where w.id = p_worker;
        return query select * from postrider.lease_messages(l);
    end if;
    return next row(h.settled, h.parked, h.lease_id, h.lease_token, null, null, null, null, null, null, null, null,
                    null, null, null, null, null, null, null, null)::postrider.claimed;
end
$$;
