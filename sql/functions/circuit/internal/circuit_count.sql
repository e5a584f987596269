-- circuit_count(circuit, policy, runs, now): the circuit, closed or on trial, after runs of its handler that ended together. Enough transient
-- failures in a row open it, unless a first attempt has succeeded since the first of them. The retries of messages that always fail
-- come due together, between two first attempts, and must not delay other messages. So three of the failures must be first
-- attempts, or have an error class that means an outage. Retries alone put a closed circuit on trial, if no first attempt has
-- succeeded since the messages that fail now failed before; then these wait until probe_at, as long as for a probe. Decides only.
-- Touches: the tables that succeeded_since() reads.
-- postrider: after circuit_trial, circuit_wait, succeeded_since
create or replace function postrider.circuit_count(
    p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamptz
) returns postrider.circuit
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    k constant postrider.circuit := p_circuit;
    n postrider.circuit := p_circuit;
begin
    if p_runs.succeeded or p_runs.delivered <> '{}' then
        n.state := 'closed';
        n.failures := 0;
        n.failing_since := null;
    elsif p_runs.transient <> '{}' then
        n.failures := k.failures + p_runs.failed;
        n.first_failures := k.first_failures + p_runs.first_failed;
        -- From the start of the transaction, so that successes in the same report count.
        n.failing_since := coalesce(k.failing_since, transaction_timestamp());
        if n.failures < p_policy.failures then
            return n;
        elsif postrider.succeeded_since(k.consumer_id, array[k.handler], array[n.failing_since], p_runs.until) <> '{}' then
            n.state := 'closed';
            n.failures := p_runs.failed;
            n.first_failures := p_runs.first_failed;
            n.failing_since := p_now;
        elsif n.first_failures >= least(p_policy.failures, 3) then
            n.state := 'open';
        elsif k.state = 'trial' then
            n.failures := 0;
            if k.probe_at > p_now is not true then  -- else those ran when it began
                n.openings := greatest(k.openings, 1);
                n.probe_at := p_now + postrider.circuit_wait(k, p_policy);
            end if;
        elsif p_runs.first_failed = 0 and postrider.succeeded_since(
                  k.consumer_id, array[k.handler], array[p_runs.failed_before_at], p_runs.until) = '{}' then
            n := postrider.circuit_trial(k, p_policy, p_now);
        else
            n.failures := p_runs.failed;
        end if;
    end if;
    return n;
end
$$;
