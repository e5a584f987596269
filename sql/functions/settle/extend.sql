-- extend(worker, lease, token, deadline): lets a lease be held for another p_deadline from now.
-- Returns: 'extended' or 'lost_lease'.
-- Raises: PR001 for a deadline that is not positive, PR004 unknown worker.
-- Touches: lease (update).
-- postrider: grant worker
-- postrider: after require_worker
create or replace function postrider.extend(
    p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval
) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
begin
    if p_deadline is null or p_deadline <= interval '0' then
        raise exception using errcode = 'PR001', message = 'extend: the deadline must be a positive interval';
    end if;
    update postrider.lease
    set deadline = clock_timestamp() + p_deadline
    where consumer_id in (v_consumer, -v_consumer) and id = p_lease and token = p_token
      and worker_id = p_worker and finished_at is null;
    return case when found then 'extended' else 'lost_lease' end;
end
$$;
