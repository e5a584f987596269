-- circuit_wait(circuit, policy): how long a circuit waits until its next probe. A pure function of its arguments.
create or replace function postrider.circuit_wait(p_circuit postrider.circuit, p_policy postrider.circuit_policy) returns interval
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return make_interval(secs => least(p_policy.cap_ms, p_policy.open_ms * power(2, least(p_circuit.openings, 30))) / 1000);
end
$$;
