-- queue_heads(consumer_id): puts the deliveries of an ordered consumer that wait, and were made in no particular order, into the order of their
-- keys: of each key the first one is due, the others wait for it.
-- Touches: delivery, follower; consumer (read).
-- postrider: after next_followers
create or replace function postrider.queue_heads(p_consumer_id int) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_keys text[];
begin
    with queued as (
        update postrider.delivery d set heads = false, available_at = 'infinity'
        where d.consumer_id = p_consumer_id and d.heads and d.status <> 'delivered' and d.deleted_at is null and d.status = 'pending'
        returning d.ordering_key
    )
    select array_agg(distinct q.ordering_key::text) into v_keys from queued q;
    perform postrider.next_followers(p_consumer_id, v_keys) where v_keys is not null;
end
$$;
