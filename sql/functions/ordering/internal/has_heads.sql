-- has_heads(consumer_id): whether the consumer has deliveries that an ordering key waits for, or that wait for their key. Without one, the
-- next message of a key is always a follower.
-- Touches: delivery (read). The caller's settings pin the plan.
create or replace function postrider.has_heads(p_consumer_id int) returns boolean
    language plpgsql stable
    as $$
begin
    return exists (select from postrider.delivery d
                   where d.consumer_id = p_consumer_id and d.heads is not null and d.status <> 'delivered' and d.deleted_at is null);
end
$$;
