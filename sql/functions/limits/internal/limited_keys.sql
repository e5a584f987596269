-- limited_keys(consumer_id, handler, turn): up to 500 limit_key()s with throttled messages of a handler, in their order behind the one whose turn
-- it was last, and then from the first one.
-- Touches: waiting (read). The caller's settings pin the plan.
create or replace function postrider.limited_keys(p_consumer_id int, p_handler text, p_turn text) returns text[]
    language plpgsql stable
    as $$
begin
    return array(
        with recursive present (key, wrapped, n) as (
            select (select w.limit_key from postrider.waiting w
                    where w.consumer_id = -p_consumer_id and w.limit_key > coalesce(p_turn, p_handler) and w.limit_key < p_handler || '!'
                    order by w.limit_key limit 1), false, 1
            union all
            -- Loose index scan. Behind the last key it continues before the first.
            select case when p.key is null
                        then (select w.limit_key from postrider.waiting w
                              where w.consumer_id = -p_consumer_id and w.limit_key >= p_handler || ' ' and w.limit_key <= p_turn
                              order by w.limit_key limit 1)
                        else (select w.limit_key from postrider.waiting w
                              where w.consumer_id = -p_consumer_id and w.limit_key > p.key
                                and w.limit_key < case when p.wrapped then p_turn || chr(1) else p_handler || '!' end
                              order by w.limit_key limit 1) end,
                   p.wrapped or p.key is null, p.n + 1
            from present p
            where p.n < 500 and (p.key is not null or not p.wrapped and p_turn is not null)
        )
        select p.key from present p where p.key is not null order by p.n);
end
$$;
