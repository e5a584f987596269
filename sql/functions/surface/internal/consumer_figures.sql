-- consumer_figures(since): the figures of every consumer, cheap enough for a call every second: no count grows with the log or with the number of
-- dead letters.
-- since: {"<consumer id>": {"xid", "seq", "floor"}}, the places of an earlier call.
-- Returns: backlog: as consumer_backlog() with 1000 messages, fewer if there are more than 300 consumers or after two seconds; behind_since: when the
--   first message of the backlog was published; pending: deliveries and messages that wait, each counted up to rows_counted(); failed: dead letters;
--   passed: messages the cursor passed since the earlier call, as consumer_passed(); place: the cursor's current place.
-- Estimates use the sequence numbers between the quartiles of the sample, because outliers occur: a connection may have cached a number long
-- before, or the transaction may be much older.
-- postrider: after rows_counted, place_of, consumer_backlog, consumer_passed, dead_letter_counts, open_leases
create or replace function postrider.consumer_figures(p_since jsonb default '{}') returns table (
    consumer_id int, consumer text, channel text, paused boolean, held boolean, held_handlers text[], handlers bigint,
    workers bigint, backlog bigint, backlog_exact boolean, behind_since timestamptz, leased bigint, running bigint,
    pending bigint, failed bigint, passed bigint, place jsonb)
    language sql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
    with most as materialized (
        select least(1000, greatest(100, 300000 / count(*)))::int as n, postrider.rows_counted(count(*)) + 1 as waiting,
               clock_timestamp() + interval '2 seconds' as soon
        from postrider.consumer
    ), running as materialized (
        select d.consumer_id, count(*) as n from postrider.delivery d where d.status = 'in_flight' group by 1
    ), dead as materialized (
        select t.consumer_id, sum(t.count)::bigint as n from postrider.dead_letter_counts t group by 1
    )
    select c.id, c.name, c.channel, c.paused, coalesce(c.held_handlers @> c.handlers, false),
           coalesce(array_remove(c.held_handlers, ''), '{}'),
           (select count(*) from postrider.handler h where h.consumer_id = c.id and h.retired_at is null),
           (select count(*) from postrider.worker w where w.consumer_id = c.id and w.alive_until > clock_timestamp()),
           behind.backlog, behind.exact, behind.since, coalesce(own.leased, 0), coalesce(running.n, 0), waiting.n, coalesce(dead.n, 0),
           gone.passed,
           case when (cur.place).xid is not null
                then jsonb_build_object('xid', (cur.place).xid::text, 'seq', (cur.place).seq, 'floor', (cur.place).floor_at) end
    from postrider.consumer c
    cross join most
    cross join lateral (select postrider.place_of(c.id) as place offset 0) cur
    cross join lateral (
        select row(null, p_since #>> array[c.id::text, 'xid'], p_since #>> array[c.id::text, 'seq'],
                   p_since #>> array[c.id::text, 'floor'])::postrider.place as place) was
    cross join lateral postrider.consumer_backlog(c, cur.place, most.n, most.soon) behind
    cross join lateral postrider.consumer_passed(c, was.place, cur.place) gone
    left join lateral (
        select sum(cardinality(l.members))::bigint as leased from postrider.open_leases l
        where l.consumer_id = c.id) own on true
    cross join lateral (
        select count(*) as n
        from ((select from postrider.delivery d where d.consumer_id = c.id and d.status = 'pending' limit most.waiting)
              union all
              (select from postrider.waiting w where w.consumer_id in (c.id, -c.id) limit most.waiting)
              union all
              (select from postrider.follower f where f.consumer_id = c.id limit most.waiting)) d) waiting
    left join running on running.consumer_id = c.id
    left join dead on dead.consumer_id = c.id
    $$;
