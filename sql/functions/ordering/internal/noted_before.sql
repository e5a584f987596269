-- noted_before(consumer_id): which followers may be handed out: those before (segment, seq), in the order of follower_ready_idx. They are of
-- segments of the log that were read completely, or have a number below all that are left in the segment that is being read.
-- Touches: lease, lookahead (read).
create or replace function postrider.noted_before(p_consumer_id int, out segment xid8, out seq bigint)
    language plpgsql stable
    as $$
begin
    select case when l.to_xid >= pg_catalog.pg_snapshot_xmax(l.open_snapshot) then '18446744073709551615'
                else pg_catalog.pg_snapshot_xmax(l.open_snapshot) end,
           coalesce((select a.lowest from postrider.lookahead a
                     where a.consumer_id = p_consumer_id and a.opened_at = l.open_at and (a.xid, a.seq) <= (l.to_xid, l.to_seq)
                     order by a.xid desc, a.seq desc limit 1), 0)
    into noted_before.segment, noted_before.seq
    from postrider.lease l
    where l.consumer_id = p_consumer_id
    order by l.id desc
    limit 1;
end
$$;
