-- waiting_keys(consumer_id, keys): which of these ordering keys have followers, or a delivery that holds them or waits for them.
-- Touches: follower, delivery, consumer (read). The caller's settings pin the plans.
-- postrider: after has_heads, may_have_followers
create or replace function postrider.waiting_keys(p_consumer_id int, p_keys text[]) returns text[]
    language plpgsql stable
    as $$
declare
    v_heads boolean := postrider.has_heads(p_consumer_id);
    v_holds boolean;
begin
    if not v_heads and not postrider.may_have_followers(p_consumer_id) then
        return '{}';
    end if;
    v_holds := (select o.hold_for is distinct from interval '0' from postrider.consumer o where o.id = p_consumer_id);
    return array(
        select k from (select distinct p from unnest(p_keys) p where p is not null) as d(k)
        where exists (select from postrider.follower f where f.consumer_id = p_consumer_id and f.key = k offset 0)
           or v_heads and exists (
               select from postrider.delivery d
               where d.consumer_id = p_consumer_id and d.ordering_key = k and d.heads is not null
                 and d.status <> 'delivered' and d.deleted_at is null and (d.status <> 'failed' or d.heads and v_holds)
               offset 0));
end
$$;
