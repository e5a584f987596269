-- free_keys(consumer_id, keys): those of these ordering keys that are free: no message of them is handed out, retried or, as a dead letter,
-- holds the key. Deliveries that wait for the key do not count.
-- Touches: lease, delivery, consumer (read). The caller's settings pin the plans.
-- postrider: after busy_keys, has_heads
create or replace function postrider.free_keys(p_consumer_id int, p_keys text[]) returns text[]
    language plpgsql stable
    as $$
begin
    if not postrider.has_heads(p_consumer_id) then
        return array(select distinct k.key collate "C" from unnest(p_keys) as k(key)
                     where k.key is not null and k.key collate "C" not in (select b from postrider.busy_keys(p_consumer_id) as b));
    end if;
    return array(
        select distinct k.key collate "C" from unnest(p_keys) as k(key)
        where k.key is not null and k.key collate "C" not in (select b from postrider.busy_keys(p_consumer_id) as b)
          and not exists (select from postrider.delivery d
                          where d.consumer_id = p_consumer_id and d.ordering_key = k.key and d.heads and d.status <> 'delivered'
                            and d.deleted_at is null
                            and (d.status <> 'failed'
                                 or (select c.hold_for is distinct from interval '0' from postrider.consumer c where c.id = p_consumer_id))
                          offset 0));
end
$$;
