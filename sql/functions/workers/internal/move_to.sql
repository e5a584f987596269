-- move_to(consumer_id, at): puts the log's cursor of a consumer behind every message that a snapshot shows. Its active handlers are owed
-- every message from there on, and retired handlers none. The caller holds the claim lock.
-- Touches: lease, handler, consumer; message (read).
-- postrider: after covers, forget_cancelled, move_cursor
create or replace function postrider.move_to(p_consumer_id int, p_at pg_snapshot) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_start constant postrider.position := row(p_at, p_at, pg_snapshot_xmax(p_at), 0);
    c postrider.claim_cursor;
begin
    update postrider.handler h
    set starts = v_start
    where h.consumer_id = p_consumer_id and pg_snapshot_xmax((h.starts).open) > pg_snapshot_xmax(p_at);
    update postrider.handler h
    set ends = v_start
    where h.consumer_id = p_consumer_id and h.ends is not null and pg_snapshot_xmax((h.ends).open) > pg_snapshot_xmax(p_at);
    perform postrider.forget_cancelled(p_consumer_id, array(
        select m.seq
        from postrider.consumer o
        join postrider.message m on m.channel = o.channel and m.seq = any (o.cancelled)
        where o.id = p_consumer_id and postrider.covers(v_start, m.xid, m.seq)));
    c.consumer_id := p_consumer_id;
    c.done := p_at;
    c.open := p_at;
    c.done_xid := '18446744073709551615';
    c.open_xid := '18446744073709551615';
    c.done_at := clock_timestamp();
    c.open_at := clock_timestamp();
    c.floor_at := '-infinity';
    c.ceiling_at := clock_timestamp();
    perform postrider.move_cursor(c);
end
$$;
