-- consumer_figures(since): how every consumer stands, cheap enough to be asked every second: nothing is counted that grows with
-- the log or with the number of dead letters.
-- since: {"<consumer id>": {"xid", "seq", "floor"}}, the places of an earlier call.
-- Returns: backlog: messages behind the cursor that are meant for it, exact when there are up to 1000 messages, whoever they are
--   for, and from there estimated from the distance in the log and from how many of those are meant for it; when none of them is, of
--   5000; behind_since: when the first one of these was published; pending: deliveries that wait, counted up to 50000; failed: dead
--   letters; passed: messages the cursor passed since the earlier call, counted up to 10000 and from there estimated in the same way;
--   place: where the cursor is now.
-- Estimates go by the numbers of the middle half of the messages seen: some others were published with a number that a
-- connection had taken long before, or by a transaction that is much older.
-- postrider: after covers, wants, dead_letter_counts, open_leases
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
    with running as materialized (
        select d.consumer_id, count(*) as n from postrider.delivery d where d.status = 'in_flight' group by 1
    ), dead as materialized (
        select t.consumer_id, sum(t.count)::bigint as n from postrider.dead_letter_counts t group by 1
    )
    select c.id, c.name, c.channel, c.paused, coalesce(c.held_handlers @> c.handlers, false),
           coalesce(array_remove(c.held_handlers, ''), '{}'),
           (select count(*) from postrider.handler h where h.consumer_id = c.id and h.retired_at is null),
           (select count(*) from postrider.worker w where w.consumer_id = c.id and w.alive_until > clock_timestamp()),
           behind.late_wanted + case when behind.seen = look.most
                                     then greatest(behind.wanted, (behind.wanted * (0.75 + 0.5 * (last.seq - behind.half[2])
                                                                                    / (behind.half[2] - behind.half[1])))::bigint)
                                     else behind.wanted end,
           behind.seen < look.most and behind.late_seen < 1001, behind.first_wanted,
           coalesce(own.leased, 0), coalesce(running.n, 0), waiting.n, coalesce(dead.n, 0),
           case when gone.seen = 10001
                then greatest(gone.wanted, (gone.wanted * (0.75 + 0.5 * (gone_to.seq - gone.half[2])
                                                           / (gone.half[2] - gone.half[1])))::bigint)
                else gone.wanted end,
           case when cur.xid is not null then jsonb_build_object('xid', cur.xid::text, 'seq', cur.seq, 'floor', cur.floor_at) end
    from postrider.consumer c
    -- Behind this (xid, seq) nothing has been handed out; before it, late committers may wait.
    left join lateral (
        select row(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider.position as at, l.floor_at - interval '1 hour' as floor_at,
               greatest(l.to_xid, pg_snapshot_xmax(l.done_snapshot)) as xid,
               case when l.to_xid >= pg_snapshot_xmax(l.done_snapshot) then l.to_seq else 0 end as seq,
               l.done_snapshot as done, l.open_snapshot as open
        from postrider.lease l where l.consumer_id = c.id order by l.id desc limit 1) cur on true
    left join lateral (
        select (p_since #>> array[c.id::text, 'xid'])::xid8 as xid, (p_since #>> array[c.id::text, 'seq'])::bigint as seq,
               (p_since #>> array[c.id::text, 'floor'])::timestamptz as floor_at) was on true
    cross join lateral (
        select case when exists (
            select from (select m.target, m.event_type from postrider.message m
                         where m.channel = c.channel and (m.xid, m.seq) > (cur.xid, cur.seq) and m.published_at >= cur.floor_at
                         order by m.xid, m.seq limit 1001) m
            where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type))
            then 1001 else 5001 end as most) look
    cross join lateral (
        select count(*) filter (where not s.late) as seen, count(*) filter (where s.wanted and not s.late) as wanted,
               count(*) filter (where s.late) as late_seen, count(*) filter (where s.wanted and s.late) as late_wanted,
               min(s.published_at) filter (where s.wanted) as first_wanted,
               percentile_disc('{0.25,0.75}'::float8[]) within group (order by s.seq) filter (where not s.late) as half
        from (select m.seq, m.published_at, m.late,
                     postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type) as wanted
              from ((select late.seq, late.published_at, late.target, late.event_type, true as late
                     from unnest(array(select pg_snapshot_xip(cur.done) union select pg_snapshot_xip(cur.open))) x(xid)
                     -- One by one, whatever the planner thinks: the log before the cursor is long.
                     cross join lateral (
                         select m.seq, m.published_at, m.target, m.event_type from postrider.message m
                         where m.channel = c.channel and m.xid = x.xid and m.published_at >= cur.floor_at
                           and (x.xid, m.seq) <= (cur.xid, cur.seq) and not postrider.covers(cur.at, x.xid, m.seq)
                         order by m.xid, m.seq limit 1001 offset 0) late
                     limit 1001)
                    union all
                    (select m.seq, m.published_at, m.target, m.event_type, false from postrider.message m
                     where m.channel = c.channel and (m.xid, m.seq) > (cur.xid, cur.seq) and m.published_at >= cur.floor_at
                     order by m.xid, m.seq limit look.most)) m) s) behind
    cross join lateral (
        select count(*) as seen,
               count(*) filter (
                   where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)) as wanted,
               percentile_disc('{0.25,0.75}'::float8[]) within group (order by m.seq) as half
        -- In pieces that are ranges of the index: of two comparisons of rows it would use only one.
        from (select m.seq, m.target, m.event_type from postrider.message m
              where was.xid < cur.xid and m.channel = c.channel and m.xid = was.xid and m.seq > was.seq
                and m.published_at >= was.floor_at
              union all
              select m.seq, m.target, m.event_type from postrider.message m
              where m.channel = c.channel and m.xid > was.xid and m.xid < cur.xid and m.published_at >= was.floor_at
              union all
              select m.seq, m.target, m.event_type from postrider.message m
              where was.xid <= cur.xid and m.channel = c.channel and m.xid = cur.xid and m.seq <= cur.seq
                and m.seq > case when was.xid = cur.xid then was.seq else 0 end and m.published_at >= was.floor_at
              limit 10001) m) gone
    cross join lateral (
        select max(m.seq) as seq
        from (select m.seq from postrider.message m
              where behind.seen = look.most and m.channel = c.channel and m.published_at >= cur.floor_at
              order by m.xid desc, m.seq desc limit 64) m) last
    cross join lateral (
        select max(m.seq) as seq
        from (select m.seq from postrider.message m
              where gone.seen = 10001 and m.channel = c.channel and (m.xid, m.seq) <= (cur.xid, cur.seq) and m.published_at >= was.floor_at
              order by m.xid desc, m.seq desc limit 64) m) gone_to
    left join lateral (
        select sum(cardinality(l.members))::bigint as leased from postrider.open_leases l
        where l.consumer_id = c.id) own on true
    cross join lateral (
        select count(*) as n from (select from postrider.delivery d where d.consumer_id = c.id and d.status = 'pending' limit 50001) d) waiting
    left join running on running.consumer_id = c.id
    left join dead on dead.consumer_id = c.id
    $$;
