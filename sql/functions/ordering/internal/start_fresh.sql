-- start_fresh(consumer_id, segment): lets followers start that were noted from a segment of the log which several claims read, the oldest first,
-- as far as their keys wait for nothing. A backlog can have a million keys, and a claim has to end in time: so it looks at 1000 of them.
-- p_segment: next_followers()'s.
-- Returns: whether it has looked at any. The caller holds the consumer's claim lock. Touches: what next_followers() touches.
-- postrider: after next_followers, noted_segment
create or replace function postrider.start_fresh(p_consumer_id int, p_segment xid8 default null) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
    set enable_bitmapscan = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_segment xid8 := coalesce(p_segment, postrider.noted_segment(p_consumer_id));
    v_keys text[];
begin
    with looked as (
        update postrider.follower set fresh = false
        where ctid = any (array(
            select f.ctid from postrider.follower f
            where f.consumer_id = p_consumer_id and f.fresh and f.segment < v_segment
            order by f.segment, f.seq limit 1000))
        returning key
    )
    select array_agg(distinct l.key) into v_keys from looked l;
    perform postrider.next_followers(p_consumer_id, v_keys, v_segment) where v_keys is not null;
    return v_keys is not null;
end
$$;
