-- settle_due(worker, outcomes): reports the outcomes of deliveries claimed by claim_due().
-- p_outcomes is conclude()'s.
-- Deliveries that are returned as interrupted are announced to the other workers.
-- Returns: per delivery its new status, or lost_lease when it is no longer this worker's.
-- Raises: PR001, PR004.
-- Touches: the tables that conclude() touches; rings.
-- postrider: grant worker
-- postrider: after require_worker, conclude, ring, take_lock, lock_claims
create or replace function postrider.settle_due(p_worker uuid, p_outcomes jsonb)
    returns table (delivery_id bigint, result text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
begin
    perform postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id)
    from postrider.consumer c where c.id = v_consumer and c.ordered;
    return query select * from postrider.conclude(p_outcomes, p_worker);
    if p_outcomes @> '[{"outcome": "interrupted"}]' then
        perform postrider.ring(c.channel) from postrider.consumer c where c.id = v_consumer;
    end if;
end
$$;
