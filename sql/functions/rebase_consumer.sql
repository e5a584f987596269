-- rebase_consumer(consumer_id, first_seq): turns everything a consumer is owed into deliveries.
-- Messages before first_seq are judged by the old cluster's cursor and leases; later ones are all owed.
-- Returns: how many deliveries were made. Touches: delivery, lease, message and handler (read).
-- postrider: after cursor_of, covers, route, handlers_for, park, conclude
create or replace function postrider.rebase_consumer(p_consumer_id int, p_first_seq bigint) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_at postrider.position := postrider.cursor_of(p_consumer_id);
    v_count bigint := 0;
    v_items jsonb;
    v_after bigint := -1;
    v_now timestamptz := clock_timestamp();
begin
    -- In pieces, so that a large backlog never stands in memory as one document.
    loop
        with owed as (
            select m.*, c.name as consumer
            from postrider.consumer c
            join postrider.message m on m.channel = c.channel
            where c.id = p_consumer_id and m.seq > v_after
              and (m.target is null or m.target = c.name)
              and (m.seq >= p_first_seq
                   or not postrider.covers(v_at, m.xid, m.seq)
                   or exists (select from postrider.lease l
                              where l.consumer_id = c.id and l.finished_at is null and m.seq = any (l.members)))
            order by m.seq
            limit 10000
        )
        select max(o.seq), jsonb_agg(jsonb_build_object('message', to_jsonb(o), 'handler', h.handler))
                           filter (where h.handler is not null)
        into v_after, v_items
        from owed o
        left join lateral (
            select case when o.seq >= p_first_seq then postrider.route(p_consumer_id, o.event_type)
                        else postrider.handlers_for(p_consumer_id, o.event_type, o.xid, o.seq) end as names offset 0
        ) r on true
        left join lateral unnest(
            case when o.target is not null and r.names = '{}' then array[''] else r.names end) as h(handler) on true;
        exit when v_after is null;
        v_count := v_count + postrider.park(p_consumer_id, coalesce(v_items, '[]'));
    end loop;
    update postrider.lease set members = '{}', finished_at = v_now, reaped_at = v_now
    where consumer_id = p_consumer_id and finished_at is null;
    select jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'interrupted'))
    into v_items
    from postrider.delivery d where d.consumer_id = p_consumer_id and d.status = 'in_flight';
    if v_items is not null then
        perform postrider.conclude(v_items);
    end if;
    return v_count;
end
$$;
