-- message_rows(filter, limit, after, reach): one page of the list of messages, newest first, with ids as text.
-- filter and limit are message_page()'s. after: the place of the last row of the previous page. reach: messages to scan.
-- Returns: the rows as JSON objects with their places; then, when the search reached its limit, a row without an object, with the
--   place to continue from and the time that it has reached.
-- Raises: PR001 for a bad filter or limit.
-- postrider: grant operator, viewer, agent
-- postrider: after message_page, message_reach, shown
create or replace function postrider.message_rows(
    p_filter jsonb default '{}', p_limit int default 50, p_after jsonb default null, p_reach int default null
) returns table (shown json, place json, searched_to text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_xid constant xid8 := p_after ->> 'xid';
    v_seq constant bigint := p_after ->> 'seq';
    v_count bigint;
begin
    return query
        select postrider.shown(row_to_json(m), true, '{xid}'), json_build_object('xid', m.xid::text, 'seq', m.seq::text), null::text
        from postrider.message_page(p_filter, p_limit, v_xid, v_seq, p_reach) m;
    get diagnostics v_count = row_count;
    if v_count < p_limit then
        return query
            select null::json, json_build_object('xid', r.xid::text, 'seq', r.seq::text), to_json(r.published_at) #>> '{}'
            from postrider.message_reach(p_filter, p_reach, v_xid, v_seq) r where r.xid is not null;
    end if;
end
$$;
