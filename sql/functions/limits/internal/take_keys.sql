-- take_keys(consumer_id, limit, use, room, now): takes throttled messages of a handler that can start now, at most p_room. The keys take turns, and
-- a key with a weight has as many turns as that says. A claim considers up to 500 keys, so keys at their limit do not block the others. p_use is
-- limit_use()'s. Returns: the messages in the order of their turns, null fields when there is none.
-- Touches: waiting (delete), handler_limit (the turn), limit_bucket (read). The caller holds the claim lock and pins the plans.
-- postrider: after limited_keys, rate_room
create or replace function postrider.take_keys(
    p_consumer_id int, p_limit postrider.handler_limit, p_use postrider.limit_held[], p_room int, p_now timestamptz
) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_keys text[] := postrider.limited_keys(p_consumer_id, p_limit.handler, p_limit.turn);
    v_each int := ceil(2.0 * p_room / greatest(cardinality(v_keys), 1));  -- enough for p_room in all, if each key has them
    v_turn text;
    v_rows tid[];
    t postrider.taken;
begin
    with key as materialized (
        select k.key, k.n, greatest(coalesce((p_limit.weights ->> k.name)::int, 1), 1) as weight,
               case when k.name <> '' then least(p_limit.per_key - k.held,
                   (select postrider.rate_room(p_limit.key_starts, p_limit.key_period, p_limit.key_burst, b.paid_at, p_now)
                    from (select 1) as one left join postrider.limit_bucket b on b.consumer_id = p_consumer_id and b.key = k.key)) end as room
        from (select o.key, o.n, substr(o.key, octet_length(p_limit.handler) + 2) as name,
                     (select coalesce(sum(u.messages), 0) from unnest(p_use) u where u.key = o.key) as held
              from unnest(v_keys) with ordinality as o(key, n)) k
    ), candidate as (
        select w.*, k.key, k.n, (row_number() over (partition by k.n order by w.priority desc, w.seq) - 1) / k.weight as round
        from key k
        cross join lateral (
            select w.ctid, w.priority, w.keyed, w.seq, w.xid, w.published_at
            from postrider.waiting w
            where w.consumer_id = -p_consumer_id and w.limit_key = k.key
            order by w.priority desc, w.seq
            limit greatest(least(v_each::bigint * k.weight, k.room, p_room), 0)) w
    )
    select array_agg(c.ctid), array_agg(c.seq), array_agg(c.xid), min(c.published_at), max(c.published_at),
           coalesce(array_agg(c.seq) filter (where c.keyed), '{}'), array_agg(c.key)
    into v_rows, t.seqs, t.xids, t.from_at, t.to_at, t.keyed, t.keys
    from (select * from candidate ca order by ca.round, ca.n, ca.priority desc, ca.seq limit p_room) c;
    v_turn := t.keys[cardinality(t.keys)];
    if v_rows is not null then
        delete from postrider.waiting where ctid = any (v_rows);
    end if;
    if cardinality(v_keys) >= 499 and cardinality(t.keys) is distinct from p_room then
        v_turn := v_keys[cardinality(v_keys)];  -- the next claim begins with other keys
    end if;
    update postrider.handler_limit l set turn = v_turn
    where l.consumer_id = p_consumer_id and l.handler = p_limit.handler and cardinality(v_keys) > 1 and l.turn is distinct from v_turn
      and v_turn is not null;
    return t;
end
$$;
