-- limit_preview(consumer, handler, limit, channel): the effect that set_limit() would have now, or remove_limit() if p_limit is null. Changes nothing
-- and takes no claim lock.
-- Returns: result: created, changed, unchanged or removed; before: the limit that the handler has, null: none; declared: workers declare it, so the
--   next registration restores it; binds: the new limit can be reached with the threads of the current workers; workers: of the handler; threads: of
--   these workers, null when one did not give a number; held: messages that the workers of the consumer have; throttled: messages that wait for the
--   limit before.
-- Raises: as set_limit() and remove_limit(). Touches: handler_limit, worker, waiting, lease, delivery (read).
-- postrider: grant operator, worker
-- postrider: after limited_consumer, limit_binds, limit_json, open_leases, read_limit, require_limitable
create or replace function postrider.limit_preview(
    p_consumer text, p_handler text, p_limit jsonb, p_channel text default 'outbox_default', out result text, out before jsonb,
    out declared boolean, out binds boolean, out workers bigint, out threads bigint, out held bigint, out throttled bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.consumer := postrider.limited_consumer(p_consumer, p_channel, 'limit_preview', false);
    b postrider.handler_limit;
    n postrider.handler_limit;
begin
    select * into b from postrider.handler_limit l where l.consumer_id = c.id and l.handler = p_handler;
    if p_limit is not null then
        perform postrider.require_limitable(c, p_handler);
        n := postrider.read_limit(p_limit);
        n.consumer_id := c.id;
        n.handler := p_handler;
    elsif b.handler is null then
        raise exception using errcode = 'PR014',
            message = format('handler %s of consumer %s on %s has no limit', p_handler, p_consumer, p_channel);
    end if;
    before := postrider.limit_json(b);
    declared := coalesce(b.declared, false);
    result := case when p_limit is null then 'removed' when before is null then 'created'
                   when before = postrider.limit_json(n) and not declared then 'unchanged' else 'changed' end;
    binds := p_limit is not null and postrider.limit_binds(n);
    select count(*), case when bool_and(w.threads is not null) then sum(w.threads) end into workers, threads
    from postrider.worker w where w.consumer_id = c.id and p_handler = any (w.handlers);
    held := (select coalesce(sum(cardinality(l.members)), 0) from postrider.open_leases l where l.consumer_id = c.id)
            + (select count(*) from postrider.worker w join postrider.delivery d on d.worker_id = w.id and d.status = 'in_flight'
               where w.consumer_id = c.id);
    throttled := (select count(*) from postrider.waiting w
                  where w.consumer_id = -c.id and w.limit_key >= p_handler || ' ' and w.limit_key < p_handler || '!');
end
$$;
