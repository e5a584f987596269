-- dead_query(columns, filter, limit, dead_at, delivery, to_dead_at, to_delivery): the query of dead_page() with this select list, of the
-- alias l of the view dead_letters. A large column that is not in the list is not read. The other arguments are dead_page()'s.
-- Raises: PR001 for a bad filter or limit.
-- postrider: after dead_where, dead_letters, dead_letter_counts
create or replace function postrider.dead_query(
    p_columns text, p_filter jsonb, p_limit int, p_dead_at timestamptz, p_delivery bigint, p_to_dead_at timestamptz, p_to_delivery bigint
) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set datestyle = 'ISO'
    as $$
declare
    v_of constant text[] := '{consumer,channel,handler,fingerprint}';
    v_where text := postrider.dead_where(p_filter);
    -- Ordered by dead_at, the newest first, then by id in ascending order.
    v_between text := case when p_dead_at is null then 'true'
            else format('d.dead_at <= %L and (d.dead_at < %1$L or d.id > %L)', p_dead_at, coalesce(p_delivery, 0)) end
        || case when p_to_dead_at is null then ''
            else format(' and d.dead_at >= %L and (d.dead_at > %1$L or d.id <= %L)', p_to_dead_at, coalesce(p_to_delivery, 0)) end;
    v_page text := 'select d.id, d.dead_at from postrider.delivery d where %s and %s order by d.dead_at desc, d.id limit %s';
begin
    if p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'dead_page: the limit must be between 1 and 10000';
    end if;
    if p_filter ?| v_of and not p_filter ?& '{consumer,channel,handler}' and not p_filter ?| '{workspace_id,ids,deliveries}' then
        -- No single range of an index has these rows: reads the first page of each handler that has any, and merges
        -- them.
        v_page := format(
            'select l.id, l.dead_at
             from (select distinct d.consumer_id, d.handler%s
                   from (select c.*, ''failed'' as status, null::timestamptz as deleted_at from postrider.dead_letter_counts c) d
                   where %s) g
             cross join lateral (%s) l
             order by l.dead_at desc, l.id limit %s',
            case when p_filter ? 'fingerprint' then ', d.fingerprint' end,
            postrider.dead_where((select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_filter) where key = any (v_of))),
            format(v_page, 'd.consumer_id = g.consumer_id and d.handler = g.handler'
                       || case when p_filter ? 'fingerprint' then ' and d.fingerprint = g.fingerprint' else '' end
                       || ' and ' || postrider.dead_where(p_filter - v_of), v_between, p_limit),
            p_limit);
    else
        v_page := format(v_page, v_where, v_between, p_limit);
    end if;
    -- One lookup per row: right after many deaths the statistics are stale, and the planner would join all dead
    -- letters.
    return format(
        'select %s from (%s) p
         cross join lateral (select * from postrider.dead_letters l where l.delivery_id = p.id offset 0) l
         order by l.dead_at desc, l.delivery_id', p_columns, v_page);
end
$$;
