-- end_trials(consumer_id, handlers): closes the circuits on trial of which a first attempt has succeeded, so that deliveries do not wait longer
-- for the end of a trial: a success of first attempts writes nothing. A circuit whose row another session has locked is skipped.
-- Claims call it. It searches for about 50 ms at most, and closes circuits for half a second. A session begins a search only if those before
-- took a tenth of its time.
-- Touches: circuit (read), circuit_report()'s tables; lease, message, handler (read).
-- postrider: after circuit_report, succeeded_since
create or replace function postrider.end_trials(p_consumer_id int, p_handlers text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_start constant timestamptz := clock_timestamp();
    v_found text[];
    k postrider.circuit;
begin
    if v_start < nullif(current_setting('postrider.search_at', true), '')::timestamptz then
        return;
    end if;
    v_found := (
        select postrider.succeeded_since(p_consumer_id, array_agg(c.handler), array_agg(c.failing_since), v_start + interval '50 ms')
        from postrider.circuit c
        where c.consumer_id = p_consumer_id and c.handler = any (p_handlers) and c.state = 'trial' and c.mode = 'automatic');
    for k in
        select * from postrider.circuit where consumer_id = p_consumer_id and handler = any (v_found) and state = 'trial'
        order by handler
        for no key update skip locked
    loop
        perform postrider.circuit_report(array[
            row(p_consumer_id, k.handler, '{}', '{}', '{}', '{}', true, null, null, 0, 0, null, null)::postrider.circuit_runs]);
        exit when clock_timestamp() > v_start + interval '0.5 seconds';  -- the others are found again
    end loop;
    perform set_config('postrider.search_at', (clock_timestamp() + 10 * (clock_timestamp() - v_start))::text, false);
end
$$;
