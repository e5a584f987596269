-- mark_held(consumer_id, handler, held): whether first attempts of a handler are handed out.
-- Computed from the row itself, so it needs only the row's lock and never overwrites a change by refresh_consumer().
-- Touches: consumer (update).
create or replace function postrider.mark_held(p_consumer_id int, p_handler text, p_held boolean) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    update postrider.consumer
    set held_handlers = case when p_held then array_remove(coalesce(held_handlers, '{""}'), p_handler) || p_handler
                             else nullif(array_remove(held_handlers, p_handler), '{""}') end,
        handlers = case when p_held or array_remove(held_handlers, p_handler) <> '{""}' or cancelled is not null or ordered
                             or limited_handlers is not null
                        then array_remove(handlers, '') || ''::text else array_remove(handlers, '') end
    where id = p_consumer_id
      and p_held is distinct from coalesce(p_handler = any (held_handlers), false)
    $$;
