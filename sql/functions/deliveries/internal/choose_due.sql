-- choose_due(consumer_id, handlers, want, now): which due deliveries to hand out next; claim_due() explains the rules.
-- A delivery that is too large to be handed out becomes a dead letter instead.
-- Returns: their ids in the order to hand them out, null: none. Their rows, and other rows that were read, stay locked.
-- Touches: delivery (lock), and the tables that refuse_large() touches.
-- postrider: after due_shares, too_large, refuse_large
create or replace function postrider.choose_due(
    p_consumer_id int, p_handlers text[], p_want postrider.due_want, p_now timestamptz
) returns bigint[]
    language plpgsql volatile
    as $$
declare
    v_ids bigint[];
    v_crashes int[];  -- -1: too large
    v_suspects boolean[];
    v_handlers text[];
begin
    with candidate as materialized (
        select due.*, s.handler
        from postrider.due_shares(p_consumer_id, p_handlers, p_want, p_now) s
        cross join lateral (
            select d.id, case when postrider.too_large(d.payload, d.headers) then -1 else d.crashes end as crashes, d.suspect,
                   d.priority, d.available_at
            from postrider.delivery d
            where d.consumer_id = p_consumer_id and d.handler = s.handler and d.status = 'pending'
              and d.priority = s.priority and d.available_at <= p_now
              and (p_want.alone or d.crashes = 0)
            order by d.available_at, d.id
            limit s.share
            for no key update skip locked) due
    )
    select array_agg(c.id), array_agg(c.crashes), array_agg(c.suspect), array_agg(c.handler)
    into v_ids, v_crashes, v_suspects, v_handlers
    from (select ca.* from candidate ca order by ca.priority desc, ca.available_at, ca.id) c;
    if -1 = any (v_crashes) then
        perform postrider.refuse_large(array(select c.id from unnest(v_ids, v_crashes) as c(id, crashes) where c.crashes = -1));
    end if;
    -- A delivery that was charged with a crash runs alone, when it is the first in order.
    if v_ids is null then
        return null;
    elsif v_crashes[1] > 0 then
        return v_ids[1:1];
    elsif p_want.sizes is null and p_want.slots is null and 0 = all (v_crashes) and true <> all (v_suspects) then
        return v_ids[1:p_want.runs + p_want.held];
    end if;
    return (
        -- A suspect may only be handed out among the runs that start at once, so these come first.
        select array_agg(t.id order by not t.suspect and t.runs - t.suspect_runs > p_want.runs - t.all_suspect_runs, t.first, t.n)
        from (select r.*, max(r.suspect_runs) over () as all_suspect_runs
              from (select o.*, dense_rank() over (order by o.first) as runs,
                           count(*) filter (where o.suspect and o.n = o.first) over w as suspect_runs,
                           count(*) over w as deliveries
                    from (select a.*, min(a.n) over (partition by a.handler, a.suspect, a.run) as first
                          from (select c.*, (row_number() over (partition by c.handler, c.suspect order by c.n) - 1)
                                            / coalesce(p_want.sizes[array_position(p_handlers, c.handler)], 1) as run,
                                       row_number() over (partition by c.handler order by c.n) as slot
                                from unnest(v_ids, v_crashes, v_suspects, v_handlers)
                                     with ordinality as c(id, crashes, suspect, handler, n)
                                where c.crashes = 0) a
                          where p_want.slots is null or a.slot <= p_want.slots[array_position(p_handlers, a.handler)]) o
                    window w as (order by o.first, o.n)) r
              where r.suspect_runs <= p_want.runs
                and (r.runs <= p_want.runs or r.deliveries <= p_want.runs + p_want.held)) t);
end
$$;
