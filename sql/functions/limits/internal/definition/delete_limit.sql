-- delete_limit(consumer_id, handler): removes the limit of a handler, and the starts that its rate counted.
-- Returns: the limit; null fields when there was none. The caller holds the claim lock and calls refresh_limits().
-- Touches: handler_limit, limit_bucket.
create or replace function postrider.delete_limit(p_consumer_id int, p_handler text) returns postrider.handler_limit
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    b postrider.handler_limit;
begin
    delete from postrider.handler_limit l where l.consumer_id = p_consumer_id and l.handler = p_handler returning * into b;
    delete from postrider.limit_bucket k
    where k.consumer_id = p_consumer_id and (k.key = p_handler or k.key >= p_handler || ' ' and k.key < p_handler || '!');
    return b;
end
$$;
