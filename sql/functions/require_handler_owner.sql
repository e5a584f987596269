-- require_handler_owner(handler): refuses session users who may not work for any consumer that has had a handler of this name.
-- A name that no consumer has had is open to every worker.
-- Raises: PR010.
-- Touches: handler, consumer (read).
-- postrider: after may_work_for
create or replace function postrider.require_handler_owner(p_handler text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not (select coalesce(bool_or(postrider.may_work_for(c.name)), true)
            from postrider.handler h join postrider.consumer c on c.id = h.consumer_id
            where h.name = p_handler) then
        raise exception using errcode = 'PR010',
            message = format('handler %s belongs to a consumer that %s may not work for', p_handler, session_user),
            hint = 'Connect as a member of the role that owns the consumer, or let an operator transfer the consumer.';
    end if;
end
$$;
