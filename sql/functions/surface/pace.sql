-- pace(window, max): the current rate of every consumer, from a single call. figures() has the rates since an earlier call.
-- taken: messages for it that were handed out within the window; published: messages that were appended to its channel within
-- it, for any consumer. Each is counted up to p_max, which bounds the time of a call; p_max itself means at least as many.
-- Late messages of long transactions are not counted.
-- Returns: one row per consumer, with the seconds that taken and published stand for.
-- Raises: PR001 for a window or a max out of range.
-- postrider: grant operator, viewer, agent
-- postrider: after place_of, covers, wants
create or replace function postrider.pace(p_window interval default '5 seconds', p_max int default 20000)
    returns table (consumer text, channel text, taken bigint, published bigint, seconds float8)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_sort = off
    set plan_cache_mode = force_custom_plan
    as $$
#variable_conflict use_column
declare
    v_since timestamptz := clock_timestamp() - p_window;
    v_now postrider.place;   -- of the cursor
    v_then postrider.place;  -- when the window began
    v_channel text;          -- the one that `published` was counted of
    v_at timestamptz;
    c postrider.consumer;
begin
    if p_window is null or p_window not between interval '1 second' and interval '1 hour' then
        raise exception using errcode = 'PR001', message = 'pace: the window must be between 1 second and 1 hour';
    elsif p_max is null or p_max not between 1 and 1000000 then
        raise exception using errcode = 'PR001', message = 'pace: the max must be between 1 and 1000000';
    end if;
    for c in select * from postrider.consumer order by channel, name loop
        consumer := c.name;
        channel := c.channel;
        seconds := extract(epoch from p_window);
        v_now := postrider.place_of(c.id);
        v_then := postrider.place_of(c.id, v_since);
        select count(*) into taken from (
            select from postrider.message m
            where m.channel = c.channel and (m.xid, m.seq) > (v_then.xid, v_then.seq)
              and (m.xid, m.seq) <= (v_now.xid, v_now.seq) and m.published_at >= v_then.floor_at
              and not postrider.covers(v_then.at, m.xid, m.seq) and postrider.covers(v_now.at, m.xid, m.seq)
              and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
            limit p_max) t;
        if v_channel is distinct from c.channel then
            v_channel := c.channel;
            published := 0;
            -- A cursor reads backwards, no further than needed.
            for v_at in
                select m.published_at from postrider.message m
                where m.channel = c.channel and m.published_at >= v_since - interval '1 hour'
                order by m.xid desc, m.seq desc
                limit p_max
            loop
                exit when v_at < v_since - interval '1 second';
                published := published + (v_at >= v_since)::int;
            end loop;
        end if;
        return next;
    end loop;
end
$$;
