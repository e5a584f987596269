-- dead_letter_shown(id, workspace, hidden, viewer, ids_as_text, cycles, similar): the dead letters of a message (a UUID), or of one
-- delivery (a number), with the rights of the caller.
-- workspace: null means any. hidden and viewer are visible_columns()'s, ids_as_text is shown()'s. cycles: with the earlier cycles, and
-- with their error texts unless viewer. similar: how many others with the same fingerprint are counted at most; null means all.
-- Returns: the columns of the view dead_letters as a JSON object, with "similar"; payload, headers and metadata once more, indented,
--   unless the payload is hidden.
-- postrider: grant operator, viewer, agent
-- postrider: after cycles, indented, shown, visible_columns, dead_letters
create or replace function postrider.dead_letter_shown(
    p_id text, p_workspace uuid default null, p_hidden text[] default '{}', p_viewer boolean default false,
    p_ids_as_text boolean default false, p_cycles boolean default false, p_similar int default null
) returns table (shown json, payload_lines text, header_lines text, metadata_lines text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query execute format(
        'select postrider.shown(row_to_json(v), %L), %s
         from postrider.dead_letters t
         cross join lateral (
             select %s%s,
                    (select count(*) - 1 from (
                         select from postrider.dead_letters s
                         where s.fingerprint = t.fingerprint and s.consumer = t.consumer and s.channel = t.channel
                           and s.handler = t.handler and ($1 is null or s.workspace_id = $1) limit %s) s) as similar) v
         where t.%s = %L and ($1 is null or t.workspace_id = $1)
         order by t.handler, t.delivery_id',
        p_ids_as_text,
        case when 'payload' = any (p_hidden) then 'null::text, null::text, null::text'
             else 'postrider.indented(t.payload), postrider.indented(nullif(t.headers, ''{}'')), postrider.indented(nullif(t.metadata, ''{}''))' end,
        postrider.visible_columns('dead_letters', p_hidden, p_viewer),
        case when p_cycles then format(
            ', (select coalesce(json_agg(postrider.shown(row_to_json(h), %L, %L) order by h.cycle), ''[]'')
                from postrider.cycles(t.failure_history) h) as cycles',
            p_ids_as_text, case when p_viewer then '{last_error}'::text[] else '{}' end) end,
        coalesce(p_similar::text, 'all'), case when p_id ~ '^[0-9]{1,18}$' then 'delivery_id' else 'id' end, p_id)
    using p_workspace;
end
$$;
