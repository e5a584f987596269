-- end_trials(consumer_id, handlers): closes the circuits on trial of which a first attempt has succeeded, so that deliveries do not wait longer
-- for the end of a trial: a success of first attempts writes nothing. A circuit whose row another session has locked is skipped.
-- A search that took long is repeated later, so that all of them take a tenth of the time at most, and a call does not begin another one after
-- 50 ms.
-- Touches: circuit (update), circuit_report()'s tables; lease, message, handler (read).
-- postrider: after circuit_report, succeeded_since
create or replace function postrider.end_trials(p_consumer_id int, p_handlers text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now constant timestamptz := clock_timestamp();
    v_start timestamptz;
    v_took interval;
    k postrider.circuit;
begin
    for k in
        select * from postrider.circuit
        where consumer_id = p_consumer_id and handler = any (p_handlers) and state = 'trial' and mode = 'automatic'
          and search_at <= v_now
        order by search_at, handler
        for no key update skip locked
    loop
        v_start := clock_timestamp();
        exit when v_start > v_now + interval '50 ms';
        perform postrider.circuit_report(
            row(p_consumer_id, k.handler, '{}', '{}', '{}', '{}', true, null, null, 0, 0, null)::postrider.circuit_runs)
        where postrider.succeeded_since(p_consumer_id, k.handler, k.failing_since);
        v_took := clock_timestamp() - v_start;
        update postrider.circuit
        set search_at = clock_timestamp() + 10 * v_took * (
            select count(*) from postrider.circuit o where o.consumer_id = p_consumer_id and o.state = 'trial')
        where consumer_id = p_consumer_id and handler = k.handler and v_took > interval '5 ms';
    end loop;
end
$$;
