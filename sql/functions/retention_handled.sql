-- retention_handled(limit, dry_run): removes entries of the inbox that are old enough, never one whose delivery still
-- exists: a replay would have its effect again. The table has no index on its age, which every effect would pay for;
-- a slice of its pages is read per call instead, from where the last call stopped.
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
    set plan_cache_mode = force_custom_plan
    as $$
declare
    p postrider.retention_policy := postrider.retention_of('event_handled', '*');
    v_before timestamptz := clock_timestamp() - p.active_ttl - p.grace;
    v_place bigint := (select place from postrider.retention_progress where step = 'handled');
    v_pages bigint := pg_relation_size('postrider.event_handled') / current_setting('block_size')::int;
    v_to bigint := v_place + greatest(p_limit / 4, 16);
    v_held text[] := '{}';
    v_due tid[];
    d record;
begin
    if p.disposal = 'keep' then
        return 0;
    end if;
    -- What was delivered, or died, is removed long before; so these are few.
    for d in select handler, idempotency_key, created_at from postrider.delivery order by id loop
        exit when d.created_at > v_before + interval '1 hour';
        v_held := v_held || (d.handler || e'\n' || d.idempotency_key);
    end loop;
    select array_agg(h.ctid) into v_due
    from (select ctid from postrider.event_handled
          where ctid >= format('(%s,0)', v_place)::tid and ctid < format('(%s,0)', v_to)::tid
            and handled_at < v_before
            and (handler_name || e'\n' || idempotency_key) <> all (v_held)
          limit p_limit
          for update skip locked) h;
    if not p_dry_run then
        delete from postrider.event_handled where ctid = any (v_due);
        perform postrider.retention_note('handled',
            case when cardinality(v_due) = p_limit then v_place when v_to >= v_pages then 0 else v_to end,
            coalesce(cardinality(v_due), 0));
    end if;
    return coalesce(cardinality(v_due), 0);
end
$$;
