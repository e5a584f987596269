-- partition_holder(partition): the name of a consumer that is still owed a message of a partition of the log: in its
-- channel behind one of its cursors, waiting, a follower or in a lease. Null when there is none.
-- A message that a cursor does not cover has an xid that its older snapshot does not show, so only that end of the
-- index is read.
-- postrider: after cursor_of, covers
create or replace function postrider.partition_holder(p_partition text) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    as $$
declare
    v_holder text;
begin
    execute format(
        $query$select c.name from postrider.consumer c
         cross join lateral (select postrider.cursor_of(c.id) as at, postrider.cursor_of(-c.id) as waiting_at offset 0) cur
         where exists (select from postrider.%1$I m
                       where m.channel = c.channel and m.priority = 0 and m.available_at is null
                         and m.xid >= pg_snapshot_xmin((cur.at).done) and not postrider.covers(cur.at, m.xid, m.seq))
            or exists (select from postrider.%1$I m
                       where m.channel::text || '' = c.channel and (m.priority <> 0 or m.available_at is not null)
                         and m.xid >= pg_snapshot_xmin((cur.waiting_at).done)
                         and not postrider.covers(cur.waiting_at, m.xid, m.seq))
            or exists (select from postrider.lease l
                       join postrider.%1$I m on m.channel = c.channel
                        and m.xid between greatest(l.from_xid, pg_snapshot_xmin(l.done_snapshot)) and l.to_xid
                        and m.seq = any (l.members)
                       where l.consumer_id = c.id and l.finished_at is null)
            or exists (select from postrider.lease l
                       cross join lateral unnest((l.taken).xids, (l.taken).seqs) as t(xid, seq)
                       join postrider.%1$I m on m.channel = c.channel and m.xid = t.xid and m.seq = t.seq
                       where l.consumer_id = -c.id and l.finished_at is null and m.seq = any (l.members))
            or exists (select from postrider.waiting w
                       join postrider.%1$I m on m.channel = c.channel and m.xid = w.xid and m.seq = w.seq
                       where w.consumer_id in (c.id, -c.id))
            or exists (select from postrider.follower f
                       join postrider.%1$I m on m.channel = c.channel and m.xid = f.xid and m.seq = f.seq
                       where f.consumer_id = c.id)
         limit 1$query$, p_partition)
    into v_holder;
    return v_holder;
end
$$;
