-- release_failed(consumer_id, handler, until): the deliveries of a handler that postpone_failed() let wait until then are due at once, in the same
-- order, at most 10000 of them.
-- Touches: delivery (update); deliveries that another transaction has locked are left alone.
create or replace function postrider.release_failed(p_consumer_id int, p_handler text, p_until timestamptz) returns void
    language plpgsql volatile
    as $$
declare
    v_sooner constant interval := p_until + interval '1 second' - clock_timestamp();
begin
    update postrider.delivery
    set available_at = available_at - v_sooner
    where p_until > clock_timestamp() and id = any (array(
        select d.id from postrider.delivery d
        where d.consumer_id = p_consumer_id and d.handler = p_handler and d.status = 'pending' and d.failures > 0
          and d.available_at >= p_until and d.available_at < p_until + interval '1 second'
        order by d.priority desc, d.available_at, d.id
        limit 10000
        for no key update skip locked));
end
$$;
