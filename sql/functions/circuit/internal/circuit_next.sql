-- circuit_next(circuit, policy, runs, now): the circuit after runs of its handler that ended together. Decides only: circuit_report()
-- writes the result.
--   closed  counts transient failures in a row; enough of them open it, unless a first attempt has succeeded since the first of them. The retries
--           of messages that always fail come due together, between two first attempts. So three of the failures must be first attempts.
--           Retries alone put the handler on trial, if no first attempt has succeeded since the messages that fail now failed before
--   open    only one probe runs, after open_ms; if it fails or crashes, the delay before the next one doubles
--   ramp    each success of a probe doubles the runs allowed at once; a failure or a crash of one opens it again
--   trial   first attempts run as if it were closed: one that succeeds closes it, and as many failures in a row as opened it open it again, if
--           three are first attempts. Otherwise the retries wait as long as for a probe, until probe_at: messages that always fail must not
--           delay the others
-- With failures 0 in the policy a circuit is closed. A crash of a run that is no probe does not count.
-- Returns: the circuit as it should be.
-- Touches: the tables that succeeded_since() reads.
-- postrider: after succeeded_since
create or replace function postrider.circuit_next(
    p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamptz
) returns postrider.circuit
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    k constant postrider.circuit := p_circuit;
    n postrider.circuit := p_circuit;
    v_well boolean := p_runs.succeeded or p_runs.delivered <> '{}';
    v_down boolean := k.probes && (p_runs.transient || p_runs.crashed);
    v_probe_at constant timestamptz := p_now + make_interval(
        secs => least(p_policy.cap_ms, p_policy.open_ms * power(2, least(k.openings, 30))) / 1000);
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
        elsif v_down then
            n.state := 'open';
        elsif k.probes && p_runs.delivered then
            n.allowed := k.allowed * 2;
            n.state := case when n.allowed > p_policy.ramp then 'closed' else 'ramp' end;
            n.failures := case when n.state = 'ramp' then k.failures else 0 end;
            n.failing_since := case when n.state = 'ramp' then k.failing_since end;
        end if;
    elsif k.mode = 'automatic' then
        if k.state = 'trial' and (v_well or p_runs.transient <> '{}' and postrider.succeeded_since(
                                      k.consumer_id, k.handler, k.failing_since)) then
            n.state := 'closed';
            n.failing_since := null;
        end if;
        if v_well then
            n.failures := 0;
            n.failing_since := null;
        elsif n.state = 'trial' and p_runs.transient <> '{}' then
            n.failures := k.failures + p_runs.failed;
            n.first_failures := k.first_failures + p_runs.first_failed;
            if n.failures >= p_policy.failures and n.first_failures >= least(p_policy.failures, 3) then
                n.state := 'open';
            elsif n.failures >= p_policy.failures then
                n.failures := 0;
                if k.probe_at > p_now is not true then  -- else those ran when it began
                    n.openings := greatest(k.openings, 1);
                    n.probe_at := v_probe_at;
                end if;
            end if;
        elsif p_runs.transient <> '{}' then
            n.failures := k.failures + p_runs.failed;
            n.first_failures := k.first_failures + p_runs.first_failed;
            -- From the start of the transaction, so that successes in the same report count.
            n.failing_since := coalesce(n.failing_since, transaction_timestamp());
            if n.failures >= p_policy.failures then
                if postrider.succeeded_since(k.consumer_id, k.handler, n.failing_since) then
                    n.failures := p_runs.failed;
                    n.first_failures := p_runs.first_failed;
                    n.failing_since := p_now;
                elsif n.first_failures >= least(p_policy.failures, 3) then
                    n.state := 'open';
                elsif p_runs.first_failed = 0 and not postrider.succeeded_since(k.consumer_id, k.handler, p_runs.failed_before_at) then
                    n.state := 'trial';
                    n.failures := 0;
                    n.first_failures := 0;
                    n.failing_since := p_now;
                    n.opened_at := p_now;
                    n.probe_at := v_probe_at;
                else
                    n.failures := p_runs.failed;
                end if;
            end if;
        end if;
    end if;
    if n.state = 'open' and (k.state <> 'open' or k.mode = 'automatic' and v_down) then
        n.openings := k.openings + 1;
        n.opened_at := case when k.openings = 0 then p_now else k.opened_at end;
        n.probe_at := v_probe_at;
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
