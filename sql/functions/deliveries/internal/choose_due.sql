-- choose_due(consumer_id, handlers, sizes, slots, limit, alone, now): which due deliveries to hand out next; claim_due()
-- explains the rules. p_sizes: how many deliveries each of the handlers takes in a run (null: one). p_slots: how many each may
-- have (null: no handler has a limit of its own).
-- What is too large to be handed out becomes a dead letter instead.
-- Returns: their ids in the order to hand them out, null: none. They and others that were looked at stay locked.
-- Touches: delivery (lock), and what refuse_large() touches.
-- postrider: after too_large, refuse_large
create or replace function postrider.choose_due(
    p_consumer_id int, p_handlers text[], p_sizes int[], p_slots int[], p_limit int, p_alone boolean, p_now timestamptz
) returns bigint[]
    language plpgsql volatile
    as $$
declare
    v_ids bigint[];
    v_crashes int[];
    v_handlers text[];
begin
    with recursive priority (handler, value) as (
        -- Loose index scan: the few priorities in use, so that what is not due yet is never walked over.
        select h.name, (select max(d.priority) from postrider.delivery d
                        where d.consumer_id = p_consumer_id and d.handler = h.name and d.status = 'pending')
        from unnest(p_handlers) as h(name)
        union all
        select p.handler, (select max(d.priority) from postrider.delivery d
                           where d.consumer_id = p_consumer_id and d.handler = p.handler
                             and d.status = 'pending' and d.priority < p.value)
        from priority p
        where p.value is not null
    ), candidate as materialized (
        select due.id, due.crashes, due.priority, due.available_at, p.handler
        from priority p
        cross join lateral (
            select d.id, case when postrider.too_large(d.payload, d.headers) then -1 else d.crashes end as crashes, d.priority,
                   d.available_at
            from postrider.delivery d
            where d.consumer_id = p_consumer_id and d.handler = p.handler and d.status = 'pending'
              and d.priority = p.value and d.available_at <= p_now
              and (p_alone or d.crashes = 0)
            order by d.available_at, d.id
            limit least(p_limit * coalesce(p_sizes[array_position(p_handlers, p.handler)], 1),
                        p_slots[array_position(p_handlers, p.handler)])
            for no key update skip locked) due
        where p.value is not null
    )
    select array_agg(c.id), array_agg(c.crashes), array_agg(c.handler) into v_ids, v_crashes, v_handlers
    from (select ca.* from candidate ca order by ca.priority desc, ca.available_at, ca.id) c;
    if -1 = any (v_crashes) then
        perform postrider.refuse_large(array(select c.id from unnest(v_ids, v_crashes) as c(id, crashes) where c.crashes = -1));
        select array_agg(c.id order by c.n), array_agg(c.crashes order by c.n), array_agg(c.handler order by c.n)
        into v_ids, v_crashes, v_handlers
        from unnest(v_ids, v_crashes, v_handlers) with ordinality as c(id, crashes, handler, n)
        where c.crashes >= 0;
    end if;
    if v_ids is null then
        return null;
    -- One that crashed runs alone when its turn comes, and never beside others.
    elsif v_crashes[1] > 0 then
        return v_ids[1:1];
    end if;
    if p_slots is not null then
        -- Above each handler had its number of every priority.
        select array_agg(s.id order by s.n), array_agg(s.crashes order by s.n), array_agg(s.handler order by s.n)
        into v_ids, v_crashes, v_handlers
        from (select c.*, row_number() over (partition by c.handler order by c.n) as slot
              from unnest(v_ids, v_crashes, v_handlers) with ordinality as c(id, crashes, handler, n)
              where c.crashes = 0) s
        where s.slot <= p_slots[array_position(p_handlers, s.handler)];
    end if;
    if p_sizes is null and 0 = all (v_crashes) then
        return v_ids[1:p_limit];
    end if;
    return (
        select array_agg(r.id order by r.first, r.n)
        from (select o.*, dense_rank() over (order by o.first) as rank
              from (select a.id, a.n, min(a.n) over (partition by a.handler, a.run) as first
                    from (select c.id, c.handler, c.n,
                                 (row_number() over (partition by c.handler order by c.n) - 1)
                                 / coalesce(p_sizes[array_position(p_handlers, c.handler)], 1) as run
                          from unnest(v_ids, v_crashes, v_handlers) with ordinality as c(id, crashes, handler, n)
                          where c.crashes = 0) a) o) r
        where r.rank <= p_limit);
end
$$;
