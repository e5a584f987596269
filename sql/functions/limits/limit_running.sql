-- limit_running(consumer_id): how many runs of each handler with a limit the workers can have with the messages that they hold: of each worker those
-- messages, but at most as many as it has threads. Messages of unknown handlers count for every handler. All handlers are computed at once, because
-- limit_use() reads every message that the workers hold.
-- Returns: one row per handler with a limit.
-- Security definer, so that the view limits shows it to roles that cannot read leases. Touches: handler_limit and the tables of limit_use() (read).
-- postrider: grant operator, viewer, agent
-- postrider: after limit_use
create or replace function postrider.limit_running(p_consumer_id int) returns table (handler text, running bigint)
    language plpgsql stable security definer rows 100
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not exists (select from postrider.handler_limit l where l.consumer_id = p_consumer_id) then
        return;
    end if;
    return query
    with held as materialized (
        select u.threads, u.handler, sum(u.messages) as messages,
               sum(sum(u.messages) filter (where u.handler is null)) over (partition by u.worker_id, u.threads) as unknown
        from postrider.limit_use(p_consumer_id) u group by u.worker_id, u.threads, u.handler
    ), own as materialized (
        -- Beyond the messages of unknown handlers of the same worker.
        select h.handler, sum(least(h.messages + coalesce(h.unknown, 0), h.threads)
                              - case when h.unknown is null then 0 else least(h.unknown, h.threads) end) as runs
        from held h where h.handler is not null group by h.handler
    )
    select l.handler, (coalesce(o.runs, 0) + (select coalesce(sum(least(h.messages, h.threads)), 0) from held h where h.handler is null))::bigint
    from postrider.handler_limit l left join own o on o.handler = l.handler
    where l.consumer_id = p_consumer_id;
end
$$;
