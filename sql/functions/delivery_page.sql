-- delivery_page(status, consumer, handler, workspace, limit, after, reach): one page of deliveries that have a status: what is
-- pending by when it is due within its priority, everything else the newest first. null: any consumer, handler, workspace.
-- What ended has no index of its own: p_reach of the newest deliveries behind p_after are looked at, and no more.
-- after: the place of the last row of the page before.
-- Returns: at most p_limit deliveries with their places; then, when the search stopped before the end with less, a row
--   without one, with the place to go on from.
-- Raises: PR001 for a bad status or limit.
create or replace function postrider.delivery_page(
    p_status text, p_consumer text default null, p_handler text default null, p_workspace uuid default null,
    p_limit int default 50, p_after jsonb default null, p_reach int default 20000
) returns table (delivery_id bigint, place jsonb)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    as $$
#variable_conflict use_column
declare
    v_consumers int[] := case when p_consumer is not null
        then array(select c.id from postrider.consumer c where c.name = p_consumer) end;
    v_from bigint;
    v_to bigint;
    v_count int;
begin
    if p_status is null or p_status not in ('pending', 'in_flight', 'delivered', 'failed') then
        raise exception using errcode = 'PR001', message = 'delivery_page: the status must be pending, in_flight, delivered or failed';
    elsif p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'delivery_page: the limit must be between 1 and 10000';
    end if;
    if p_status = 'pending' then
        return query
            with handler as (
                select distinct h.consumer_id, h.name from postrider.handler h
                union
                select c.id, '' from postrider.consumer c  -- nobody handles it yet
            )
            select d.id, jsonb_build_array(d.priority, d.available_at, d.id)
            from handler h
            cross join lateral (
                -- Two ranges of the index.
                (select d.id, d.priority, d.available_at from postrider.delivery d
                 where d.consumer_id = h.consumer_id and d.handler = h.name and d.status = 'pending'
                   and d.priority = (p_after ->> 0)::smallint
                   and (d.available_at, d.id) > ((p_after ->> 1)::timestamptz, (p_after ->> 2)::bigint)
                   and (p_workspace is null or d.workspace_id = p_workspace)
                 order by d.priority desc, d.available_at, d.id limit p_limit)
                union all
                (select d.id, d.priority, d.available_at from postrider.delivery d
                 where d.consumer_id = h.consumer_id and d.handler = h.name and d.status = 'pending'
                   and d.priority < coalesce((p_after ->> 0)::int, 32768)
                   and (p_workspace is null or d.workspace_id = p_workspace)
                 order by d.priority desc, d.available_at, d.id limit p_limit)) d
            where (v_consumers is null or h.consumer_id = any (v_consumers)) and (p_handler is null or h.name = p_handler)
            order by d.priority desc, d.available_at, d.id
            limit p_limit;
        return;
    end if;
    v_from := coalesce((p_after ->> 0)::bigint, 9223372036854775807);
    if p_status = 'in_flight' then
        return query
            select d.id, jsonb_build_array(d.id) from postrider.delivery d
            where d.status = 'in_flight' and d.id < v_from and (v_consumers is null or d.consumer_id = any (v_consumers))
              and (p_handler is null or d.handler = p_handler) and (p_workspace is null or d.workspace_id = p_workspace)
            order by d.id desc limit p_limit;
        return;
    end if;
    v_to := (select max(d.id) - p_reach from postrider.delivery d where d.id < v_from);
    return query
        select d.id, jsonb_build_array(d.id) from postrider.delivery d
        where d.id < v_from and d.id > v_to and d.status = p_status and (v_consumers is null or d.consumer_id = any (v_consumers))
          and (p_handler is null or d.handler = p_handler) and (p_workspace is null or d.workspace_id = p_workspace)
        order by d.id desc limit p_limit;
    get diagnostics v_count = row_count;
    if v_count < p_limit and exists (select from postrider.delivery d where d.id <= v_to) then
        return query select null::bigint, jsonb_build_array(v_to + 1);
    end if;
end
$$;
