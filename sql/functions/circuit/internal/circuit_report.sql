-- circuit_report(runs): updates the circuits of handlers after runs that ended together, in the order of the handlers, and then the consumers
-- that hold them: two reports that did both handler by handler would wait for each other.
-- Touches: consumer, and the tables that circuit_after() touches; rings.
-- postrider: after circuit_after, mark_held
create or replace function postrider.circuit_report(p_runs postrider.circuit_runs[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_held boolean[] := '{}';
    v_runs constant postrider.circuit_runs[] := array(select r from unnest(p_runs) r order by r.consumer_id, r.handler);
    r postrider.circuit_runs;
begin
    foreach r in array v_runs loop
        v_held := v_held || postrider.circuit_after(r);
    end loop;
    perform postrider.mark_held(m.consumer_id, m.handler, h.held)
    from unnest(v_runs) with ordinality as m
    join unnest(v_held) with ordinality as h(held, number) on h.number = m.ordinality
    where h.held is not null;
end
$$;
