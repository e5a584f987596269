-- require_worker(worker): the consumer a worker works for.
-- Returns: the consumer's id. Raises: PR004 when the worker is not registered, PR010 when the session user neither registered it nor
--   may work for its consumer.
-- postrider: after require_owner
create or replace function postrider.require_worker(p_worker uuid) returns int
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int;
    v_login text;
begin
    select w.consumer_id, w.login into v_consumer, v_login from postrider.worker w where w.id = p_worker;
    if not found then
        raise exception using errcode = 'PR004',
            message = format('worker %s is not registered', coalesce(p_worker::text, '(null)')),
            hint = 'Call postrider.register_worker. A worker that has sent no heartbeat for a long time is removed.';
    elsif v_login is distinct from session_user then
        perform postrider.require_owner(c.name) from postrider.consumer c where c.id = v_consumer;
    end if;
    return v_consumer;
end
$$;
