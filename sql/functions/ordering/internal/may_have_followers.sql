-- may_have_followers(consumer_id): false if the consumer has no followers. A small table is searched; in a large one the search could scan any
-- number of dead rows that an old transaction keeps from being vacuumed.
-- Touches: follower (read). The caller's settings pin the plan.
create or replace function postrider.may_have_followers(p_consumer_id int) returns boolean
    language plpgsql stable
    as $$
begin
    return pg_relation_size('postrider.follower') > 200000
        or exists (select from postrider.follower f where f.consumer_id = p_consumer_id);
end
$$;
