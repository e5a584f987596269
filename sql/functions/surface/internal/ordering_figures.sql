-- ordering_figures(): of every ordered consumer how many ordering keys a retried message or a dead letter blocks, and how many messages wait
-- behind others of their keys; the first counted up to 10000, the second up to rows_counted().
-- Touches: consumer, delivery, follower (read).
-- postrider: after rows_counted
create or replace function postrider.ordering_figures() returns jsonb
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
    select coalesce(jsonb_agg(jsonb_build_object(
               'consumer', c.name, 'channel', c.channel, 'blocked_keys', b.keys, 'followers', f.messages) order by c.name, c.channel), '[]')
    from postrider.consumer c
    cross join (select postrider.rows_counted(count(*)) as n from postrider.consumer o where o.ordered) most
    cross join lateral (
        select count(*) as keys
        from (select distinct d.ordering_key from postrider.delivery d
              where d.consumer_id = c.id and d.heads and d.heads is not null and d.status <> 'delivered' and d.deleted_at is null
                and (d.status <> 'failed' or c.hold_for is distinct from interval '0')
              limit 10000) k) b
    cross join lateral (
        select count(*) as messages
        from (select from postrider.follower w where w.consumer_id = c.id limit most.n) w) f
    where c.ordered
    $$;
