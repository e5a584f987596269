-- consumer_passed(consumer, from, to): how many messages for a consumer its cursor passed between two places, counted up to 10000 and
-- from there estimated like consumer_backlog()'s. 0 when the earlier place is not known.
-- Touches: message (read). The caller's settings pin the plans.
-- postrider: after wants
create or replace function postrider.consumer_passed(
    p_consumer postrider.consumer, p_from postrider.place, p_to postrider.place, out passed bigint
)
    language plpgsql stable
    as $$
declare
    c constant postrider.consumer := p_consumer;
    a constant postrider.place := p_from;
    z constant postrider.place := p_to;
    v_last bigint;
    b record;
begin
    -- Split into ranges of the index: of two row comparisons the index scan would use only one.
    select count(*) as seen,
           count(*) filter (
               where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)) as wanted,
           percentile_disc('{0.25,0.75}'::float8[]) within group (order by m.seq) as half
    into b
    from (select m.seq, m.target, m.event_type from postrider.message m
          where a.xid < z.xid and m.channel = c.channel and m.xid = a.xid and m.seq > a.seq and m.published_at >= a.floor_at
          union all
          select m.seq, m.target, m.event_type from postrider.message m
          where m.channel = c.channel and m.xid > a.xid and m.xid < z.xid and m.published_at >= a.floor_at
          union all
          select m.seq, m.target, m.event_type from postrider.message m
          where a.xid <= z.xid and m.channel = c.channel and m.xid = z.xid and m.seq <= z.seq
            and m.seq > case when a.xid = z.xid then a.seq else 0 end and m.published_at >= a.floor_at
          limit 10001) m;
    passed := b.wanted;
    if b.seen = 10001 then
        select max(m.seq) into v_last
        from (select m.seq from postrider.message m
              where m.channel = c.channel and (m.xid, m.seq) <= (z.xid, z.seq) and m.published_at >= a.floor_at
              order by m.xid desc, m.seq desc limit 64) m;
        passed := greatest(b.wanted, (b.wanted * (0.75 + 0.5 * (v_last - b.half[2]) / (b.half[2] - b.half[1])))::bigint);
    end if;
end
$$;
