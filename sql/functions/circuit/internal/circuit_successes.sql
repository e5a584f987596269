-- circuit_successes(lease, seqs, failed): the handlers that succeeded, because these messages of a lease were delivered: only those
-- with failures counted by their circuit, and those that have failed in the same report. Resets the failure counts of their circuits.
-- Needed for leases that are settled in parts and for messages that waited; succeeded_since() finds the successes of a lease that is settled as
-- a whole.
-- Returns: the names of the handlers.
-- Touches: circuit (update); message, handler (read).
-- postrider: after matches, covers, circuit_report, lease_log, taken_messages
create or replace function postrider.circuit_successes(p_lease postrider.lease, p_seqs bigint[], p_failed text[])
    returns text[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    v_consumer int := abs(p_lease.consumer_id);
    v_channel text;
    v_handlers text[] := array(
        select k.handler from postrider.circuit k where k.consumer_id = v_consumer and (k.failures > 0 or k.state = 'trial')
        union
        select unnest(p_failed));
begin
    if v_handlers = '{}' then
        return '{}';
    end if;
    v_channel := (select c.channel from postrider.consumer c where c.id = v_consumer);
    v_handlers := array(
        select n.handler from unnest(v_handlers) as n(handler)
        where exists (
            select from (
                select m.* from postrider.lease_log(v_channel, p_lease) m where p_lease.taken is null
                union all
                select m.* from postrider.taken_messages(v_channel, p_lease.taken) m) m
            join postrider.handler h on h.consumer_id = v_consumer and h.name = n.handler
                and postrider.matches(m.event_type, h.event_types)
                and (p_lease.taken is not null and h.ends is null
                     or not postrider.covers(h.starts, m.xid, m.seq)
                        and (h.ends is null or postrider.covers(h.ends, m.xid, m.seq)))
            where m.seq + 0 = any (p_seqs)
              and not exists (select from postrider.delivery d
                              where d.seq = m.seq and h.consumer_id in (d.consumer_id, d.origin_id) and d.handler = h.name))
        order by 1);
    -- Those that failed beside them, too: run_ended() locks them afterwards, in the same order.
    perform from postrider.circuit k where k.consumer_id = v_consumer and k.handler = any (v_handlers || p_failed)
    order by k.handler for no key update;
    perform postrider.circuit_report(array_agg(
        row(v_consumer, n.handler, '{}', '{}', '{}', '{}', true, null, null, 0, 0, null,
            clock_timestamp() + interval '0.5 seconds')::postrider.circuit_runs))
    from unnest(v_handlers) as n(handler);
    return v_handlers;
end
$$;
