-- blocked_page(consumer, limit, after): one page of the view blocked_keys, in the order of view_page()'s list. Producers choose ordering keys, so the view
-- may have millions of rows; the keys of a page are looked up one by one.
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
    v_key text;
    v_from text;
    b postrider.blocked_keys;
    c record;
begin
    for c in
        select o.id, o.name, o.channel, (o.name, o.channel) = (p_after ->> 'consumer', p_after ->> 'channel') as is_first
        from postrider.consumer o
        where o.ordered and o.name = coalesce(nullif(p_consumer, ''), o.name)
          and ((o.name, o.channel) >= (p_after ->> 'consumer', p_after ->> 'channel')) is not false
        order by o.name, o.channel
    loop
        v_from := coalesce(case when c.is_first then (p_after ->> 'key') || chr(1) end, '');
        loop
            exit when v_left <= 0;
            v_key := least(
                (select f.key from postrider.follower f where f.consumer_id = c.id and f.key >= v_from order by f.key limit 1),
                (select d.ordering_key::text from postrider.delivery d
                 where d.consumer_id = c.id and d.heads is not null and d.status <> 'delivered' and d.deleted_at is null
                   and d.ordering_key >= v_from
                 order by d.ordering_key limit 1));
            exit when v_key is null;
            for b in select * from postrider.blocked_keys k where k.consumer = c.name and k.channel = c.channel and k.key = v_key loop
                return next b;
                v_left := v_left - 1;
            end loop;
            v_from := v_key || chr(1);  -- no text is between the two
        end loop;
    end loop;
end
$$;
