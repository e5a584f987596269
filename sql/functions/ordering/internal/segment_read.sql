-- segment_read(cursor, keys): lets the followers start that were noted from the cursor's segment of the log, which was read completely, as far as
-- their keys wait for nothing. p_keys are those of its last piece; if there were more pieces, all keys with followers are looked at.
-- Returns: how many. Touches: what next_followers() touches.
-- postrider: after next_followers
create or replace function postrider.segment_read(p_cursor postrider.claim_cursor, p_keys text[]) returns int
    language plpgsql volatile
    as $$
declare
    v_keys text[] := p_keys;
begin
    if p_cursor.seq > 0 then
        v_keys := array(
            with recursive follower (key) as (
                -- Loose index scan.
                (select f.key from postrider.follower f where f.consumer_id = p_cursor.consumer_id order by f.key limit 1)
                union all
                select n.key from follower l cross join lateral (
                    select f.key from postrider.follower f
                    where f.consumer_id = p_cursor.consumer_id and f.key > l.key order by f.key limit 1) n
            )
            select l.key from follower l);
    end if;
    return postrider.next_followers(p_cursor.consumer_id, v_keys, '18446744073709551615');
end
$$;
