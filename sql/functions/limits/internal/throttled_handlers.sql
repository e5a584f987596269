-- throttled_handlers(consumer_id): the handlers that have throttled messages, however many each has.
-- Touches: waiting (read).
create or replace function postrider.throttled_handlers(p_consumer_id int) returns setof text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
begin
    return query
    -- Loose index scan: '!' is behind the blank between a handler and its key.
    with recursive present (name) as (
        select split_part((select w.limit_key from postrider.waiting w
                           where w.consumer_id = -p_consumer_id and w.limit_key >= '' order by w.limit_key limit 1), ' ', 1)
        union all
        select split_part((select w.limit_key from postrider.waiting w
                           where w.consumer_id = -p_consumer_id and w.limit_key >= p.name || '!' order by w.limit_key limit 1), ' ', 1)
        from present p where p.name is not null
    )
    select p.name from present p where p.name is not null;
end
$$;
