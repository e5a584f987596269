-- cancellable(filter, limit, begun): jobs that wait or run and that a filter of cancel() describes, at most the limit: those that run or have a
-- delivery, which are the oldest, and then the others as they are found in the log, which is not sorted for that.
-- p_begun: true, only those that run or have a delivery; false, only the others.
-- Touches: outbox, consumer, unique_job, message (read).
-- postrider: after outbox
create or replace function postrider.cancellable(p_filter jsonb, p_limit int, p_begun boolean default null) returns setof postrider.cancel_job
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan
    set jit = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    v_ids uuid[] := case when p_filter ? 'ids'
                         then array(select i::uuid from jsonb_array_elements_text(p_filter -> 'ids') i) end;
    v_count int;
begin
    if p_begun is null then
        return query select * from postrider.cancellable(p_filter, p_limit, true);
        get diagnostics v_count = row_count;
        return query select * from postrider.cancellable(p_filter, p_limit - v_count, false);
        return;
    end if;
    -- With thousands of ids and many waiting messages, a nested loop over all pairs would be too slow.
    perform set_config('enable_hashjoin', 'on', true) where v_ids is not null;
    if p_filter ? 'unique_key' then
        v_ids := array(
            select u.message_id from postrider.unique_job u
            where u.key = p_filter ->> 'unique_key' and (v_ids is null or u.message_id = any (v_ids)));
    end if;
    return query
    -- The limit is applied first: a consumer may have millions of jobs.
    with found as materialized (
        select o.id, o.seq, o.xid, o.published_at, o.consumer, o.channel, o.handler, o.status, o.delivery_id, o.worker_id
        from postrider.outbox o
        where o.status in ('pending', 'in_flight')
          and (o.status = 'in_flight' or o.delivery_id is not null) = p_begun
          and (v_ids is null or o.id = any (v_ids))
          and (not p_filter ? 'consumer' or o.consumer = p_filter ->> 'consumer')
          and (not p_filter ? 'channel' or o.channel = p_filter ->> 'channel')
          and (not p_filter ? 'handler' or o.handler = p_filter ->> 'handler')
          and (not p_filter ? 'event_type' or o.event_type = p_filter ->> 'event_type')
          and (not p_filter ? 'workspace_id' or o.workspace_id = (p_filter ->> 'workspace_id')::uuid)
        limit p_limit
    )
    select o.id, o.seq, m.xid, o.published_at, coalesce(m.priority <> 0 or m.available_at is not null, false), c.id, c.name, c.channel,
           coalesce(o.handler, ''), o.status, o.delivery_id, o.worker_id
    from found o
    join postrider.consumer c on c.name = o.consumer and c.channel = o.channel
    left join lateral (
        select m.xid, m.priority, m.available_at from postrider.message m
        where m.channel = o.channel and m.xid = o.xid and m.seq = o.seq and m.published_at = o.published_at) m on true
    order by o.seq, o.handler;
end
$$;
