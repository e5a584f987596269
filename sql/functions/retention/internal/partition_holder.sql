-- partition_holder(partition, but_waiting): the name of a consumer that is still owed a message of a partition of the log: in its
-- channel behind one of its cursors, waiting, a follower or in a lease. Null when there is none.
-- Of the messages behind a cursor the first 1000 of a range are examined: a consumer with only waiting messages there, whose own cursor is
-- further, holds the partition until its cursor of the log has passed them.
-- p_but_waiting: messages that were noted as waiting do not count; carry_waiting() can make deliveries of them.
-- postrider: after cursor_of, behind, partitions
create or replace function postrider.partition_holder(p_partition text, p_but_waiting boolean default false) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    as $$
declare
    v_holder text;
    p record;
begin
    select * into strict p from postrider.partitions() where name = p_partition;
    execute format(
        $query$select c.name from postrider.consumer c
         cross join lateral (select postrider.cursor_of(c.id) as at, postrider.cursor_of(-c.id) as waiting_at offset 0) cur
         where exists (select from postrider.behind(cur.at) b
                       cross join lateral (
                           select from (select m.priority = 0 and m.available_at is null as ready, row_number() over () as n
                                        from postrider.%1$I m
                                        where m.channel = c.channel and (m.xid, m.seq) > (b.from_xid, b.after_seq)
                                          and m.xid <= coalesce(b.to_xid, '18446744073709551615')
                                        limit 1001) m
                           where m.ready or m.n > 1000 limit 1 offset 0) m)
            or exists (select from postrider.behind(cur.waiting_at) b
                       cross join lateral (
                           select from postrider.%1$I m
                           where m.channel::text || '' = c.channel and (m.priority <> 0 or m.available_at is not null)
                             and (m.xid, m.seq) > (b.from_xid, b.after_seq) and m.xid <= coalesce(b.to_xid, '18446744073709551615')
                           limit 1 offset 0) m)
            or exists (select from postrider.lease l
                       cross join lateral (select min(s), max(s) from unnest(l.members) s) as e(first, last)
                       where l.consumer_id = c.id and l.finished_at is null
                         and exists (select m.seq from postrider.%1$I m
                                     where m.channel = c.channel and m.seq between e.first and e.last
                                       and m.xid between greatest(l.from_xid, pg_snapshot_xmin(l.done_snapshot)) and l.to_xid
                                     intersect select unnest(l.members)))
            or exists (select from postrider.lease l
                       cross join lateral unnest((l.taken).xids, (l.taken).seqs) as t(xid, seq)
                       join postrider.%1$I m on m.channel = c.channel and m.xid = t.xid and m.seq = t.seq
                       where l.consumer_id = -c.id and l.finished_at is null and m.seq = any (l.members))
            or not $1 and exists (select from postrider.waiting w
                                  join postrider.%1$I m on m.channel = c.channel and m.xid = w.xid and m.seq = w.seq
                                  where w.consumer_id in (c.id, -c.id) and w.published_at >= $2 and w.published_at < $3)
            or exists (select from postrider.follower f
                       join postrider.%1$I m on m.channel = c.channel and m.xid = f.xid and m.seq = f.seq
                       where f.consumer_id = c.id)
         limit 1$query$, p_partition)
    into v_holder
    using p_but_waiting, p.from_at, p.to_at;
    return v_holder;
end
$$;
