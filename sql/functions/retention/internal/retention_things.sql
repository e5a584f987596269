-- retention_things(now, most, delivered, handled): rows that ended and that a policy of retention covers, at most p_most + 1 of a kind that
-- an index finds. Of delivered deliveries and of the inbox it reads p_delivered and p_handled percent of the pages; `weight` says how
-- many rows each of them stands for. Rows that ended too late to be due soon are left out where an index allows it.
-- Touches: delivery, event_handled, alert, audit, replay, retention_policy (read).
create or replace function postrider.retention_things(p_now timestamptz, p_most int, p_delivered float8, p_handled float8)
    returns table (entity text, class text, ended_at timestamptz, deleted boolean, weight float8)
    language sql stable
    as $$
    with horizon as (
        select p.entity, p_now - min(p.active_ttl) + interval '7 days' as at from postrider.retention_policy p group by 1
    )
    (select 'dead_letter', d.content_class, d.dead_at, false, 1
     from postrider.delivery d
     where d.status = 'failed' and d.deleted_at is null and d.dead_at <= (select h.at from horizon h where h.entity = 'dead_letter')
     order by d.dead_at, d.id desc limit p_most + 1)
    union all
    (select case d.status when 'failed' then 'dead_letter' else 'outbox' end, d.content_class,
            coalesce(d.delivered_at, d.dead_at), true, 1
     from postrider.delivery d where d.deleted_at is not null and d.status in ('delivered', 'failed') limit p_most + 1)
    union all
    select 'outbox', d.content_class, d.delivered_at, false, 100 / p_delivered
    from postrider.delivery d tablesample system (p_delivered) where d.status = 'delivered' and d.deleted_at is null
    union all
    select 'event_handled', '*', h.handled_at, false, 100 / p_handled
    from postrider.event_handled h tablesample system (p_handled)
    union all
    (select 'alert', '*', a.at, false, 1 from postrider.alert a
     where a.at <= (select h.at from horizon h where h.entity = 'alert') order by a.at limit p_most + 1)
    union all
    (select 'audit', '*', a.at, false, 1 from postrider.audit a
     where a.at <= (select h.at from horizon h where h.entity = 'audit') order by a.at limit p_most + 1)
    union all
    select 'replay', '*', r.ended_at, false, 1 from postrider.replay r where r.ended_at is not null
    $$;
