-- cancelled_jobs(worker): the messages that were cancelled while the worker had them, each once. Their handlers must stop; their
-- outcomes are not accepted. A worker calls it after each heartbeat.
-- Raises: PR004 when the worker is not registered.
-- Touches: worker (update, if there are any).
-- postrider: grant worker
-- postrider: after require_worker
create or replace function postrider.cancelled_jobs(p_worker uuid) returns setof uuid
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.require_worker(p_worker);
    return query
    with told as (
        update postrider.worker w set cancelled = '{}'
        from (select o.id, o.cancelled from postrider.worker o where o.id = p_worker and o.cancelled <> '{}' for no key update) b
        where w.id = b.id
        returning b.cancelled
    )
    select unnest(t.cancelled) from told t;
end
$$;
