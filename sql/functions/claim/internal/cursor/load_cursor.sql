-- load_cursor(worker, consumer_id, lease): the cursor of a worker's consumer, for a claim that has the consumer's claim lock.
-- p_lease is a lease of the worker that is not newer than the newest one, or null.
-- Returns: one row; none when the worker does not work for this consumer, another database user registered it, or there is no lease
--   with that id.
-- The newest lease cannot be older than one of the worker's; without that bound the scan reads a whole page. The handler arrays are
-- compared as a whole first, because the containment test is quadratic.
-- Stable, one query and without settings, so that the planner inlines it.
-- Touches: worker, consumer, lease (read).
-- postrider: after scan_time
create or replace function postrider.load_cursor(p_worker uuid, p_consumer_id int, p_lease bigint)
    returns setof postrider.claim_cursor
    language sql stable
    as $$
    select c.id, c.name, c.channel, c.all_types, c.exact_types, c.type_prefixes,
           w.handlers = c.handlers or w.handlers @> c.handlers,
           coalesce(c.paused or c.held_handlers @> c.handlers, false), coalesce(c.lease_deadline, interval '15 minutes'),
           pg_catalog.clock_timestamp(), pg_catalog.clock_timestamp() + postrider.scan_time(), l.claimed_at,
           l.done_snapshot, l.open_snapshot, l.done_xid, l.open_xid, l.done_at, l.open_at, l.floor_at, l.ceiling_at, l.recheck_xid,
           l.to_xid, l.to_seq, pg_catalog.pg_snapshot_xmax(l.open_snapshot),
           l.floor_at - interval '1 hour', l.ceiling_at + interval '1 hour',
           l.to_xid < pg_catalog.pg_snapshot_xmax(l.done_snapshot)
               and pg_catalog.pg_snapshot_xmin(l.done_snapshot) < pg_catalog.pg_snapshot_xmax(l.done_snapshot),
           null::boolean, null::boolean, null::boolean, c.ordered, c.limited_handlers is not null
    from postrider.worker w
    join postrider.consumer c on c.id = w.consumer_id
    cross join lateral (
        select l.done_snapshot, l.open_snapshot, l.done_xid, l.open_xid, l.done_at, l.open_at, l.floor_at, l.ceiling_at,
               l.recheck_xid, l.to_xid, l.to_seq, l.claimed_at
        from postrider.lease l
        where l.consumer_id = c.id and l.id >= coalesce(p_lease, 0)
        order by l.id desc limit 1) l
    -- Checked by the login and not by the session's setting, which any session can change.
    where w.id = p_worker and w.consumer_id = p_consumer_id and w.login = session_user
    $$;
