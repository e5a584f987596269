-- settle_whole(worker, consumer_id, lease, token, delivered, failures): settle() for a claim. The usual report, that all messages were
-- delivered, is one update of a lease that the worker holds; all other reports go to settle().
-- Returns: the result of settle(); null without a lease.
-- Touches: lease, and the tables that settle() touches.
-- postrider: after settle
create or replace function postrider.settle_whole(
    p_worker uuid, p_consumer_id int, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb
) returns text
    language plpgsql volatile
    as $$
begin
    update postrider.lease o
    set members = '{}', finished_at = pg_catalog.clock_timestamp()
    where o.consumer_id = p_consumer_id and o.id = p_lease and o.token = p_token
      and o.worker_id = p_worker and o.finished_at is null
      and p_delivered is null and p_failures is null;
    return case when found then 'settled' else postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures) end;
end
$$;
