-- changed_handlers(worker): the handlers of a worker whose event types another registration has changed since it registered. The
-- worker gets no first attempts for them until it registers again, because its program routes by the old types.
-- Returns: their names, each once; the next call returns only later changes.
-- Raises: PR004 when the worker is not registered, PR010 when it is another consumer's.
-- Touches: worker (update, only when there are some).
-- postrider: grant worker
-- postrider: after require_worker
create or replace function postrider.changed_handlers(p_worker uuid) returns setof text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.require_worker(p_worker);
    return query
    with told as (
        update postrider.worker w set changed_handlers = '{}'
        from (select o.id, o.changed_handlers from postrider.worker o where o.id = p_worker for no key update) o
        where w.id = o.id and o.changed_handlers <> '{}'
        returning o.changed_handlers
    )
    select unnest(t.changed_handlers) from told t;
end
$$;
