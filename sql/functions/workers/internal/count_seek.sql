-- count_seek(consumer, at, to): how many messages a consumer would skip, how many of them wait, and how many would be handed out again, if
-- its log's cursor moved to a snapshot and messages that wait were skipped up to an instant. Without the claim lock the numbers are
-- approximate.
-- Touches: lease, waiting, follower, message (read).
-- postrider: after covers, cursor_of, wants
create or replace function postrider.count_seek(
    p_consumer postrider.consumer, p_at pg_snapshot, p_to timestamptz, out skipped bigint, out waiting bigint, out again bigint
)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c constant postrider.consumer := p_consumer;
    v_now constant postrider.position := postrider.cursor_of(c.id);
    v_waiting constant postrider.position := postrider.cursor_of(-c.id);
    v_new constant postrider.position := row(p_at, p_at, '0', 0);
begin
    select count(*) filter (where not m.waits and not postrider.covers(v_now, m.xid, m.seq) and postrider.covers(v_new, m.xid, m.seq)),
           count(*) filter (where m.waits and m.published_at < p_to and not postrider.covers(v_waiting, m.xid, m.seq)),
           count(*) filter (where not m.waits and postrider.covers(v_now, m.xid, m.seq) and not postrider.covers(v_new, m.xid, m.seq))
    into skipped, waiting, again
    from (select l.xid, l.seq, l.published_at, l.priority <> 0 or l.available_at is not null as waits
          from postrider.message l
          where l.channel = c.channel
            and l.xid >= least(pg_snapshot_xmin((v_now).done), pg_snapshot_xmin((v_waiting).done), pg_snapshot_xmin(p_at))
            and l.seq <> all (coalesce(c.cancelled, '{}'))
            and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, l.target, l.event_type)) m;
    -- The cursor has passed followers, but they were not handed out.
    select skipped + count(*) filter (where postrider.covers(v_new, f.xid, f.seq)), again - count(*) filter (where not postrider.covers(v_new, f.xid, f.seq))
    into skipped, again
    from postrider.follower f where f.consumer_id = c.id;
    waiting := waiting + (select count(*) from postrider.waiting w where w.consumer_id in (c.id, -c.id) and w.published_at < p_to);
    skipped := skipped + waiting;
end
$$;
