-- circuit_after(runs): updates a handler's circuit after runs that ended together. circuit_next() decides; this function writes its
-- decision. The handler's policy: {"failures": failures in a row that open the circuit (20; 0: never), "open_ms": how long nothing runs
-- before the first probe (30000), doubled by each probe that fails up to "cap_ms" (600000), "ramp": the circuit closes when more runs
-- than this are allowed at once (16)}. The circuit of a retired handler is deleted, because no run could close it.
-- Deliveries are postponed and released until the time that the runs name; circuits are locked meanwhile.
-- Returns: whether the handler is held from now on; null when that is as before.
-- Touches: circuit, delivery, alert; rings when more may run.
-- postrider: after policy_number, circuit_next, postpone_failed, release_failed, send_alerts, ring
create or replace function postrider.circuit_after(p_runs postrider.circuit_runs) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r constant postrider.circuit_runs := p_runs;
    v_now timestamptz := clock_timestamp();
    v_retired_at timestamptz;
    v_alert bigint;
    v_failed boolean;          -- the error is the circuit's
    p postrider.circuit_policy;
    k postrider.circuit;
    n postrider.circuit;       -- as it should be
begin
    select coalesce(postrider.policy_number(h.circuit -> 'failures'), 20),
           coalesce(postrider.policy_number(h.circuit -> 'open_ms'), 30000),
           coalesce(postrider.policy_number(h.circuit -> 'cap_ms'), 600000),
           coalesce(postrider.policy_number(h.circuit -> 'ramp'), 16), h.retired_at
    into p.failures, p.open_ms, p.cap_ms, p.ramp, v_retired_at
    from postrider.handler h where h.consumer_id = r.consumer_id and h.name = r.handler
    order by h.revision desc limit 1;
    if not found then
        return null;
    elsif v_retired_at is not null then
        perform postrider.release_failed(r.consumer_id, r.handler, c.probe_at)
        from postrider.circuit c where c.consumer_id = r.consumer_id and c.handler = r.handler and c.state = 'trial';
        delete from postrider.circuit where consumer_id = r.consumer_id and handler = r.handler;
        if found then
            perform postrider.ring(co.channel) from postrider.consumer co where co.id = r.consumer_id;
            return false;
        end if;
        return null;
    end if;
    if r.transient <> '{}' and p.failures > 0 and not (r.succeeded or r.delivered <> '{}') then
        insert into postrider.circuit (consumer_id, handler) values (r.consumer_id, r.handler) on conflict do nothing;
    end if;
    select * into k from postrider.circuit where consumer_id = r.consumer_id and handler = r.handler for no key update;
    if not found then
        return null;
    end if;
    n := postrider.circuit_next(k, p, r, v_now);
    perform postrider.postpone_failed(r.consumer_id, r.handler, n.probe_at, n.probe_at is not distinct from k.probe_at)
    where n.state = 'trial' and (k.state <> 'trial' or n.failures = 0 and r.transient <> '{}') and (r.until < clock_timestamp()) is not true;
    perform postrider.release_failed(r.consumer_id, r.handler, k.probe_at)
    where n.state = 'closed' and k.state = 'trial' and (r.until < clock_timestamp()) is not true;
    if n is not distinct from k then
        return null;
    end if;
    v_failed := r.transient <> '{}' or k.probes && r.crashed;
    update postrider.circuit
    set state = n.state, failures = n.failures, first_failures = case when n.failures > 0 or n.state = 'trial' then n.first_failures else 0 end,
        failing_since = n.failing_since, openings = n.openings,
        opened_at = n.opened_at, probe_at = n.probe_at, allowed = n.allowed, probes = n.probes,
        error_class = case when v_failed then left(r.error_class, 255) else error_class end,
        last_error = case when v_failed then left(r.error, 1000) else last_error end,
        changed_at = case when n.state <> k.state or n.openings <> k.openings then v_now else changed_at end
    where consumer_id = r.consumer_id and handler = r.handler;
    if n.openings = 1 and k.openings = 0 then
        insert into postrider.alert (kind, at, consumer, channel, handler_name, last_error, error_class)
        select 'circuit_opened', v_now, co.name, co.channel, r.handler, r.error, r.error_class
        from postrider.consumer co where co.id = r.consumer_id
        returning id into v_alert;
        perform postrider.send_alerts(array[v_alert]);
    elsif n.allowed <> k.allowed or n.state <> k.state then
        perform postrider.ring(co.channel) from postrider.consumer co where co.id = r.consumer_id;
    end if;
    return nullif(n.state in ('open', 'ramp'), k.state in ('open', 'ramp'));
end
$$;
