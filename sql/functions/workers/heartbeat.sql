-- heartbeat(worker, leases, alive_for): the heartbeat of a worker: extends the time for which it counts as alive.
-- p_leases: the ids of the leases that the worker works on.
-- Returns: those of them that it has lost. It must stop their handlers; their outcomes will not be accepted.
-- Raises: PR001 for an alive_for outside 1 second to 1 day, PR004 when the worker is not registered (any more).
-- Touches: worker (update), lease (read).
-- postrider: grant worker
-- postrider: after require_worker
create or replace function postrider.heartbeat(
    p_worker uuid, p_leases bigint[] default '{}', p_alive_for interval default null
) returns setof bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
begin
    if p_alive_for not between interval '1 second' and interval '1 day' or extract(epoch from p_alive_for) not between 1 and 86400 then
        raise exception using errcode = 'PR001',
            message = 'heartbeat: alive_for must be between 1 second and 1 day';
    end if;
    update postrider.worker
    set alive_for = coalesce(p_alive_for, alive_for),
        alive_until = clock_timestamp() + coalesce(p_alive_for, alive_for)
    where id = p_worker;
    return query
    select held.id
    from unnest(p_leases) as held(id)
    where not exists (
        select from postrider.lease l
        where l.consumer_id in (v_consumer, -v_consumer) and l.id = held.id and l.worker_id = p_worker
          and l.finished_at is null);
end
$$;
