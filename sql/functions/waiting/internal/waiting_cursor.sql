-- waiting_cursor(worker): the cursor of a worker's consumer for messages that wait; its consumer_id is the negative of the consumer's.
-- Stable, one query and without settings, so that the planner inlines it.
-- Touches: worker, consumer, lease (read).
create or replace function postrider.waiting_cursor(p_worker uuid) returns setof postrider.claim_cursor
    language sql stable
    as $$
    select -c.id, c.name, c.channel, c.all_types, c.exact_types, c.type_prefixes,
           w.handlers = c.handlers or w.handlers @> case when (c.ordered or c.limited_handlers is not null) and c.held_handlers is null and c.cancelled is null
                                                         then pg_catalog.array_remove(c.handlers, '') else c.handlers end,
           coalesce(c.paused or c.held_handlers @> c.handlers, false), coalesce(c.lease_deadline, interval '15 minutes'),
           pg_catalog.clock_timestamp(), null::timestamptz, l.claimed_at,
           l.done_snapshot, l.open_snapshot, l.done_xid, l.open_xid, l.done_at, l.open_at, l.floor_at, l.ceiling_at, l.recheck_xid,
           l.to_xid, l.to_seq, pg_catalog.pg_snapshot_xmax(l.open_snapshot),
           l.floor_at - interval '1 hour', l.ceiling_at + interval '1 hour',
           l.to_xid < pg_catalog.pg_snapshot_xmax(l.done_snapshot)
               and pg_catalog.pg_snapshot_xmin(l.done_snapshot) < pg_catalog.pg_snapshot_xmax(l.done_snapshot),
           null::boolean, null::boolean, null::boolean, c.ordered, c.limited_handlers is not null
    from postrider.worker w
    join postrider.consumer c on c.id = w.consumer_id
    cross join lateral (
        select * from postrider.lease l where l.consumer_id = -c.id order by l.id desc limit 1) l
    where w.id = p_worker
    $$;
