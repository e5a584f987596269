-- circuit_admit(consumer_id, handlers, limit): how many deliveries of each handler may be handed out now.
-- That is p_limit if the handler's circuit is closed. A ramping circuit allows its current number of runs, and an open
-- one a single probe when the probe is due. Deliveries that have not failed are the first probes. A circuit whose row another session has
-- locked is skipped. If no delivery is due as a probe, first attempts are on trial. So they are when the first probe has failed:
-- the deliveries that are due may fail always, although the handler works. Trials in which a first attempt has succeeded end.
-- Returns: handlers with their numbers, without those that may have none.
-- Touches: circuit, consumer, delivery.
-- postrider: after end_trials, mark_held, postpone_failed, put_probes_first, ring
create or replace function postrider.circuit_admit(p_consumer_id int, p_handlers text[], p_limit int)
    returns table (handler text, slots int)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_held text[] := coalesce((select held_handlers from postrider.consumer where id = p_consumer_id), '{}');
    v_trial boolean;
    k postrider.circuit;
begin
    perform postrider.end_trials(p_consumer_id, p_handlers);
    return query select h, p_limit from unnest(p_handlers) as h where h <> all (v_held);
    for k in
        select * from postrider.circuit
        where consumer_id = p_consumer_id and handler = any (p_handlers) and state in ('open', 'ramp')
        order by handler
        for no key update skip locked
    loop
        continue when k.state = 'open' and k.probe_at > v_now;
        v_trial := k.state = 'open' and k.openings > 1;
        if k.probes = '{}' and k.mode = 'automatic' and (v_trial or not exists (
               select from postrider.delivery d
               where d.consumer_id = p_consumer_id and d.handler = k.handler and d.status = 'pending'
                 and d.available_at <= v_now)) then
            perform postrider.postpone_failed(p_consumer_id, k.handler, v_now + interval '5 seconds', false) where v_trial;
            update postrider.circuit
            set state = case when state = 'ramp' then 'closed' else 'trial' end,
                openings = case when state = 'ramp' then 0 else openings end,
                failures = 0, first_failures = 0, failing_since = case when state = 'open' then v_now end, probe_at = null, allowed = 0,
                opened_at = case when state = 'open' then opened_at end, changed_at = v_now
            where consumer_id = p_consumer_id and handler = k.handler;
            perform postrider.mark_held(p_consumer_id, k.handler, false);
            perform postrider.ring(c.channel) from postrider.consumer c where c.id = p_consumer_id;
            continue;
        end if;
        handler := k.handler;
        slots := least(p_limit, k.allowed - cardinality(k.probes));
        if slots > 0 then
            perform postrider.put_probes_first(p_consumer_id, k.handler, v_now, slots);
            return next;
        end if;
    end loop;
end
$$;
