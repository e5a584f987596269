-- delivery_page(status, consumer, handler, workspace, limit, after, reach): one page of deliveries with a status: pending ones
-- by priority and due time, all others the newest first. null: any consumer, handler, workspace. There is no index of ended
-- deliveries, so at most the p_reach newest deliveries after p_after are scanned.
-- after: the place of the last row of the previous page.
-- Returns: at most p_limit deliveries as the outbox shows them, with their places, in the order of number; then, if the search
--   stopped early with fewer rows, a row without a delivery, with the place to continue from.
-- Raises: PR001 for a bad status or limit.
-- postrider: grant operator
create or replace function postrider.delivery_page(
    p_status text, p_consumer text default null, p_handler text default null, p_workspace uuid default null,
    p_limit int default 50, p_after jsonb default null, p_reach int default 20000
) returns table (
    number bigint, place jsonb, delivery_id bigint, id uuid, consumer text, channel text, handler text, event_type text, source text,
    workspace_id uuid, generation bigint, status text, attempts int, attempts_total int, failures int, crashes int,
    interruptions int, cycle int, max_attempts int, available_at timestamptz, claimed_at timestamptz, worker_id uuid,
    deadline timestamptz, first_failed_at timestamptz, error_class text, fingerprint text, dead_at timestamptz,
    delivered_at timestamptz, deleted_at timestamptz, published_at timestamptz, last_error text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set plan_cache_mode = force_custom_plan
    as $$
#variable_conflict use_column
declare
    v_consumers int[] := case when p_consumer is not null
        then array(select c.id from postrider.consumer c where c.name = p_consumer) end;
    v_from bigint := coalesce((case when p_status <> 'pending' then p_after ->> 0 end)::bigint, 9223372036854775807);
    v_to bigint;
    v_ids bigint[];
begin
    if p_status is null or p_status not in ('pending', 'in_flight', 'delivered', 'failed') then
        raise exception using errcode = 'PR001', message = 'delivery_page: the status must be pending, in_flight, delivered or failed';
    elsif p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'delivery_page: the limit must be between 1 and 10000';
    end if;
    if p_status = 'pending' then
        select array_agg(p.id order by p.n) into v_ids
        from (
            with handler as (
                select distinct h.consumer_id, h.name from postrider.handler h
                union
                select c.id, '' from postrider.consumer c  -- deliveries without a handler
            )
            select d.id, row_number() over (order by d.priority desc, d.available_at, d.id) as n
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
            order by 2 limit p_limit) p;
    elsif p_status = 'in_flight' then
        -- They have an index and are few.
        select array_agg(p.id order by p.id desc) into v_ids
        from (select d.id from postrider.delivery d
              where d.status = 'in_flight' and d.id < v_from and (v_consumers is null or d.consumer_id = any (v_consumers))
                and (p_handler is null or d.handler = p_handler) and (p_workspace is null or d.workspace_id = p_workspace)
              order by d.id desc limit p_limit) p;
    else
        v_to := (select max(d.id) - p_reach from postrider.delivery d where d.id < v_from);
        select array_agg(p.id order by p.id desc) into v_ids
        from (select d.id from postrider.delivery d
              where d.id < v_from and d.id > v_to and d.status = p_status and (v_consumers is null or d.consumer_id = any (v_consumers))
                and (p_handler is null or d.handler = p_handler) and (p_workspace is null or d.workspace_id = p_workspace)
              order by d.id desc limit p_limit) p;
    end if;
    return query
        select p.n, case p_status when 'pending' then jsonb_build_array(d.priority, d.available_at, d.id) else jsonb_build_array(d.id) end,
               d.id, d.message_id, c.name, d.channel, nullif(d.handler, ''), d.event_type, d.source, d.workspace_id, d.generation,
               d.status, d.attempts, d.attempts_total, d.failures, d.crashes, d.interruptions, d.cycle, d.max_attempts,
               d.available_at, d.claimed_at, d.worker_id, d.deadline, d.first_failed_at, d.error_class, d.fingerprint,
               d.dead_at, d.delivered_at, d.deleted_at, d.published_at, d.last_error
        from unnest(v_ids) with ordinality p(id, n)
        join postrider.delivery d on d.id = p.id
        join postrider.consumer c on c.id = d.consumer_id
        order by p.n;
    if coalesce(cardinality(v_ids), 0) < p_limit and exists (select from postrider.delivery d where d.id <= v_to) then
        number := p_limit + 1;
        place := jsonb_build_array(v_to + 1);
        return next;
    end if;
end
$$;
