-- next_due(worker): when the next delivery of the worker's handlers comes due.
-- Returns: an instant, possibly past; null when nothing waits.
-- postrider: after require_worker
create or replace function postrider.next_due(p_worker uuid) returns timestamptz
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
    with recursive mine as (
        select w.consumer_id, h.name
        from postrider.worker w cross join lateral unnest(w.handlers) as h(name)
        where w.id = p_worker
    ), priority (consumer_id, handler, value) as (
        select m.consumer_id, m.name,
               (select max(d.priority) from postrider.delivery d
                where d.consumer_id = m.consumer_id and d.handler = m.name and d.status = 'pending')
        from mine m
        union all
        select p.consumer_id, p.handler,
               (select max(d.priority) from postrider.delivery d
                where d.consumer_id = p.consumer_id and d.handler = p.handler
                  and d.status = 'pending' and d.priority < p.value)
        from priority p
        where p.value is not null
    )
    select min(due.available_at)
    from priority p
    cross join lateral (
        select d.available_at from postrider.delivery d
        where d.consumer_id = p.consumer_id and d.handler = p.handler and d.status = 'pending'
          and d.priority = p.value
        order by d.available_at limit 1) due
    $$;
