-- declare_limits(consumer_id, handlers): gives handlers of register_worker() the limits that they declare: "limit", as set_limit() takes it. null
-- removes a declared limit, and a handler without the member keeps it. A limit of set_limit() stays as it is, so that the next start of a worker
-- does not undo a change by an operator.
-- Raises: PR001 for a limit that cannot be used, PR012 for one of an ordered consumer.
-- Touches: handler_limit, limit_bucket, waiting, audit; consumer (read). The caller holds the claim lock and calls refresh_limits().
-- postrider: after delete_limit, limit_json, read_limit, write_audit, write_limit
create or replace function postrider.declare_limits(p_consumer_id int, p_handlers jsonb) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.consumer;
    n postrider.handler_limit;
    b postrider.handler_limit;
    w record;
    h record;
begin
    for h in
        select d.item ->> 'name' as name, d.item -> 'limit' as definition, l.declared
        from jsonb_array_elements(p_handlers) as d(item)
        left join postrider.handler_limit l on l.consumer_id = p_consumer_id and l.handler = d.item ->> 'name'
        where d.item -> 'limit' <> 'null' or d.item ? 'limit' and l.declared
    loop
        select * into c from postrider.consumer o where o.id = p_consumer_id;
        if h.definition = 'null' then
            b := postrider.delete_limit(p_consumer_id, h.name);
        elsif c.ordered then
            raise exception using errcode = 'PR012',
                message = format('consumer %s is ordered, so its handler %s can have no limit', c.name, h.name);
        else
            n := postrider.read_limit(h.definition);
            n.consumer_id := p_consumer_id;
            n.handler := h.name;
            n.declared := true;
            continue when not h.declared;
            w := postrider.write_limit(n);
            continue when w.result = 'unchanged';
            b := w.before;
        end if;
        perform postrider.write_audit(
            session_user, case when h.definition = 'null' then 'remove_limit' else 'set_limit' end, 'declared by a worker',
            jsonb_build_object('consumer', c.name, 'channel', c.channel, 'handler', h.name), postrider.limit_json(b),
            nullif(h.definition, 'null'));
    end loop;
end
$$;
