-- pace(window, max): how fast every consumer goes just now, for people who look once; figures() says how it stands, and how
-- fast it went since an earlier look.
-- taken: messages for it that were handed out within the window; published: those that were appended to its channel within it,
-- for whomever. Each is counted to p_max at most: that number means at least as many, and so no answer takes longer the more
-- there is. What transactions that stayed open for long have left behind late is not counted.
-- Returns: one row per consumer, with the seconds that taken and published stand for.
-- Raises: PR001 for a window or a max that make no sense.
-- postrider: grant operator, viewer, agent
-- postrider: after covers, wants
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
    v_now postrider.lease;   -- the cursor
    v_then postrider.lease;  -- the one it was when the window began
    v_at_now postrider.position;
    v_at_then postrider.position;
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
        select * into v_now from postrider.lease l where l.consumer_id = c.id order by l.id desc limit 1;
        select * into v_then from postrider.lease l
        where l.consumer_id = c.id and l.claimed_at <= v_since order by l.id desc limit 1;
        if v_then.id is null then
            select * into v_then from postrider.lease l where l.consumer_id = c.id order by l.id limit 1;
        end if;
        v_at_now := row(v_now.done_snapshot, v_now.open_snapshot, v_now.to_xid, v_now.to_seq);
        v_at_then := row(v_then.done_snapshot, v_then.open_snapshot, v_then.to_xid, v_then.to_seq);
        -- A cursor is within the range of its segment, or before it, among late committers.
        v_now.from_xid := greatest(v_now.to_xid, pg_snapshot_xmax(v_now.done_snapshot));
        v_now.from_seq := case when v_now.from_xid = v_now.to_xid then v_now.to_seq else 0 end;
        v_then.from_xid := greatest(v_then.to_xid, pg_snapshot_xmax(v_then.done_snapshot));
        v_then.from_seq := case when v_then.from_xid = v_then.to_xid then v_then.to_seq else 0 end;
        select count(*) into taken from (
            select from postrider.message m
            where m.channel = c.channel and (m.xid, m.seq) > (v_then.from_xid, v_then.from_seq)
              and (m.xid, m.seq) <= (v_now.from_xid, v_now.from_seq)
              and m.published_at >= v_then.floor_at - interval '1 hour'
              and not postrider.covers(v_at_then, m.xid, m.seq) and postrider.covers(v_at_now, m.xid, m.seq)
              and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
            limit p_max) t;
        if v_channel is distinct from c.channel then
            v_channel := c.channel;
            published := 0;
            -- Read backwards, piece by piece, and no further than needed.
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
