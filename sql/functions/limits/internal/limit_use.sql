-- limit_use(consumer_id): the messages that the workers of a consumer hold, by handler and limit_key(): the use of a limit is not stored
-- anywhere else, so a worker that dies leaves no stale count. For leases that were made while no limit could bind, only the number of messages
-- is known.
-- Stable, one query and without settings, so that the planner inlines it.
-- Touches: lease, lease_mark, worker, delivery, handler_limit, consumer (read).
-- postrider: after open_leases, limit_key
create or replace function postrider.limit_use(p_consumer_id int) returns setof postrider.limit_held
    language sql stable
    as $$
    select h.worker_id, w.threads, h.handler, h.key, pg_catalog.sum(h.messages)::bigint
    from (
        select o.worker_id, pg_catalog.split_part(k.key, ' ', 1) as handler, k.key, k.messages
        from postrider.open_leases o
        join postrider.lease l on l.consumer_id = o.stream and l.id = o.id
        join postrider.consumer c on c.id = o.consumer_id
        -- Detoasted once: large arrays are stored out of line.
        cross join lateral (select l.members || '{}'::bigint[] as members, (l.taken).seqs, (l.taken).keys offset 0) t
        cross join lateral (
            select n.key, pg_catalog.count(*) as messages
            from rows from (pg_catalog.unnest(t.seqs), pg_catalog.unnest(t.keys)) as n(seq, key)
            where (n.key is not null or o.id <= c.limited_from)
              -- A subquery is hashed, an array is searched for each message.
              and (pg_catalog.cardinality(t.members) = pg_catalog.cardinality(t.seqs) or n.seq in (select pg_catalog.unnest(t.members)))
            group by n.key) k
        where o.consumer_id = p_consumer_id and o.stream = -p_consumer_id
        union all
        select o.worker_id, null, null, pg_catalog.cardinality(o.members)
        from postrider.open_leases o
        join postrider.consumer c on c.id = o.consumer_id
        where o.consumer_id = p_consumer_id and o.stream = p_consumer_id and o.id <= c.limited_from
        union all
        select w.id, d.handler, postrider.limit_key(d.handler, l.key, d.workspace_id, d.ordering_key, d.partition_key, d.source, d.event_type), 1
        from postrider.worker w
        join postrider.delivery d on d.worker_id = w.id and d.status = 'in_flight'
        left join postrider.handler_limit l on l.consumer_id = d.consumer_id and l.handler = d.handler
        where w.consumer_id = p_consumer_id) h
    left join postrider.worker w on w.id = h.worker_id
    group by h.worker_id, w.threads, h.handler, h.key
    $$;
