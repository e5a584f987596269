-- pass_segment(cursor): moves the cursor behind a segment that this claim opened and that has no message to hand out, if that is
-- worth a row: if messages of other consumers were passed over, if the claim searched every partition, and otherwise once a
-- minute. The cursor's snapshots list the transactions to look up one by one, and its floor limits the partitions to read.
-- Touches: lease (insert), message (read).
-- postrider: after move_cursor, log_range
create or replace function postrider.pass_segment(p_cursor postrider.claim_cursor) returns void
    language plpgsql volatile
    as $$
declare
    c postrider.claim_cursor := p_cursor;
begin
    if c.looked or c.moved_at < c.now - interval '1 minute'
       or exists (select from postrider.log_range(c.channel, c.done, c.open, '0', 0, c.before, c.low, c.high)) then
        if c.own_xid then
            c.open_xid := pg_current_xact_id();
        end if;
        perform postrider.move_cursor(c);
    end if;
end
$$;
