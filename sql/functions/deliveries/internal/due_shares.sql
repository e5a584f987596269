-- due_shares(consumer_id, handlers, want, now): how many due deliveries of each handler and priority a claim reads: at most as
-- many as it may hand out. A claim of many that finds several handlers or priorities counts first: it locks only rows that it
-- hands out, and other workers can claim the rest.
-- Touches: delivery (read).
create or replace function postrider.due_shares(
    p_consumer_id int, p_handlers text[], p_want postrider.due_want, p_now timestamptz
) returns table (handler text, priority smallint, share int)
    language plpgsql stable
    as $$
#variable_conflict use_column
declare
    v_handlers text[];
    v_priorities smallint[];
    v_shares int[];
begin
    with recursive present (handler, priority) as (
        -- Loose index scan over the few priorities in use. It reads no deliveries that are not due yet.
        select h.name, (select max(d.priority) from postrider.delivery d
                        where d.consumer_id = p_consumer_id and d.handler = h.name and d.status = 'pending')
        from unnest(p_handlers) as h(name)
        union all
        select p.handler, (select max(d.priority) from postrider.delivery d
                           where d.consumer_id = p_consumer_id and d.handler = p.handler
                             and d.status = 'pending' and d.priority < p.priority)
        from present p
        where p.priority is not null
    )
    select array_agg(p.handler), array_agg(p.priority), array_agg(least(
               p_want.runs * coalesce(p_want.sizes[array_position(p_handlers, p.handler)], 1) + p_want.held,
               p_want.slots[array_position(p_handlers, p.handler)]))
    into v_handlers, v_priorities, v_shares
    from present p
    where p.priority is not null;
    if p_want.held = 0 or cardinality(v_handlers) = 1 then
        return query select * from unnest(v_handlers, v_priorities, v_shares);
        return;
    end if;
    return query
    select n.handler, n.priority, count(*)::int
    from (select s.handler, s.priority
          from unnest(v_handlers, v_priorities, v_shares) as s(handler, priority, share)
          cross join lateral (
              select d.available_at, d.id
              from postrider.delivery d
              where d.consumer_id = p_consumer_id and d.handler = s.handler and d.status = 'pending'
                and d.priority = s.priority and d.available_at <= p_now and (p_want.alone or d.crashes = 0)
              order by d.available_at, d.id
              limit s.share) due
          order by s.priority desc, due.available_at, due.id
          limit p_want.runs * (select coalesce(max(size), 1) from unnest(p_want.sizes) as size) + p_want.held) n
    group by n.handler, n.priority;
end
$$;
