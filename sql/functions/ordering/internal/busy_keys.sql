-- busy_keys(consumer_id): the ordering keys of messages that are handed out in open leases.
-- Stable, one query and without settings, so that the planner inlines it.
-- Touches: lease, lease_mark (read).
-- postrider: after open_leases
create or replace function postrider.busy_keys(p_consumer_id int) returns setof text
    language sql stable
    as $$
    select k.key
    from postrider.open_leases o
    -- One lookup per open lease: most leases are finished. Detoasted once: large arrays are stored out of line.
    cross join lateral (select l.members || '{}'::bigint[] as members, (l.taken).seqs || '{}'::bigint[] as seqs, (l.taken).keys
                        from postrider.lease l where l.consumer_id = o.stream and l.id = o.id offset 0) l
    -- A subquery that names an outer query is hashed, an array is searched for each message.
    cross join lateral (
        select k.key
        from rows from (pg_catalog.unnest(l.seqs), pg_catalog.unnest(l.keys)) as k(seq, key)
        where k.key is not null
          and (pg_catalog.cardinality(l.members) = pg_catalog.cardinality(l.seqs) or k.seq in (select pg_catalog.unnest(l.members)))
        offset 0) k
    where o.consumer_id = p_consumer_id and o.stream = -p_consumer_id
    $$;
