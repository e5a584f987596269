-- note_next_waiting(cursor): notes the next messages that wait, in the order of the log: at most 5000, so that claims of the log, which
-- need the same lock, wait only some milliseconds.
-- Returns: the cursor behind them, how many it noted, and whether it stopped at its limit, so that others may follow although it noted none: they may
-- be for other consumers. The caller writes the cursor.
-- Touches: waiting (insert), message (read). The caller's settings pin the plans.
-- postrider: after note_waiting, open_segment
create or replace function postrider.note_next_waiting(
    p_cursor postrider.claim_cursor, out at postrider.claim_cursor, out waiting int, out more boolean
)
    language plpgsql volatile
    as $$
declare
    v_most constant int := 5000;
    n record;
begin
    at := p_cursor;
    waiting := 0;
    more := false;
    loop
        if at.late then
            n := postrider.note_waiting(at, true, v_most);
            waiting := waiting + n.noted;
            more := n.read = v_most;
            if more then
                at.xid := n.xid;
                at.seq := n.seq;
                exit;
            end if;
            at.xid := pg_catalog.pg_snapshot_xmax(at.done);
            at.seq := 0;
            at.late := false;
        end if;
        if at.xid < at.before then
            n := postrider.note_waiting(at, false, v_most);
            waiting := waiting + n.noted;
            more := n.read = v_most;
            at.xid := case when more then n.xid else at.before end;
            at.seq := case when more then n.seq else 0 end;
            exit when more;
        end if;
        exit when at.advanced or waiting > 0;
        at := postrider.open_segment(at);
    end loop;
end
$$;
