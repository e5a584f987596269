-- retention_status(): the pending work of retention, per policy. For operators: in large tables it counts up to 10000 rows
-- of an index, and otherwise estimates from a sample of the pages.
-- Returns: the policy; due: rows whose active time is over (and their grace, if they cannot be soft deleted); soon: rows
--   that will be due within 7 days, or half their time if that is less; in_grace: rows that are soft deleted and still
--   there; oldest: the end of the oldest row that is due; partitions_due: partitions of the log that are old enough to go;
--   held_by: which partitions stay, and for which consumer; last_run_at and removed: since the schema was installed;
--   exact: the numbers are counted, not estimated or cut off.
-- postrider: grant operator, viewer, agent
-- postrider: after retention_things, partition_holder, partitions
create or replace function postrider.retention_status()
    returns table (entity text, class text, active_ttl interval, grace interval, disposal text, due bigint, soon bigint,
                   in_grace bigint, oldest timestamptz, partitions_due bigint, held_by text, last_run_at timestamptz,
                   removed bigint, exact boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set jit = off
    set plan_cache_mode = force_custom_plan
    as $$
#variable_conflict use_column
declare
    v_most constant int := 10000;   -- rows of one kind that are counted
    v_pages constant float8 := 100;  -- pages of a table to sample
    -- The sample in percent of the pages; all pages of a small table.
    v_delivered float8 := least(100, 100 * v_pages / greatest(pg_relation_size('postrider.delivery') / 8192, 1));
    v_handled float8 := least(100, 100 * v_pages / greatest(pg_relation_size('postrider.event_handled') / 8192, 1));
    v_now timestamptz := clock_timestamp();
begin
    return query
    with thing (entity, class, ended_at, deleted, weight) as materialized (
        select * from postrider.retention_things(v_now, v_most, v_delivered, v_handled)
    ), policy as materialized (  -- with the latest end of rows that are due, and of rows that will be due soon
        select p.entity, p.class, p.disposal, e.due_at, e.due_at + least(interval '7 days', p.active_ttl / 2) as soon_at
        from postrider.retention_policy p
        cross join lateral (
            select v_now - p.active_ttl - case when p.entity in ('outbox', 'dead_letter') then '0' else p.grace end as due_at) e
    ), counted as (
        select p.entity, p.class,
               round(sum(t.weight) filter (where not t.deleted and t.ended_at <= p.due_at))::bigint as due,
               round(sum(t.weight) filter (where not t.deleted and t.ended_at > p.due_at and t.ended_at <= p.soon_at))::bigint as soon,
               count(*) filter (where t.deleted) as in_grace,
               min(t.ended_at) filter (where t.ended_at <= p.due_at) as oldest
        from thing t
        left join policy own on own.entity = t.entity and own.class = t.class
        join policy p on p.entity = t.entity and p.class = coalesce(own.class, '*')
        where p.disposal = 'hard_delete'
        group by 1, 2
    ), cut as (
        select t.entity, bool_or(t.weight > 1) or count(*) filter (where t.deleted) > v_most
                         or t.entity <> 'replay' and count(*) filter (where not t.deleted and t.weight = 1) > v_most as off
        from thing t group by 1
    ), old_partition as (
        select p.name, postrider.partition_holder(p.name) as holder
        from postrider.partitions() p
        where p.to_at <= (select case when bool_or(r.disposal = 'keep') then '-infinity'
                                      else v_now - max(r.active_ttl + r.grace) end
                          from postrider.retention_policy r where r.entity = 'outbox')
    ), held as (
        select count(*) as due, string_agg(o.name || ' is held by ' || o.holder, ', ') as held_by from old_partition o
    ), progress as (
        select g.entity, max(g.last_run_at) as last_run_at, sum(g.removed)::bigint as removed
        from postrider.retention_progress g group by 1
    )
    select p.entity, p.class, p.active_ttl, p.grace, p.disposal, coalesce(c.due, 0), coalesce(c.soon, 0),
           coalesce(c.in_grace, 0), c.oldest, case when p.entity = 'outbox' then held.due else 0 end,
           case when p.entity = 'outbox' then held.held_by end, g.last_run_at, coalesce(g.removed, 0), not coalesce(cut.off, false)
    from postrider.retention_policy p
    cross join held
    left join counted c on c.entity = p.entity and c.class = p.class
    left join cut on cut.entity = p.entity
    left join progress g on g.entity = p.entity
    order by p.entity, p.class;
end
$$;
