-- succeeded_since(consumer_id, handlers, since, until): the handlers of which a first attempt has succeeded since an instant of their own.
-- Nothing is written when a batch of first attempts succeeds. So this function searches the newest 10000 leases of the log that were settled since,
-- the newest first, with lease_successes(). It begins no other lease after p_until, because callers have locked circuits: it reads 200,000 to 500,000
-- messages a second.
-- Returns: the names of these handlers.
-- Touches: lease, message, handler, delivery (read).
-- postrider: after lease_has_type, lease_successes
create or replace function postrider.succeeded_since(p_consumer_id int, p_handlers text[], p_since timestamptz[], p_until timestamptz)
    returns text[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_found text[] := '{}';
    v_sought text[];
    v_channel constant text := (select c.channel from postrider.consumer c where c.id = p_consumer_id);
    v_types text[];
    v_prefixes text[];
    l postrider.lease;
begin
    select array_agg(t), coalesce(array_agg(left(t, -1)) filter (where right(t, 1) = '*'), '{}') into v_types, v_prefixes
    from postrider.handler h cross join unnest(h.event_types) t
    where h.consumer_id = p_consumer_id and h.name = any (p_handlers);
    for l in
        select n.* from (
            select e.* from postrider.lease e where e.consumer_id = p_consumer_id
            order by e.consumer_id desc, e.id desc limit 10000) n
        where n.worker_id is not null and n.reaped_at is null and n.finished_at >= (select min(s) from unnest(p_since) s)
    loop
        exit when v_found @> p_handlers or clock_timestamp() > p_until;
        continue when not postrider.lease_has_type(l, v_channel, v_types, v_prefixes);
        v_sought := array(select s.handler from unnest(p_handlers, p_since) as s(handler, since)
                          where s.since <= l.finished_at and s.handler <> all (v_found));
        v_found := v_found || postrider.lease_successes(l, v_sought);
    end loop;
    return v_found;
end
$$;
