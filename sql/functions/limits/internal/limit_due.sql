-- limit_due(consumer_id, worker, handlers, slots, now): how many due deliveries a claim may hand out of each of these handlers. p_slots are those that
-- circuits allow, null: any number.
-- Returns: an array in the order of the handlers, null when no limit can bind and p_slots is null.
-- Touches: the tables of limit_use(), limit_bucket (read). The caller holds the claim lock.
-- postrider: after limit_use, limit_room, rate_room
create or replace function postrider.limit_due(p_consumer_id int, p_worker uuid, p_handlers text[], p_slots int[], p_now timestamptz)
    returns int[]
    language plpgsql stable
    as $$
declare
    v_limited text[] := (select c.limited_handlers from postrider.consumer c where c.id = p_consumer_id);
    v_threads int := (select w.threads from postrider.worker w where w.id = p_worker);
    v_use postrider.limit_held[];
begin
    if (v_limited && p_handlers) is not true then
        return p_slots;
    end if;
    v_use := array(select u from postrider.limit_use(p_consumer_id) u);
    return array(
        select least(coalesce(p_slots[h.n], 1000000), case when l.handler is not null then least(
                   postrider.limit_room(l, p_worker, v_threads, v_use),
                   postrider.rate_room(l.starts, l.period, l.burst, b.paid_at, p_now)) end)
        from unnest(p_handlers) with ordinality as h(name, n)
        left join postrider.handler_limit l on l.consumer_id = p_consumer_id and l.handler = h.name and h.name = any (v_limited)
        left join postrider.limit_bucket b on b.consumer_id = p_consumer_id and b.key = l.handler
        order by h.n);
end
$$;
