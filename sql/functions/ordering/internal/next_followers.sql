-- next_followers(consumer_id, keys): starts the next message of each of these ordering keys, if the key is free: no message of it is
-- handed out, retried or, as a dead letter, holds the key. The next message is the one with the lowest number among the followers
-- and the deliveries that wait for the key. A message may be both after the consumer was moved back; then its delivery is started.
-- Called in the transaction that ends a message, by a caller that holds the consumer's claim lock.
-- Returns: how many can start. Touches: follower, delivery; lease, consumer (read); rings.
-- postrider: after free_keys, has_heads, ring
create or replace function postrider.next_followers(p_consumer_id int, p_keys text[]) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    v_free text[];
    v_ready int;
    v_due int;
    v_rows tid[];
    v_channel text := (select co.channel from postrider.consumer co where co.id = p_consumer_id and co.ordered);
begin
    if v_channel is null then
        return 0;
    end if;
    v_free := postrider.free_keys(p_consumer_id, p_keys);
    if not postrider.has_heads(p_consumer_id) then
        select count(*), array_agg(n.ctid) filter (where not n.ready) into v_ready, v_rows
        from unnest(v_free) as k(key)
        cross join lateral (
            select f.ctid, f.ready from postrider.follower f
            where f.consumer_id = p_consumer_id and f.key = k.key
            order by f.seq limit 1) n;
        update postrider.follower f set ready = true where f.ctid = any (v_rows);
        perform postrider.ring(v_channel) where v_ready > 0;
        return v_ready;
    end if;
    -- `heads is not null` besides `not heads`: without it the planner does not use the index of ordering keys and reads all pending
    -- deliveries.
    with next as materialized (
        select k.key, d.seq as delivery, f.seq as follower
        from unnest(v_free) as k(key)
        left join lateral (
            select d.seq from postrider.delivery d
            where d.consumer_id = p_consumer_id and d.ordering_key = k.key and d.heads is not null and not d.heads and d.status <> 'delivered'
              and d.deleted_at is null and d.status = 'pending'
            order by d.seq limit 1) d on true
        left join lateral (
            select f.seq from postrider.follower f
            where f.consumer_id = p_consumer_id and f.key = k.key
            order by f.seq limit 1) f on true
    ), due as (
        update postrider.delivery d set heads = true, available_at = clock_timestamp()
        from next n
        where n.delivery <= coalesce(n.follower, n.delivery)
          and d.consumer_id = p_consumer_id and d.ordering_key = n.key and d.seq = n.delivery and d.heads is not null and not d.heads
          and d.status <> 'delivered' and d.deleted_at is null and d.status = 'pending'
        returning 1
    ), ready as (
        -- If a delivery goes first, the follower is no longer ready: otherwise workers would try to claim it again
        -- and again.
        update postrider.follower f set ready = n.follower < coalesce(n.delivery, n.follower + 1)
        from next n
        where f.consumer_id = p_consumer_id and f.key = n.key and f.seq = n.follower
          and (f.ready or n.follower < coalesce(n.delivery, n.follower + 1))
        returning f.ready
    )
    select (select count(*) from ready r where r.ready), (select count(*) from due) into v_ready, v_due;
    if v_ready + v_due > 0 then
        perform postrider.ring(v_channel);
    end if;
    return v_ready + v_due;
end
$$;
