-- refresh_limits(consumer_id): determines which limits of a consumer's handlers can bind, by the number of threads that its workers have. Claims do
-- not check the other limits. A limit with throttled messages counts as binding, and so does a limit per key or of starts.
-- Throttled messages of handlers that no longer exist become ordinary waiting messages. Does nothing for a consumer without limits.
-- Touches: consumer, waiting; handler_limit, handler, worker, lease (read). The caller holds the claim lock.
-- postrider: after open_leases, throttled_handlers, limit_binds
create or replace function postrider.refresh_limits(p_consumer_id int) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_limits boolean := exists (select from postrider.handler_limit l where l.consumer_id = p_consumer_id);
    v_throttled text[];
    v_bind text[];
    c record;
begin
    select o.limited, coalesce(o.limited_handlers, '{}') as handlers into c from postrider.consumer o where o.id = p_consumer_id;
    if not c.limited and not v_limits then
        return;
    end if;
    v_throttled := array(select postrider.throttled_handlers(p_consumer_id));
    v_bind := array(
        select h.name
        from postrider.handler h
        left join postrider.handler_limit l on l.consumer_id = h.consumer_id and l.handler = h.name
        where h.consumer_id = p_consumer_id and h.retired_at is null
          and (postrider.limit_binds(l) or h.name = any (v_throttled))
        order by h.name);
    if not v_throttled <@ v_bind then
        update postrider.waiting t set consumer_id = p_consumer_id, limit_key = null
        where t.consumer_id = -p_consumer_id and split_part(t.limit_key, ' ', 1) <> all (v_bind);
    end if;
    -- The existing leases do not name the messages of a handler whose limit could not bind when they were made.
    update postrider.consumer o
    set limited_handlers = nullif(v_bind, '{}'),
        limited_from = case when v_bind <@ c.handlers then o.limited_from
                            else (select max(l.id) from postrider.lease l where l.consumer_id in (p_consumer_id, -p_consumer_id)) end,
        limited = v_limits or v_bind <> '{}'
                  or exists (select from postrider.open_leases l where l.consumer_id = p_consumer_id and l.stream < 0),
        handlers = array_remove(o.handlers, '')
                   || case when v_bind <> '{}' or o.held_handlers is not null or o.cancelled is not null or o.ordered
                           then '{""}'::text[] else '{}' end
    where o.id = p_consumer_id and ((o.limited, coalesce(o.limited_handlers, '{}')) is distinct from (v_limits, v_bind));
end
$$;
