-- dead_rows(filter, limit, after, reach, error_length, ids_as_text): one page of the list of dead letters, newest first.
-- filter and limit are dead_page()'s. after: the place of the last row of the previous page. reach: dead_reach()'s, null means no
-- limit. error_length: characters of the error text to show; 0 leaves it out, null shows all of it. ids_as_text is shown()'s.
-- Returns: the rows as JSON objects with their places; then, when the search reached its limit, a row without an object, with the
--   place to continue from and the time that it has reached.
-- Raises: PR001 for a bad filter or limit.
-- postrider: grant operator, agent
-- postrider: after dead_list, dead_reach, shown, error_excerpt
create or replace function postrider.dead_rows(
    p_filter jsonb default '{}', p_limit int default 50, p_after jsonb default null, p_reach int default null,
    p_error_length int default null, p_ids_as_text boolean default false
) returns table (shown json, place json, searched_to text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_dead_at constant timestamptz := p_after ->> 'dead_at';
    v_delivery constant bigint := p_after ->> 'delivery_id';
    v_to record;
    v_count bigint;
begin
    select r.dead_at, r.delivery_id into v_to from postrider.dead_reach(p_filter, p_reach, v_dead_at, v_delivery) r;
    return query
        select postrider.shown(row_to_json(v), p_ids_as_text, case p_error_length when 0 then '{last_error}'::text[] else '{}' end),
               json_build_object('dead_at', v.dead_at::text, 'delivery_id', v.delivery_id::text), null::text
        from (select d.delivery_id, d.id, d.consumer, d.channel, d.handler, d.event_type, d.source, d.workspace_id, d.generation,
                     d.dead_at, d.attempts, d.cycle, d.error_class, d.fingerprint,
                     postrider.error_excerpt(d.last_error, p_error_length) as last_error,
                     d.first_failed_at, d.published_at, d.replay_id
              from postrider.dead_list(p_filter, p_limit, v_dead_at, v_delivery, v_to.dead_at, v_to.delivery_id) d) v
        order by v.dead_at desc, v.delivery_id;
    get diagnostics v_count = row_count;
    if v_count < p_limit and v_to.dead_at is not null then
        return query select null::json, json_build_object('dead_at', v_to.dead_at::text, 'delivery_id', v_to.delivery_id::text),
                            to_json(v_to.dead_at) #>> '{}';
    end if;
end
$$;
