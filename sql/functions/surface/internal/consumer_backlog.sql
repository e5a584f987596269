-- consumer_backlog(consumer, place, most, soon): the backlog of a consumer: the messages for it behind its cursor, without those that wait.
-- Returns: backlog, counted if the channel has at most p_most messages behind the cursor, for any consumer. Otherwise it is
--   estimated from the distance in the log and the share of the first p_most messages that are for the consumer, or of five times as many
--   if none of them is; exact: whether it was counted; since: when the first of them was published. After p_soon p_most is
--   30 at most: consumers of one role can have thousands of long patterns, and the figures are those of all roles.
-- Touches: message (read). The caller's settings pin the plans.
-- postrider: after covers, wants
create or replace function postrider.consumer_backlog(
    p_consumer postrider.consumer, p_place postrider.place, p_most int, p_soon timestamptz, out backlog bigint, out exact boolean, out since timestamptz
)
    language plpgsql stable
    as $$
declare
    c constant postrider.consumer := p_consumer;
    p constant postrider.place := p_place;
    v_most int;
    v_last bigint;  -- the newest number in the channel
    b record;
begin
    if clock_timestamp() > p_soon then
        p_most := least(p_most, 30);
    end if;
    v_most := case when exists (
        select from (select m.target, m.event_type, m.priority, m.available_at from postrider.message m
                     where m.channel = c.channel and (m.xid, m.seq) > (p.xid, p.seq) and m.published_at >= p.floor_at
                     order by m.xid, m.seq limit p_most + 1) m
        where m.priority = 0 and m.available_at is null
          and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type))
        then p_most + 1 else 5 * p_most + 1 end;
    select count(*) filter (where not s.late) as seen, count(*) filter (where s.wanted and not s.late) as wanted,
           count(*) filter (where s.late) as late_seen, count(*) filter (where s.wanted and s.late) as late_wanted,
           min(s.published_at) filter (where s.wanted) as first_wanted,
           percentile_disc('{0.25,0.75}'::float8[]) within group (order by s.seq) filter (where not s.late) as half
    into b
    from (select m.seq, m.published_at, m.late,
                 m.ready and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type) as wanted
          from ((select late.seq, late.published_at, late.target, late.event_type, late.ready, true as late
                 from unnest(array(select pg_snapshot_xip((p.at).done) union select pg_snapshot_xip((p.at).open))) x(xid)
                 -- One lookup per transaction, whatever the planner estimates: the log before the cursor is long.
                 cross join lateral (
                     select m.seq, m.published_at, m.target, m.event_type,
                            m.priority = 0 and m.available_at is null as ready from postrider.message m
                     where m.channel = c.channel and m.xid = x.xid and m.published_at >= p.floor_at
                       and (x.xid, m.seq) <= (p.xid, p.seq) and not postrider.covers(p.at, x.xid, m.seq)
                     order by m.xid, m.seq limit p_most + 1 offset 0) late
                 limit p_most + 1)
                union all
                (select m.seq, m.published_at, m.target, m.event_type, m.priority = 0 and m.available_at is null, false
                 from postrider.message m
                 where m.channel = c.channel and (m.xid, m.seq) > (p.xid, p.seq) and m.published_at >= p.floor_at
                 order by m.xid, m.seq limit v_most)) m) s;
    exact := b.seen < v_most and b.late_seen <= p_most;
    since := b.first_wanted;
    backlog := b.late_wanted + b.wanted;
    if b.seen = v_most then
        select max(m.seq) into v_last
        from (select m.seq from postrider.message m where m.channel = c.channel and m.published_at >= p.floor_at
              order by m.xid desc, m.seq desc limit 64) m;
        backlog := b.late_wanted + greatest(
            b.wanted, (b.wanted * (0.75 + 0.5 * (v_last - b.half[2]) / (b.half[2] - b.half[1])))::bigint);
    end if;
end
$$;
