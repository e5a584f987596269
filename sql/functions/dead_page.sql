-- dead_page(filter, limit, dead_at, delivery): one page of dead letters, the newest first.
-- filter is dead_where()'s. The next page is the one behind the dead_at and delivery_id of the last row of this one.
-- Planned for its filter, so that a page of one handler, or of one group of dead_letter_groups (fingerprint, consumer,
-- channel and handler), is read from an index however many others there are.
-- Returns: at most p_limit rows of the view dead_letters.
-- Raises: PR001 for a bad filter or limit.
-- postrider: after dead_where, dead_letters
create or replace function postrider.dead_page(
    p_filter jsonb default '{}', p_limit int default 50, p_dead_at timestamptz default null, p_delivery bigint default null
) returns setof postrider.dead_letters
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'dead_page: the limit must be between 1 and 10000';
    end if;
    -- Newer ones come first, and of those that died at one instant the one with the lower id.
    return query execute format(
        'select l.* from (
             select d.id from postrider.delivery d
             where %s and %s
             order by d.dead_at desc, d.id limit %s) p
         cross join lateral (select * from postrider.dead_letters l where l.delivery_id = p.id) l
         order by l.dead_at desc, l.delivery_id',
        postrider.dead_where(p_filter),
        case when p_dead_at is null then 'true'
             else format('d.dead_at <= %L and (d.dead_at < %1$L or d.id > %L)', p_dead_at, coalesce(p_delivery, 0)) end,
        p_limit);
end
$$;
