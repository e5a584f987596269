-- ready_keys(consumer_id, limit): the free keys among those of ready followers, the oldest first. A key may be in it twice.
-- Touches: follower, lease, delivery, consumer (read). The caller's settings pin the plans.
-- postrider: after busy_keys, has_heads, noted_before
create or replace function postrider.ready_keys(p_consumer_id int, p_limit int) returns text[]
    language plpgsql stable
    as $$
declare
    v_before record := postrider.noted_before(p_consumer_id);
    v_heads boolean := postrider.has_heads(p_consumer_id);
    v_holds boolean := (select c.hold_for is distinct from interval '0' from postrider.consumer c where c.id = p_consumer_id);
begin
    return array(
        select f.key from postrider.follower f
        where f.consumer_id = p_consumer_id and f.ready and (f.segment, f.seq) < (v_before.segment, v_before.seq)
          and f.key not in (select b from postrider.busy_keys(p_consumer_id) as b)
          -- As free_keys(), without a call for each.
          and not (v_heads and exists (
              select from postrider.delivery d
              where d.consumer_id = p_consumer_id and d.ordering_key = f.key and d.heads and d.status <> 'delivered' and d.deleted_at is null
                and (d.status <> 'failed' or v_holds)
              offset 0))
        order by f.segment, f.seq limit p_limit);
end
$$;
