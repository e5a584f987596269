-- retention_status(): what retention has to do, per policy. For people: it reads whole tables.
-- Returns: the policy; due: rows whose active time is over (and their grace, if they cannot be soft deleted); soon: rows
--   that will be due within 7 days, or half their time if that is less; in_grace: rows that are soft deleted and still
--   there; oldest: the end of the oldest row that is due; partitions_due: partitions of the log that are old enough to go;
--   held_by: which partitions stay, and for which consumer; last_run_at and removed: since the schema was installed.
-- postrider: after retention_of, partition_holder, partitions
create or replace function postrider.retention_status()
    returns table (entity text, class text, active_ttl interval, grace interval, disposal text, due bigint, soon bigint,
                   in_grace bigint, oldest timestamptz, partitions_due bigint, held_by text, last_run_at timestamptz,
                   removed bigint)
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    as $$
    with thing (entity, class, ended_at, deleted_at) as (
        select case d.status when 'failed' then 'dead_letter' else 'outbox' end, d.content_class,
               coalesce(d.delivered_at, d.dead_at), d.deleted_at
        from postrider.delivery d where d.status in ('delivered', 'failed')
        union all
        select 'event_handled', '*', h.handled_at, null from postrider.event_handled h
        union all
        select 'alert', '*', a.at, null from postrider.alert a
        union all
        select 'audit', '*', a.at, null from postrider.audit a
        union all
        select 'replay', '*', r.ended_at, null from postrider.replay r where r.ended_at is not null
    ), aged as (
        select p.entity, p.class, t.ended_at, t.deleted_at,
               t.ended_at + p.active_ttl
                   + case when p.entity in ('outbox', 'dead_letter') then '0' else p.grace end as ends_at,
               least(interval '7 days', p.active_ttl / 2) as warning, p.disposal
        from thing t cross join lateral postrider.retention_of(t.entity, t.class) p
    ), counted as (
        select a.entity, a.class,
               count(*) filter (where a.deleted_at is null and a.ends_at <= clock_timestamp()) as due,
               count(*) filter (where a.deleted_at is null and a.ends_at > clock_timestamp() and a.ends_at <= clock_timestamp() + a.warning) as soon,
               count(*) filter (where a.deleted_at is not null) as in_grace,
               min(a.ended_at) filter (where a.ends_at <= clock_timestamp()) as oldest
        from aged a where a.disposal = 'hard_delete'
        group by 1, 2
    ), old_partition as (
        select p.name, postrider.partition_holder(p.name) as holder
        from postrider.partitions() p
        where p.to_at <= (select case when bool_or(r.disposal = 'keep') then '-infinity'
                                      else clock_timestamp() - max(r.active_ttl + r.grace) end
                          from postrider.retention_policy r where r.entity = 'outbox')
    ), held as (
        select count(*) as due, string_agg(o.name || ' is owed to ' || o.holder, ', ') as held_by from old_partition o
    ), progress as (
        select g.entity, max(g.last_run_at) as last_run_at, sum(g.removed)::bigint as removed
        from postrider.retention_progress g group by 1
    )
    select p.entity, p.class, p.active_ttl, p.grace, p.disposal, coalesce(c.due, 0), coalesce(c.soon, 0),
           coalesce(c.in_grace, 0), c.oldest, case when p.entity = 'outbox' then held.due else 0 end,
           case when p.entity = 'outbox' then held.held_by end, g.last_run_at, coalesce(g.removed, 0)
    from postrider.retention_policy p
    cross join held
    left join counted c on c.entity = p.entity and c.class = p.class
    left join progress g on g.entity = p.entity
    order by p.entity, p.class
    $$;
