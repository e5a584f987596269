-- circuit_next(circuit, policy, runs, now): the circuit after runs of its handler that ended together. Decides only: circuit_report()
-- writes the result.
--   closed  enough transient failures in a row open it
--   open    only one probe runs, after open_ms; if it fails or crashes, the delay before the next one doubles
--   ramp    each success of a probe doubles the runs allowed at once; a failure or a crash of one, after others have succeeded, may be
--           that of a message that always fails: it begins a trial
--   trial   first attempts run as if it were closed: one that succeeds closes it, and as many failures in a row as opened it open it again.
--           Deliveries that have failed wait until probe_at or, if it was open, for five seconds
-- circuit_count() counts the failures of a circuit that is closed or on trial.
-- With failures 0 in the policy a circuit is closed. A crash of a run that is no probe does not count.
-- Returns: the circuit as it should be.
-- Touches: the tables that succeeded_since() reads.
-- postrider: after circuit_count, circuit_trial, circuit_wait
create or replace function postrider.circuit_next(
    p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamptz
) returns postrider.circuit
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    k constant postrider.circuit := p_circuit;
    n postrider.circuit := p_circuit;
    v_down boolean := k.probes && (p_runs.transient || p_runs.crashed);
begin
    if p_policy.failures = 0 and k.mode = 'automatic' then
        n.state := 'closed';
        n.failures := 0;
        n.failing_since := null;
    elsif k.state in ('open', 'ramp') then
        n.probes := array(select unnest(k.probes)
                          except select unnest(p_runs.delivered || p_runs.transient || p_runs.crashed || p_runs.other));
        if k.mode <> 'automatic' then
            null;
        elsif v_down and k.state = 'ramp' then
            n := postrider.circuit_trial(k, p_policy, p_now);
        elsif v_down then
            n.state := 'open';
        elsif k.probes && p_runs.delivered then
            n.openings := 1;
            n.probe_at := p_now;
            n.allowed := k.allowed * 2;
            n.state := case when n.allowed > p_policy.ramp then 'closed' else 'ramp' end;
            n.failures := case when n.state = 'ramp' then k.failures else 0 end;
            n.failing_since := case when n.state = 'ramp' then k.failing_since end;
        end if;
    elsif k.mode = 'automatic' then
        n := postrider.circuit_count(k, p_policy, p_runs, p_now);
    end if;
    if n.state = 'open' and (k.state <> 'open' or k.mode = 'automatic' and v_down) then
        n.openings := k.openings + 1;
        n.opened_at := case when k.openings = 0 then p_now else k.opened_at end;
        n.probe_at := p_now + postrider.circuit_wait(k, p_policy);
        n.allowed := 1;
    elsif n.state = 'closed' and k.state <> 'closed' then
        n.openings := 0;
        n.opened_at := null;
        n.probe_at := null;
        n.allowed := 0;
        n.probes := '{}';
    end if;
    return n;
end
$$;
