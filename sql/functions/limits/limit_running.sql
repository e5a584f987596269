-- limit_running(consumer_id, handler): how many runs of a handler the workers can have with the messages that they hold: of each worker those
-- messages, but at most as many as it has threads.
-- Security definer, so that the view limits shows it to roles that cannot read leases. Touches: the tables of limit_use() (read).
-- postrider: grant operator, viewer, agent
-- postrider: after limit_use
create or replace function postrider.limit_running(p_consumer_id int, p_handler text) returns bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        select coalesce(sum(least(h.messages, h.threads)), 0)
        from (select u.threads, sum(u.messages) as messages from postrider.limit_use(p_consumer_id) u
              where u.handler is null or u.handler = p_handler group by u.worker_id, u.threads) h);
end
$$;
