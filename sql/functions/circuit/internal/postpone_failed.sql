-- postpone_failed(consumer_id, handler, until): the deliveries of a handler that have failed wait until then, at most 2000 of them, so that
-- first attempts run before them.
-- Touches: delivery (update); deliveries that another transaction has locked are left alone.
create or replace function postrider.postpone_failed(p_consumer_id int, p_handler text, p_until timestamptz) returns void
    language plpgsql volatile
    as $$
begin
    update postrider.delivery
    set available_at = p_until
    where id = any (array(
        select d.id from postrider.delivery d
        where d.consumer_id = p_consumer_id and d.handler = p_handler and d.status = 'pending' and d.available_at < p_until and d.failures > 0
        limit 2000
        for no key update skip locked));
end
$$;
