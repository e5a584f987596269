-- view_page(view, filter, limit, after, hidden, viewer, ids_as_text): one page of a view, with the rights of the caller. The command
-- line, the HTTP API and the MCP server show its rows.
-- filter: a JSON object of columns and the values they must have; '' means any. "active" of replays: those that have not ended;
-- "workspace" of replays: those whose filter names this workspace.
-- limit: null means all. after: the place of the last row of the previous page. hidden and viewer are visible_columns()'s,
-- ids_as_text is shown()'s.
-- Returns: the rows as JSON objects with their places, in the order of the view's list.
-- Raises: PR001 for a view without a list.
-- postrider: grant operator, viewer, agent
-- postrider: after blocked_page, shown, visible_columns
create or replace function postrider.view_page(
    p_view text, p_filter jsonb default '{}', p_limit int default null, p_after jsonb default null, p_hidden text[] default '{}',
    p_viewer boolean default false, p_ids_as_text boolean default false
) returns table (shown json, place json)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_order constant text := '{
        "alerts": "alert_id desc", "attempts": "delivery_id, at", "audits": "audit desc", "blocked_keys": "consumer, channel, key", "brokers": "consumer, channel, handler", "consumers": "consumer, channel",
        "dead_letter_groups": "count desc, last_seen desc, handler, fingerprint", "handlers": "consumer, channel, handler",
        "job_sets": "set_id desc", "limits": "consumer, channel, handler", "leases": "deadline, kind, id", "outbox": "consumer, handler", "progress": "consumer, channel, handler", "replay_items": "number", "replays": "replay desc",
        "schedules": "schedule", "setting": "name", "tokens": "in_use desc, name, created_at", "unique_keys": "seq desc", "unsent_alerts": "alert_id desc",
        "workers": "consumer, channel, started_at, worker"}'::jsonb ->> p_view;
    v_keys constant text[] := string_to_array(replace(v_order, ' desc', ''), ', ');
    v_where text;
    v_from text := format('postrider.%I', p_view);
begin
    if v_order is null then
        raise exception using errcode = 'PR001', message = format('view_page: there is no list of %s', coalesce(p_view, '(null)'));
    end if;
    select coalesce(string_agg(case f.key
               when 'active' then 't.ended_at is null'
               when 'workspace' then format('t.filter ->> ''workspace_id'' = %L', f.value)
               else format('t.%I = %L', f.key, f.value) end, ' and '), 'true')
    into v_where
    from jsonb_each_text(p_filter) f where f.value <> '';
    if p_after is not null then
        v_where := v_where || (
            select format(' and (%s) %s (%s)', string_agg(format('t.%I', k.name), ', ' order by k.n),
                          case when v_order like '% desc' then '<' else '>' end,
                          string_agg(quote_nullable(p_after ->> k.name), ', ' order by k.n))
            from unnest(v_keys) with ordinality k(name, n));
    end if;
    if p_view = 'blocked_keys' and p_limit is not null and p_filter - 'consumer' = '{}' then
        v_from := format('postrider.blocked_page(%L, %L, %L)', p_filter ->> 'consumer', p_limit, p_after);
    end if;
    return query execute format(
        'select postrider.shown(row_to_json(v), %L), json_build_object(%s)
         from %s t cross join lateral (select %s) v
         where %s order by t.%s limit %s',
        p_ids_as_text, (select string_agg(format('%L, t.%1$I::text', k.name), ', ') from unnest(v_keys) k(name)), v_from,
        postrider.visible_columns(p_view, p_hidden, p_viewer), v_where, replace(v_order, ', ', ', t.'),
        coalesce(p_limit::text, 'all'));
end
$$;
