-- circuit_trial(circuit, policy, now): the circuit when a trial begins in which deliveries that have failed wait as long as for a probe. A pure
-- function of its arguments.
-- postrider: after circuit_wait
create or replace function postrider.circuit_trial(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_now timestamptz)
    returns postrider.circuit
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    n postrider.circuit := p_circuit;
begin
    n.state := 'trial';
    n.failures := 0;
    n.first_failures := 0;
    n.failing_since := p_now;
    n.opened_at := coalesce(n.opened_at, p_now);
    n.probe_at := p_now + postrider.circuit_wait(p_circuit, p_policy);
    n.allowed := 0;
    n.probes := '{}';
    return n;
end
$$;
