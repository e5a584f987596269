-- unmatched_names(reach): the rows of unmatched(), with the names on the other side. Types and patterns are matched by joins, not pair by pair:
-- with 10000 types of messages and 25000 of handlers there are 250 million pairs.
-- It looks for handlers of the types with the most messages of each channel, as many as a second or two suffice for.
-- Returns: at most 1000 rows, for which channels take turns. others: the names that may be meant, null if there are more than 100.
-- Touches: message, consumer, handler (read).
-- postrider: after patterns_of, recent_types
create or replace function postrider.unmatched_names(p_reach int) returns table (
    kind text, channel text, name text, consumer text, handler text, messages bigint, last_published_at timestamptz, others text[])
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_nestloop = off
    set enable_sort = off
    as $$
#variable_conflict use_column
begin
    return query
    with published as materialized (
        -- reader: the consumer that the messages are for, '' means every one of the channel.
        select row_number() over () as n, r.*, coalesce(r.target, '') as reader, r.target is not null and c.id is null as astray
        from postrider.recent_types(p_reach) r left join postrider.consumer c on c.channel = r.channel and c.name = r.target
    ), accepted as materialized (
        select c.channel, c.name as consumer, h.name as handler, t as pattern, t !~ '[*]$' as exact
        from postrider.handler h
        join postrider.consumer c on c.id = h.consumer_id
        cross join lateral unnest(h.event_types) t
        where h.retired_at is null
    ), read as materialized (
        select a.channel, a.consumer as reader, a.pattern, a.exact from accepted a
        union all
        select a.channel, '', a.pattern, a.exact from accepted a
    ), examined as materialized (
        -- A type of 255 bytes can have 128 patterns of that length. The channels whose types have few letters come first.
        select s.n, s.channel, s.reader, s.event_type
        from (select t.*, sum(t.letters) over (order by t.letters_of_channel, t.n rows unbounded preceding) as letters_of_all
              from (select p.*, l.letters, sum(l.letters) over (partition by p.channel order by p.messages desc, p.n rows unbounded preceding)
                                as letters_of_channel
                    from published p
                    cross join lateral (select octet_length(p.event_type) * (2 + octet_length(p.event_type) / 2) as letters) l) t) s
        where s.letters_of_all <= 50000000
    ), taken as materialized (
        select distinct p.n
        from (select e.n, e.channel, e.reader, unnest(postrider.patterns_of(e.event_type)) as pattern from examined e) p
        join read r on r.channel = p.channel and r.reader = p.reader and r.pattern = p.pattern
    ), found as (
        select 'target_without_consumer' as kind, p.channel, p.target as name, null::text as consumer, null::text as handler,
               sum(p.messages)::bigint as messages, max(p.last_published_at) as last_published_at
        from published p where p.astray group by p.channel, p.target
        union all
        select 'type_without_handler', p.channel, p.event_type, p.target, null, p.messages, p.last_published_at
        from published p join examined e on e.n = p.n
        where not p.astray and not exists (select from taken t where t.n = p.n)
        union all
        select 'type_without_message', a.channel, a.pattern, a.consumer, a.handler, 0, null
        from accepted a
        where a.exact and exists (select from published p where p.channel = a.channel)
          and not exists (select from published p where p.channel = a.channel and p.event_type = a.pattern and p.reader = '')
          and not exists (select from published p where p.channel = a.channel and p.event_type = a.pattern and p.reader = a.consumer)
    ), shown as materialized (
        select f.kind, f.channel, f.name, f.consumer, f.handler, f.messages, f.last_published_at
        from (select o.*, row_number() over (partition by o.channel order by o.messages desc, o.kind, o.name, o.consumer, o.handler) as turn from found o) f
        order by f.turn, 1, 2, 3, 4, 5 limit 1000
    ), side as materialized (
        select 'target_without_consumer' as kind, c.channel, '' as reader, array_agg(c.name) as names from postrider.consumer c group by c.channel
        union all
        select 'type_without_handler', r.channel, r.reader, array_agg(r.pattern) from read r where r.exact group by r.channel, r.reader
        union all
        select 'type_without_message', p.channel, p.reader, array_agg(distinct p.event_type) from published p group by p.channel, p.reader
    ), few as materialized (
        select s.kind, s.channel, s.reader, case when cardinality(s.names) <= 100 then s.names end as names from side s
    )
    select f.kind, f.channel, f.name, f.consumer, f.handler, f.messages, f.last_published_at,
           case when f.kind <> 'type_without_message' then own.names
                when own.reader is null then every.names when every.reader is null then own.names
                when own.names is not null and every.names is not null then array(select unnest(own.names) union select unnest(every.names) order by 1) end
    from shown f
    left join few own on own.kind = f.kind and own.channel = f.channel
                     and own.reader = case when f.kind = 'target_without_consumer' then '' else coalesce(f.consumer, '') end
    left join few every on every.kind = f.kind and every.channel = f.channel and every.reader = '' and f.kind = 'type_without_message';
end
$$;
