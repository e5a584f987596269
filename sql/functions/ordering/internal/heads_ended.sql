-- heads_ended(deliveries): next_followers() for deliveries that ended or were discarded. The caller holds the claim locks of their consumers.
-- Touches: the tables that next_followers() touches.
-- postrider: after next_followers
create or replace function postrider.heads_ended(p_deliveries bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.next_followers(e.consumer_id, e.keys)
    from (select d.consumer_id, array_agg(distinct d.ordering_key::text) as keys from postrider.delivery d
          where d.id = any (p_deliveries) and d.heads is not null
          group by 1 order by 1) e;
end
$$;
