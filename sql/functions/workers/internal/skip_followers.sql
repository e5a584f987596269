-- skip_followers(consumer_id): deletes the followers of a consumer whose log's cursor was moved: those before the cursor are skipped, and the
-- others are noted again when a claim reads them. The caller holds the claim lock.
-- Touches: follower, delivery.
-- postrider: after next_followers
create or replace function postrider.skip_followers(p_consumer_id int) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_keys text[];
begin
    with gone as (
        delete from postrider.follower f where f.consumer_id = p_consumer_id returning f.key
    )
    select array_agg(distinct g.key) into v_keys from gone g;
    -- A delivery may be the next message of the key now.
    perform postrider.next_followers(p_consumer_id, v_keys) where v_keys is not null;
end
$$;
