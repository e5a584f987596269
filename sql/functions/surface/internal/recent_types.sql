-- recent_types(reach): the types and targets of the newest p_reach messages of each channel with a consumer; with more than 30 channels of fewer
-- messages of each, 300000 in all, but at least 100.
-- Touches: message, consumer (read).
create or replace function postrider.recent_types(p_reach int) returns table (
    channel text, event_type text, target text, messages bigint, last_published_at timestamptz)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
#variable_conflict use_column
begin
    return query
    select c.channel::text, m.event_type::text, m.target::text, count(*), max(m.published_at)
    from (select o.channel, least(p_reach, greatest(100, 300000 / count(*) over ())) as reach
          from (select distinct n.channel from postrider.consumer n) o) c
    cross join lateral (
        select l.event_type, l.target, l.published_at from postrider.message l
        where l.channel = c.channel
        order by l.xid desc, l.seq desc
        limit c.reach) m
    group by 1, 2, 3;
end
$$;
