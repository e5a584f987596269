-- settle_due(worker, outcomes): reports what became of deliveries claimed by claim_due().
-- p_outcomes is conclude()'s.
-- Returns: per delivery its new status, or lost_lease when it is no longer this worker's.
-- Raises: PR001, PR004.
-- postrider: grant worker
-- postrider: after require_worker, conclude
create or replace function postrider.settle_due(p_worker uuid, p_outcomes jsonb)
    returns table (delivery_id bigint, result text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.require_worker(p_worker);
    return query select * from postrider.conclude(p_outcomes, p_worker);
end
$$;
