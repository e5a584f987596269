-- dead_reach(filter, reach, dead_at, delivery, counting): the place at which a search stops that scans p_reach dead letters, the
-- newest first, from the given place. For filters without an index: the time of a search is bounded, and its caller can continue
-- from that place. p_counting: the search reads all matches, and not only the first page.
-- Returns: the place of the last dead letter to scan; null when the search needs no bound.
-- Raises: PR001 for a bad filter.
-- postrider: grant operator, agent
-- postrider: after dead_where
create or replace function postrider.dead_reach(
    p_filter jsonb, p_reach int, p_dead_at timestamptz default null, p_delivery bigint default null,
    p_counting boolean default false, out dead_at timestamptz, out delivery_id bigint
)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set datestyle = 'ISO'
    set jit = off
    set enable_bitmapscan = off
    set enable_seqscan = off
    set enable_sort = off
    as $$
#variable_conflict use_column
declare
    v_rest jsonb := p_filter - '{dead_after,dead_before}'::text[];
    v_part jsonb := p_filter;  -- the keys of the filter that an index supports in this order
begin
    if p_filter ?| '{ids,deliveries}' or p_reach is null or not p_counting
       and (v_rest - 'workspace_id' = '{}' or v_rest - '{consumer,channel,handler,fingerprint}'::text[] = '{}') then
        return;
    end if;
    v_part := v_part - '{event_type,source,error_class,error,published_after,published_before}'::text[];
    if p_filter ? 'workspace_id' or not p_filter ?& '{consumer,channel,handler}' then
        v_part := v_part - '{consumer,channel,handler,fingerprint}'::text[];
    end if;
    execute format(
        'select d.dead_at, d.id from postrider.delivery d where %s and %s order by d.dead_at desc, d.id offset %s limit 1',
        postrider.dead_where(v_part),
        case when p_dead_at is null then 'true'
             else format('d.dead_at <= %L and (d.dead_at < %1$L or d.id > %L)', p_dead_at, coalesce(p_delivery, 0)) end,
        greatest(p_reach, 1) - 1)
    into dead_at, delivery_id;
end
$$;
