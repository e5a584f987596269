-- delivery_rows(status, consumer, handler, workspace, limit, after, errors): one page of the list of deliveries that have a status, with
-- ids as text. '' means any consumer or handler, null any workspace. after: the place of the last row of the previous page.
-- errors: with the error texts.
-- Returns: the rows of delivery_page() as JSON objects with their places; where that has a row without a delivery, no object.
-- Raises: PR001 for a bad status or limit.
-- postrider: grant operator
-- postrider: after delivery_page, shown
create or replace function postrider.delivery_rows(
    p_status text, p_consumer text, p_handler text, p_workspace uuid default null, p_limit int default 50, p_after jsonb default null,
    p_errors boolean default false
) returns table (shown json, place json)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return query
        select case when d.delivery_id is not null then postrider.shown(
                   row_to_json(d), true, case when p_errors then '{number,place}'::text[] else '{number,place,last_error}' end) end,
               d.place::json
        from postrider.delivery_page(
            p_status, nullif(p_consumer, ''), nullif(p_handler, ''), p_workspace, p_limit, p_after) d
        order by d.number;
end
$$;
