-- untried(consumer_id, handler, now, limit): due deliveries of a handler that have neither failed nor crashed a worker, among the newest
-- thousand of each priority.
-- Returns: their ids. Touches: delivery (read).
-- postrider: after due_shares
create or replace function postrider.untried(p_consumer_id int, p_handler text, p_now timestamptz, p_limit int) returns setof bigint
    language plpgsql stable
    as $$
begin
    return query
    select n.id
    from postrider.due_shares(p_consumer_id, array[p_handler], row(1, 0, null, null, true)::postrider.due_want, p_now) s
    cross join lateral (
        select d.id, d.failures, d.crashes, d.suspect
        from postrider.delivery d
        where d.consumer_id = p_consumer_id and d.handler = p_handler and d.status = 'pending'
          and d.priority = s.priority and d.available_at <= p_now
        order by d.available_at desc, d.id desc limit 1000) n
    where n.failures = 0 and n.crashes = 0 and not n.suspect
    limit p_limit;
end
$$;
