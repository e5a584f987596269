-- postpone_throttled(consumer_id, handlers, admitted, now): makes due deliveries of keys at their limit due again later, of the next 5000 in the order
-- of a claim, so that claims can pass over them as fast as they come due: the first of each key when admit_due() would, and the others
-- one every 12 ms in turns of the keys, or as fast as the rate of their key. p_admitted are those that the caller hands out.
-- Touches: delivery; handler_limit, limit_bucket and the tables of limit_use() (read). The caller holds the claim lock.
-- postrider: after due_shares, limit_use, limit_key, rate_room
create or replace function postrider.postpone_throttled(p_consumer_id int, p_handlers text[], p_admitted bigint[], p_now timestamptz) returns void
    language plpgsql volatile
    as $$
declare
    v_use postrider.limit_held[] := array(select u from postrider.limit_use(p_consumer_id) u);
begin
    with due as materialized (
        select d.id, x.key, l.per_key, l.key_starts, l.key_period, l.key_burst,
               row_number() over (partition by x.key order by s.priority desc, d.available_at, d.id) as n
        from postrider.due_shares(p_consumer_id, p_handlers, row(2500, 2500, null, null, true)::postrider.due_want, p_now) s
        join postrider.handler_limit l on l.consumer_id = p_consumer_id and l.handler = s.handler and l.key is not null
        cross join lateral (
            select o.id, o.available_at, o.workspace_id, o.ordering_key, o.partition_key, o.source, o.event_type
            from postrider.delivery o
            where o.consumer_id = p_consumer_id and o.handler = s.handler and o.status = 'pending' and o.priority = s.priority
              and o.available_at <= p_now and o.id <> all (coalesce(p_admitted, '{}'))
            order by o.available_at, o.id
            limit s.share
            for no key update skip locked) d
        cross join lateral (select postrider.limit_key(
            l.handler, l.key, d.workspace_id, d.ordering_key, d.partition_key, d.source, d.event_type) as key) x
        where x.key <> l.handler || ' '
    ), admitted as (
        select postrider.limit_key(l.handler, l.key, d.workspace_id, d.ordering_key, d.partition_key, d.source, d.event_type) as key, count(*) as n
        from postrider.delivery d
        join postrider.handler_limit l on l.consumer_id = d.consumer_id and l.handler = d.handler
        where d.id = any (p_admitted)
        group by 1
    ), full_key as materialized (
        select k.key, greatest(least(coalesce(b.paid_at - (k.key_burst - 1) * k.key_period / k.key_starts - p_now, k.key_period / k.key_starts, '0'),
                                      interval '10 seconds'),
                               interval '1 second') as wait,
               least(count(*) over () * interval '12 milliseconds', k.key_period / k.key_starts) as each
        from (select distinct u.key, u.per_key, u.key_starts, u.key_period, u.key_burst from due u) k
        left join admitted a on a.key = k.key
        left join postrider.limit_bucket b on b.consumer_id = p_consumer_id and b.key = k.key
        where least(k.per_key - (select coalesce(sum(h.messages), 0) from unnest(v_use) h where h.key = k.key) - coalesce(a.n, 0),
                    postrider.rate_room(k.key_starts, k.key_period, k.key_burst, b.paid_at, p_now)) <= 0
    )
    update postrider.delivery d
    set available_at = p_now + f.wait + (u.n - 1) * f.each
    from due u join full_key f on f.key = u.key
    where d.id = u.id;
end
$$;
