-- lock_keys(seqs, until): locks the unique keys of jobs, which a claim may hold while it marks the next job of a serial key, and the deliveries of such
-- next jobs, which release_keys() starts. The caller holds locks of several roles, so it stops at p_until.
-- Raises: 55P03 when it cannot lock all of them until then.
-- Touches: unique_job, delivery (lock).
-- postrider: after lock_deliveries, retry_lock
create or replace function postrider.lock_keys(p_seqs bigint[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    while exists (
        with held as materialized (
            select u.consumer_id, u.handler, u.key, u.place from postrider.unique_job u
            where u.seq = any (p_seqs) order by 1, 2, 3, 4 for update skip locked
        )
        select from postrider.unique_job u
        where u.seq = any (p_seqs)
          and (u.consumer_id, u.handler, u.key, u.place) not in (select h.consumer_id, h.handler, h.key, h.place from held h)
    ) loop
        perform postrider.retry_lock(p_until, 'unique keys');
    end loop;
    perform postrider.lock_deliveries(array(
        select d.id
        from postrider.unique_job u
        join postrider.unique_job n
            on n.consumer_id = u.consumer_id and n.handler = u.handler and n.key = u.key and n.place = 'first' and n.blocked
        join postrider.delivery d on d.seq = n.seq and d.status = 'pending' and d.available_at = 'infinity'
        where u.seq = any (p_seqs) and u.place = 'running'), p_until);
end
$$;
