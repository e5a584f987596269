-- segment_read(consumer_id, segment): lets the followers start that were noted from a segment of the log, which was read completely, as far as
-- their keys wait for nothing.
-- Returns: how many. Touches: what next_followers() touches.
-- postrider: after next_followers
create or replace function postrider.segment_read(p_consumer_id int, p_segment xid8) returns int
    language plpgsql volatile
    as $$
declare
    v_keys text[] := array(select distinct f.key from postrider.follower f
                           where f.consumer_id = p_consumer_id and f.segment = p_segment);
begin
    if v_keys = '{}' then
        return 0;
    end if;
    return postrider.next_followers(p_consumer_id, v_keys, '18446744073709551615');
end
$$;
