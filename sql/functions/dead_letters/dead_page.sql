-- dead_page(filter, limit, dead_at, delivery, to_dead_at, to_delivery): one page of dead letters, the newest first.
-- filter is dead_where()'s. The next page is the one behind the dead_at and delivery_id of the last row of this one.
-- to_dead_at and to_delivery: the place to stop at, from dead_reach().
-- Planned for its filter: a page of a consumer, a handler, a fingerprint or a workspace is read from an index, whatever
-- the number of other dead letters.
-- Returns: at most p_limit rows of the view dead_letters.
-- Raises: PR001 for a bad filter or limit.
-- postrider: grant operator
-- postrider: after dead_query
create or replace function postrider.dead_page(
    p_filter jsonb default '{}', p_limit int default 50, p_dead_at timestamptz default null, p_delivery bigint default null,
    p_to_dead_at timestamptz default null, p_to_delivery bigint default null
) returns setof postrider.dead_letters
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query execute postrider.dead_query('l.*', p_filter, p_limit, p_dead_at, p_delivery, p_to_dead_at, p_to_delivery);
end
$$;
