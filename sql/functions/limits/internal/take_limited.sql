-- take_limited(cursor, worker, limit): takes throttled messages that can start now, for the worker's handlers that are not held, at most p_limit.
-- The order of the handlers is random. Handlers whose limit was removed have no throttled messages.
-- Returns: null fields when there is none. The caller holds the consumer's claim lock, so no limit is exceeded by two claims at once.
-- Touches: waiting, handler_limit, limit_bucket; the tables of limit_use() (read). The caller's settings pin the plans.
-- postrider: after limit_use, limit_room, rate_room, take_keys, spend_starts, add_taken
create or replace function postrider.take_limited(p_cursor postrider.claim_cursor, p_worker uuid, p_limit int) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_consumer int := abs(p_cursor.consumer_id);
    v_now timestamptz := clock_timestamp();
    v_use postrider.limit_held[];
    v_left int := p_limit;
    v_keyed bigint[] := '{}';
    v_room int;
    v_limit postrider.handler_limit;
    n postrider.taken;
    t postrider.taken;
    w record;
begin
    for w in
        select h.name, o.threads
        from postrider.worker o
        join postrider.consumer c on c.id = o.consumer_id
        cross join lateral unnest(c.limited_handlers) as h(name)
        where o.id = p_worker and h.name = any (o.handlers) and (h.name = any (c.held_handlers)) is not true
          and exists (select from postrider.waiting x
                      where x.consumer_id = -c.id and x.limit_key >= h.name || ' ' and x.limit_key < h.name || '!')
        order by random()
    loop
        v_use := coalesce(v_use, array(select u from postrider.limit_use(v_consumer) u));
        select l.* into v_limit from postrider.handler_limit l where l.consumer_id = v_consumer and l.handler = w.name;
        v_limit.handler := w.name;
        v_room := least(v_left, postrider.limit_room(v_limit, p_worker, w.threads, v_use), (
            select postrider.rate_room(v_limit.starts, v_limit.period, v_limit.burst, b.paid_at, v_now)
            from (select 1) as one left join postrider.limit_bucket b on b.consumer_id = v_consumer and b.key = w.name));
        continue when v_room <= 0;
        n := postrider.take_keys(v_consumer, v_limit, v_use, v_room, v_now);
        continue when n.seqs is null;
        if v_limit.starts is not null or v_limit.key_starts is not null then
            perform postrider.spend_starts(v_consumer, v_limit, n.keys, v_now);
        end if;
        v_left := v_left - cardinality(n.seqs);
        v_keyed := v_keyed || n.keyed;
        t := postrider.add_taken(t, n);
        t.keyed := v_keyed;
    end loop;
    return t;
end
$$;
