-- retention_handled(limit, dry_run): removes entries of the inbox that are old enough, never one whose delivery still
-- exists: a replay would repeat its effect. An index on the age would slow down every insertion, so a call reads a
-- slice of the table's pages instead, from where the last call stopped.
-- Returns: how many entries it removed, or would; at most p_limit. Touches: event_handled; delivery (read).
-- postrider: after retention_of, retention_note
create or replace function postrider.retention_handled(p_limit int, p_dry_run boolean) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_sort = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_custom_plan
    as $$
declare
    p postrider.retention_policy := postrider.retention_of('event_handled', '*');
    v_before timestamptz := clock_timestamp() - p.active_ttl - p.grace;
    v_place bigint := (select place from postrider.retention_progress where step = 'handled');
    v_pages bigint := pg_relation_size('postrider.event_handled') / current_setting('block_size')::int;
    v_to bigint := v_place + greatest(p_limit / 4, 16);
    v_due tid[];
begin
    if p.disposal = 'keep' then
        return 0;
    end if;
    -- Deliveries of any age are looked up in two indexes: a delivery may be made long after the effect, by a redelivery or by
    -- a second message with the key. The handler '' stands for a delivery without a handler yet. A consumer of the same name
    -- on any channel counts: a replay may have moved the delivery there.
    select array_agg(h.ctid) into v_due
    from (select h.ctid from postrider.event_handled h
          where h.ctid >= format('(%s,0)', v_place)::tid and h.ctid < format('(%s,0)', v_to)::tid
            and h.handled_at < v_before
            and not exists (
                select from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id
                where d.idempotency_key = h.idempotency_key and d.idempotency_key <> d.message_id::text
                  and d.source = h.source and d.handler in (h.handler_name, '') and c.name = h.consumer_name)
            and not exists (
                select from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id
                where d.message_id = case when h.idempotency_key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                                          then h.idempotency_key::uuid end
                  and d.idempotency_key = h.idempotency_key
                  and d.source = h.source and d.handler in (h.handler_name, '') and c.name = h.consumer_name)
          limit p_limit
          for update of h skip locked) h;
    if not p_dry_run then
        delete from postrider.event_handled where ctid = any (v_due);
        perform postrider.retention_note('handled',
            case when cardinality(v_due) = p_limit then v_place when v_to >= v_pages then 0 else v_to end,
            coalesce(cardinality(v_due), 0));
    end if;
    return coalesce(cardinality(v_due), 0);
end
$$;
