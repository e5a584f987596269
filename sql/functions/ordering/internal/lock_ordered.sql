-- lock_ordered(deliveries, wait): takes the claim locks of the ordered consumers of these deliveries. Every function
-- that ends a message or starts it again calls this before it locks a row, so that no concurrent claim notes a
-- follower.
-- Raises: 55P03 as take_claim_locks().
-- Touches: consumer, delivery (read).
-- postrider: after take_claim_locks
create or replace function postrider.lock_ordered(p_deliveries bigint[], p_wait interval default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.take_claim_locks(array(
        select co.id from postrider.consumer co
        where co.ordered and exists (select from postrider.delivery d where d.id = any (p_deliveries) and d.consumer_id = co.id)), p_wait);
end
$$;
