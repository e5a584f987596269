-- blocked_page(consumer, limit, after): one page of the view blocked_keys, in the order of view_page()'s list. Producers choose ordering keys, so the view
-- may have millions of rows; the keys of a page are found one by one, and then looked up together.
-- consumer: null or '' means all. after: the place of the last row of the previous page, {"consumer", "channel", "key"}.
-- Returns: at most p_limit rows.
-- Security definer, because it reads tables for roles that may read the view. Touches: consumer, follower, delivery (read).
-- postrider: grant operator, viewer, agent
-- postrider: after blocked_keys
create or replace function postrider.blocked_page(p_consumer text, p_limit int, p_after jsonb default null) returns setof postrider.blocked_keys
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    v_left int := p_limit;
    v_keys text[] collate "C";    -- of a consumer, on this page
    v_key text collate "C";
    v_start text collate "C";     -- where the keys of a consumer begin
    v_from text collate "C";
    v_follower text collate "C";  -- the next key of a follower, and of a delivery that a key waits for; null: there is none
    v_head text collate "C";
    c record;
begin
    for c in
        select o.id, o.name, o.channel, o.hold_for is distinct from interval '0' as holds,
               (o.name, o.channel) = (p_after ->> 'consumer', p_after ->> 'channel') as is_first
        from postrider.consumer o
        where o.ordered and o.name = coalesce(nullif(p_consumer, ''), o.name)
          and ((o.name, o.channel) >= (p_after ->> 'consumer', p_after ->> 'channel')) is not false
        order by o.name, o.channel
    loop
        v_start := coalesce(case when c.is_first then (p_after ->> 'key') || chr(1) end, '');
        v_from := v_start;
        v_follower := null;
        v_head := null;
        v_keys := '{}';
        loop
            exit when v_left <= 0;
            if v_follower < v_from or v_follower is null and v_from = v_start then
                v_follower := (select f.key from postrider.follower f where f.consumer_id = c.id and f.key >= v_from order by f.key limit 1);
            end if;
            -- The same conditions as in the view. Dead letters that hold no key are skipped.
            if v_head < v_from or v_head is null and v_from = v_start then
                v_head := (select d.ordering_key::text from postrider.delivery d
                           where d.consumer_id = c.id and d.heads is not null and d.status <> 'delivered' and d.deleted_at is null
                             and d.ordering_key >= v_from and (d.status <> 'failed' or d.heads and c.holds)
                           order by d.ordering_key limit 1);
            end if;
            v_key := least(v_follower, v_head);
            exit when v_key is null;
            v_keys := v_keys || v_key;
            v_left := v_left - 1;
            v_from := v_key || chr(1);  -- no text is between the two
        end loop;
        return query
        select * from postrider.blocked_keys k
        where k.consumer = c.name and k.channel = c.channel and k.key = any (v_keys)
        order by k.key;
    end loop;
end
$$;
