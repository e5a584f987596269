-- note_all_waiting(consumer_id): moves the consumer's cursor for messages that wait to the end of the log, so that each of them has a row in
-- the table waiting. The caller holds the claim lock.
-- Touches: waiting, lease; consumer, message (read).
-- postrider: after note_next_waiting, write_waiting_lease
create or replace function postrider.note_all_waiting(p_consumer_id int) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    c postrider.claim_cursor;
    p record;
begin
    loop
        -- As waiting_cursor(), but for no worker.
        select -co.id, co.name, co.channel, co.all_types, co.exact_types, co.type_prefixes, false, false,
               interval '1 minute', clock_timestamp(), null::timestamptz, l.claimed_at,
               l.done_snapshot, l.open_snapshot, l.done_xid, l.open_xid, l.done_at, l.open_at, l.floor_at, l.ceiling_at, l.recheck_xid,
               l.to_xid, l.to_seq, pg_snapshot_xmax(l.open_snapshot), l.floor_at - interval '1 hour', l.ceiling_at + interval '1 hour',
               l.to_xid < pg_snapshot_xmax(l.done_snapshot)
                   and pg_snapshot_xmin(l.done_snapshot) < pg_snapshot_xmax(l.done_snapshot),
               null::boolean, null::boolean, null::boolean, co.ordered, false
        into strict c
        from postrider.consumer co
        cross join lateral (
            select * from postrider.lease l where l.consumer_id = -co.id order by l.id desc limit 1) l
        where co.id = p_consumer_id;
        p := postrider.note_next_waiting(c);
        c := p.at;
        perform postrider.write_waiting_lease(c, null, null, null, null, true, null);
        exit when p.waiting = 0 and not p.more;
    end loop;
end
$$;
