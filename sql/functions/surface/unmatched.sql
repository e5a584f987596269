-- unmatched(reach): names that do not match, often because one side is misspelt. For every channel with a consumer it scans the
-- newest p_reach messages, by the index, and the active handlers. Its cost does not grow with the log.
--   kind                     name            meaning
--   target_without_consumer  the target      messages are for a consumer that the channel does not have: nothing receives them
--   type_without_handler     the event type  no handler of the consumers they are for takes messages of this type
--   type_without_message     the event type  a handler takes exactly this type, and no message for its consumer has it
-- The last is left out for channels without messages. messages and last_published_at are of the scanned messages.
-- Returns: at most 1000 rows. closest: the most similar name on the other side, null when none is similar or there are more than 100.
-- Raises: PR001 for a reach outside 1 to 100000.
-- Touches: message, consumer, handler (read).
-- postrider: grant operator, viewer
-- postrider: after matches, closest
create or replace function postrider.unmatched(p_reach int default 10000) returns table (
    kind text, channel text, name text, consumer text, handler text, messages bigint, last_published_at timestamptz, closest text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_sort = off
    as $$
#variable_conflict use_column
begin
    if p_reach is null or p_reach not between 1 and 100000 then
        raise exception using errcode = 'PR001', message = format('unmatched: the reach must be between 1 and 100000, got %s', p_reach);
    end if;
    return query
    with recent as materialized (
        select c.channel, m.event_type::text as event_type, m.target::text as target, count(*) as messages,
               max(m.published_at) as last_published_at
        from (select distinct c.channel from postrider.consumer c) c
        cross join lateral (
            select m.event_type, m.target, m.published_at from postrider.message m
            where m.channel = c.channel
            order by m.xid desc, m.seq desc
            limit p_reach) m
        group by 1, 2, 3
    ), active as materialized (
        select c.channel, c.name as consumer, h.name as handler, h.event_types
        from postrider.handler h join postrider.consumer c on c.id = h.consumer_id
        where h.retired_at is null
    ), found as (
        select 'target_without_consumer' as kind, r.channel, r.target as name, null::text as consumer, null::text as handler,
               sum(r.messages)::bigint as messages, max(r.last_published_at) as last_published_at,
               (select array_agg(c.name) from postrider.consumer c where c.channel = r.channel) as others
        from recent r
        where r.target is not null
          and not exists (select from postrider.consumer c where c.channel = r.channel and c.name = r.target)
        group by r.channel, r.target
        union all
        select 'type_without_handler', r.channel, r.event_type, r.target, null, r.messages, r.last_published_at,
               (select array_agg(t) from active a, unnest(a.event_types) t
                where a.channel = r.channel and a.consumer = coalesce(r.target, a.consumer) and t !~ '[*]$')
        from recent r
        where (r.target is null
               or exists (select from postrider.consumer c where c.channel = r.channel and c.name = r.target))
          and not exists (select from active a
                          where a.channel = r.channel and a.consumer = coalesce(r.target, a.consumer)
                            and postrider.matches(r.event_type, a.event_types))
        union all
        select 'type_without_message', a.channel, t, a.consumer, a.handler, 0, null,
               (select array_agg(distinct r.event_type) from recent r
                where r.channel = a.channel and coalesce(r.target, a.consumer) = a.consumer)
        from active a, unnest(a.event_types) t
        where t !~ '[*]$'
          and exists (select from recent r where r.channel = a.channel)
          and not exists (select from recent r
                          where r.channel = a.channel and r.event_type = t and coalesce(r.target, a.consumer) = a.consumer)
    )
    select f.kind, f.channel, f.name, f.consumer, f.handler, f.messages, f.last_published_at,
           case when cardinality(f.others) <= 100 then postrider.closest(f.name, f.others) end
    from (select * from found f order by 1, 2, 3, 4, 5 limit 1000) f
    order by 1, 2, 3, 4, 5;
end
$$;
