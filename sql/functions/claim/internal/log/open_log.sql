-- open_log(cursor, late, limit): opens an SQL cursor for the next messages of a segment: those of late committers, or the rest.
-- Messages that wait, and those with an ordering key for an ordered consumer, are left out; exchange_waiting() hands them out.
-- When cursor.stop has passed it returns the next message even if it is for another consumer, so that the caller can stop there.
-- Returns: the name of the SQL cursor. Rows are messages in (xid, seq) order, at most p_limit; more if limits can bind, because throttled
--   messages do not count.
-- Touches: message (read). The caller's settings pin the plan.
-- postrider: after log_late, log_range, wants
create or replace function postrider.open_log(p_cursor postrider.claim_cursor, p_late boolean, p_limit int) returns refcursor
    language plpgsql volatile
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_log refcursor;
    v_limit int := case when c.limited then greatest(p_limit, 5000) else p_limit end;
begin
    if p_late then
        open v_log no scroll for
            select m.* from postrider.log_late(c.channel, c.done, c.open, c.xid, c.seq, c.before, 0, c.low, c.high) m
            where m.priority = 0 and m.available_at is null and (m.ordering_key is null or not c.ordered)
              and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
               or clock_timestamp() > c.stop
            limit v_limit;
    else
        open v_log no scroll for
            select m.* from postrider.log_range(c.channel, c.done, c.open, c.xid, c.seq, c.before, c.low, c.high) m
            where m.priority = 0 and m.available_at is null and (m.ordering_key is null or not c.ordered)
              and postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
               or clock_timestamp() > c.stop
            order by m.xid, m.seq
            limit v_limit;
    end if;
    return v_log;
end
$$;
