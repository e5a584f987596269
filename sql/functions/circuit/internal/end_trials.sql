-- end_trials(consumer_id, handlers): closes the circuits on trial of which a first attempt has succeeded, so that deliveries do not wait longer
-- for the end of a trial: a success of first attempts writes nothing. A circuit whose row another session has locked is skipped.
-- Touches: circuit_report()'s tables; lease, message, handler (read).
-- postrider: after circuit_report, succeeded_since
create or replace function postrider.end_trials(p_consumer_id int, p_handlers text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    k postrider.circuit;
begin
    for k in
        select * from postrider.circuit
        where consumer_id = p_consumer_id and handler = any (p_handlers) and state = 'trial' and mode = 'automatic'
          and probe_at > clock_timestamp()
        order by handler
        for no key update skip locked
    loop
        perform postrider.circuit_report(
            row(p_consumer_id, k.handler, '{}', '{}', '{}', '{}', true, null, null, 0, 0, null)::postrider.circuit_runs)
        where postrider.succeeded_since(p_consumer_id, k.handler, k.failing_since);
    end loop;
end
$$;
