-- members_left(lease, owed): frees the keys of messages that leave a lease of messages that waited: unique keys are released, and the next messages of
-- ordering keys start. p_owed are the members that stay.
-- Returns: the messages with a unique key or a set that left, for end_members().
-- Touches: unique_job, and the tables that next_followers() touches.
-- postrider: after release_keys, next_followers
create or replace function postrider.members_left(p_lease postrider.lease, p_owed bigint[]) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_taken postrider.taken := p_lease.taken;
    v_keyed bigint[];
begin
    if v_taken.keyed <> '{}' then
        v_keyed := array(select unnest(v_taken.keyed) intersect select unnest(p_lease.members) except select unnest(p_owed));
        perform postrider.release_keys(v_keyed);
    end if;
    if v_taken.keys <> '{}' then
        perform postrider.next_followers(abs(p_lease.consumer_id), array(
            select k.key from unnest(v_taken.seqs, v_taken.keys) as k(seq, key)
            where k.key is not null and k.seq = any (p_lease.members) and k.seq <> all (p_owed)));
    end if;
    return v_keyed;
end
$$;
