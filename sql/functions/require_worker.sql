-- require_worker(worker): the consumer a worker works for.
-- Returns: the consumer's id. Raises: PR004 when the worker is not registered.
create or replace function postrider.require_worker(p_worker uuid) returns int
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int;
begin
    select w.consumer_id into v_consumer from postrider.worker w where w.id = p_worker;
    if not found then
        raise exception using errcode = 'PR004',
            message = format('worker %s is not registered', coalesce(p_worker::text, '(null)')),
            hint = 'Call postrider.register_worker; a worker long without heartbeats is forgotten.';
    end if;
    return v_consumer;
end
$$;
