-- end_lost_lease(lease, left, now): ends a lease whose messages were taken back. p_left are members that were not: then it stays open, and
-- belongs to no worker. Its former worker has lost it as a whole, and reap() takes back the next ones.
-- Raises: 55P03 when other transactions hold its unique keys for half a second.
-- Touches: lease, unique_job, follower, the tables that end_members() touches.
-- postrider: after end_members, lock_keys, next_followers, release_keys
create or replace function postrider.end_lost_lease(p_lease postrider.lease, p_left bigint[], p_now timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    l constant postrider.lease := p_lease;
begin
    if p_left <> '{}' then
        update postrider.lease
        set members = p_left, worker_id = '00000000-0000-0000-0000-000000000000', deadline = '-infinity'
        where consumer_id = l.consumer_id and id = l.id;
        return;
    end if;
    update postrider.lease
    set members = '{}', finished_at = p_now, reaped_at = p_now
    where consumer_id = l.consumer_id and id = l.id;
    if (l.taken).keyed <> '{}' then
        perform postrider.lock_keys((l.taken).keyed, clock_timestamp() + interval '500 ms');
        perform postrider.release_keys((l.taken).keyed);
        perform postrider.end_members((l.taken).keyed);
    end if;
    if (l.taken).keys <> '{}' then
        perform postrider.next_followers(abs(l.consumer_id), (l.taken).keys);
    end if;
end
$$;
