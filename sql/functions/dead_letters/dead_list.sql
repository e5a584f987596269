-- dead_list(filter, limit, dead_at, delivery, to_dead_at, to_delivery): dead_page() without payloads, headers and metadata, for agents.
-- Returns: at most p_limit rows of the view dead_letters, in which these three are null: a large payload is not read.
-- Raises: PR001 for a bad filter or limit.
-- postrider: grant operator, agent
-- postrider: after dead_query
create or replace function postrider.dead_list(
    p_filter jsonb default '{}', p_limit int default 50, p_dead_at timestamptz default null, p_delivery bigint default null,
    p_to_dead_at timestamptz default null, p_to_delivery bigint default null
) returns setof postrider.dead_letters
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query execute postrider.dead_query((
        select string_agg(case when a.attname in ('payload', 'headers', 'metadata') then 'null::jsonb' else format('l.%I', a.attname) end,
                          ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = 'postrider.dead_letters'::regclass and a.attnum > 0),
        p_filter, p_limit, p_dead_at, p_delivery, p_to_dead_at, p_to_delivery);
end
$$;
