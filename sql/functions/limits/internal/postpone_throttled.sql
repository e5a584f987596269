-- postpone_throttled(consumer_id, handlers, admitted, now): makes due deliveries of keys at their limit due again later, in the order of a claim, at
-- most 5000 of each handler: one every 12 ms, from the time on that admit_due() chooses, so that claims can pass over them as fast as they come
-- due. p_admitted are those that the caller hands out.
-- Touches: delivery; handler_limit, limit_bucket and the tables of limit_use() (read). The caller holds the claim lock.
-- postrider: after limit_use, limit_key, rate_room
create or replace function postrider.postpone_throttled(p_consumer_id int, p_handlers text[], p_admitted bigint[], p_now timestamptz) returns void
    language plpgsql volatile
    as $$
declare
    v_use postrider.limit_held[] := array(select u from postrider.limit_use(p_consumer_id) u);
begin
    with due as materialized (
        select d.id, x.key, l.per_key, l.key_starts, l.key_period, l.key_burst, row_number() over (order by d.priority desc, d.available_at, d.id) as n
        from postrider.handler_limit l
        cross join lateral (
            select o.id, o.priority, o.available_at, o.workspace_id, o.ordering_key, o.partition_key, o.source, o.event_type
            from postrider.delivery o
            where o.consumer_id = p_consumer_id and o.handler = l.handler and o.status = 'pending' and o.available_at <= p_now
            order by o.priority desc, o.available_at, o.id
            limit 5000
            for no key update skip locked) d
        cross join lateral (select postrider.limit_key(
            l.handler, l.key, d.workspace_id, d.ordering_key, d.partition_key, d.source, d.event_type) as key) x
        where l.consumer_id = p_consumer_id and l.handler = any (p_handlers) and l.key is not null and x.key <> l.handler || ' '
    ), full_key as materialized (
        select k.key, greatest(least(b.paid_at - (k.key_burst - 1) * k.key_period / k.key_starts - p_now, interval '10 seconds'),
                               interval '1 second') as wait
        from (select distinct u.key, u.per_key, u.key_starts, u.key_period, u.key_burst from due u) k
        left join postrider.limit_bucket b on b.consumer_id = p_consumer_id and b.key = k.key
        where least(k.per_key - (select coalesce(sum(h.messages), 0) from unnest(v_use) h where h.key = k.key)
                              - (select count(*) from due a where a.key = k.key and a.id = any (p_admitted)),
                    postrider.rate_room(k.key_starts, k.key_period, k.key_burst, b.paid_at, p_now)) <= 0
    )
    update postrider.delivery d
    set available_at = p_now + f.wait + u.n * interval '12 milliseconds'
    from due u join full_key f on f.key = u.key
    where d.id = u.id and not u.id = any (coalesce(p_admitted, '{}'));
end
$$;
