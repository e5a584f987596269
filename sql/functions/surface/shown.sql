-- shown(row, ids_as_text, hidden, only): a row as JSON, as a client shows it.
-- p_ids_as_text: numbers that identify something become strings, because JavaScript cannot hold 64 bits. p_hidden: members to
-- leave out. p_only: the members to keep; null means all.
-- Returns: the object in the format of row_to_json(), members in the order of the row.
-- postrider: grant operator, viewer, agent
create or replace function postrider.shown(
    p_row json, p_ids_as_text boolean, p_hidden text[] default '{}', p_only text[] default null
) returns json
    language plpgsql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_ids constant text[] := '{id,delivery_id,sample_delivery_id,generation,seq,alert_id,audit,replay,replay_id,set_id}';
begin
    if not p_ids_as_text and p_hidden = '{}' and p_only is null then
        return p_row;
    end if;
    return (
        select '{' || coalesce(string_agg(
                   to_json(m.key)::text || ':' || case when p_ids_as_text and m.key = any (v_ids)
                       then coalesce(to_json(m.value #>> '{}')::text, 'null') else m.value::text end,
                   ',' order by m.n), '') || '}'
        from json_each(p_row) with ordinality m(key, value, n)
        where m.key <> all (p_hidden) and (p_only is null or m.key = any (p_only)));
end
$$;
