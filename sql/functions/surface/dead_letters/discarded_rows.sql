-- discarded_rows(filter, limit, after, error_length, ids_as_text): one page of the list of discarded dead letters, the one that died
-- last first. filter, limit, after and ids_as_text are dead_rows()'s; an error_length of 0 also leaves out the reason.
-- Returns: the rows as JSON objects with their places.
-- Raises: PR001 for a bad filter or limit.
-- postrider: grant operator
-- postrider: after discarded_page, shown, error_excerpt
create or replace function postrider.discarded_rows(
    p_filter jsonb default '{}', p_limit int default 50, p_after jsonb default null, p_error_length int default null,
    p_ids_as_text boolean default false
) returns table (shown json, place json)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query
        select postrider.shown(
                   row_to_json(v), p_ids_as_text, case p_error_length when 0 then '{last_error,deleted_reason}'::text[] else '{}' end),
               json_build_object('dead_at', v.dead_at::text, 'delivery_id', v.delivery_id::text)
        from (select d.delivery_id, d.id, d.consumer, d.channel, d.handler, d.event_type, d.source, d.workspace_id, d.generation,
                     d.dead_at, d.attempts, d.cycle, d.error_class, d.fingerprint,
                     postrider.error_excerpt(d.last_error, p_error_length) as last_error,
                     d.deleted_at, d.deleted_reason, d.successor
              from postrider.discarded_page(
                  p_filter, p_limit, (p_after ->> 'dead_at')::timestamptz, (p_after ->> 'delivery_id')::bigint) d) v
        order by v.dead_at desc, v.delivery_id;
end
$$;
