-- admit_due(consumer_id, deliveries, now): which of these due deliveries, whose rows the caller has locked, the limits per key allow to start. Their
-- starts are counted. The others are due again a second later, or when the rate of their key allows it, at most ten seconds later, so that the
-- deliveries behind them can start. No attempt is spent.
-- Returns: the deliveries that can be handed out, in their order; null: none.
-- Touches: delivery, limit_bucket; the tables of limit_use() (read). The caller holds the claim lock.
-- postrider: after limit_use, limit_key, rate_room, spend_starts
create or replace function postrider.admit_due(p_consumer_id int, p_deliveries bigint[], p_now timestamptz) returns bigint[]
    language plpgsql volatile
    as $$
declare
    v_use postrider.limit_held[] := array(select u from postrider.limit_use(p_consumer_id) u);
    v_ids bigint[];
    v_late bigint[];
    v_again timestamptz[];
    v_handlers text[];
    v_keys text[];
begin
    select array_agg(r.id order by r.n) filter (where r.starts),
           array_agg(r.id) filter (where not r.starts), array_agg(r.again) filter (where not r.starts),
           array_agg(r.handler order by r.n) filter (where r.starts and r.handler is not null),
           array_agg(r.key order by r.n) filter (where r.starts and r.handler is not null)
    into v_ids, v_late, v_again, v_handlers, v_keys
    from (
        select k.id, k.n, k.handler, k.key,
               p_now + greatest(least(coalesce(k.paid_at - (k.key_burst - 1) * k.key_period / k.key_starts - p_now, k.key_period / k.key_starts, '0'),
                                      interval '10 seconds'),
                                interval '1 second') as again,
               k.key = k.handler || ' ' is not false
               or row_number() over (partition by k.key order by k.n) <= coalesce(least(
                   k.per_key - (select coalesce(sum(u.messages), 0) from unnest(v_use) u where u.key = k.key),
                   postrider.rate_room(k.key_starts, k.key_period, k.key_burst, k.paid_at, p_now)), 1000000) as starts
        from (select p.id, p.n, l.handler, l.per_key, l.key_starts, l.key_period, l.key_burst, x.key,
                     (select b.paid_at from postrider.limit_bucket b where b.consumer_id = p_consumer_id and b.key = x.key) as paid_at
              from unnest(p_deliveries) with ordinality as p(id, n)
              join postrider.delivery d on d.id = p.id
              left join postrider.handler_limit l on l.consumer_id = d.consumer_id and l.handler = d.handler
              cross join lateral (select postrider.limit_key(
                  l.handler, l.key, d.workspace_id, d.ordering_key, d.partition_key, d.source, d.event_type) as key) x) k) r;
    update postrider.delivery d set available_at = n.again from unnest(v_late, v_again) as n(id, again) where d.id = n.id;
    perform postrider.spend_starts(p_consumer_id, l, array(select k.key from unnest(v_handlers, v_keys) as k(handler, key)
                                                           where k.handler = l.handler), p_now)
    from postrider.handler_limit l
    where l.consumer_id = p_consumer_id and l.handler = any (v_handlers) and num_nonnulls(l.starts, l.key_starts) > 0;
    return v_ids;
end
$$;
