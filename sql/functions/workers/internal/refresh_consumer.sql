-- refresh_consumer(consumer_id): writes the handlers and event types that claims need into the consumer's row.
-- Touches: consumer (update), handler (read).
create or replace function postrider.refresh_consumer(p_consumer_id int) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    with active as (
        select h.name, t.pattern
        from postrider.handler h cross join lateral unnest(h.event_types) as t(pattern)
        where h.consumer_id = p_consumer_id and h.retired_at is null
    )
    update postrider.consumer
    set handlers = array(select distinct name from active order by name)
                   || case when held_handlers is not null or cancelled is not null or ordered or limited_handlers is not null then '{""}'::text[] else '{}' end,
        all_types = exists (select from active where pattern = '*'),
        exact_types = array(select distinct pattern from active
                            where pattern <> '*' and right(pattern, 2) <> '.*' order by pattern),
        type_prefixes = array(
            select distinct replace(replace(replace(left(pattern, -1), E'\\', E'\\\\'), '%', E'\\%'), '_', E'\\_') || '%'
            from active where pattern <> '*' and right(pattern, 2) = '.*' order by 1)
    where id = p_consumer_id
    $$;
