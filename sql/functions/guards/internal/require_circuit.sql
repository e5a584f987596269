-- require_circuit(circuit): refuses a malformed circuit policy; circuit_report() describes it.
-- Raises: PR001, with the problem.
-- postrider: after require_keys
create or replace function postrider.require_circuit(p_circuit jsonb) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_problem text;
begin
    perform postrider.require_keys(p_circuit, '{failures,open_ms,cap_ms,ramp}', 'a circuit policy');
    if jsonb_typeof(p_circuit) <> 'object' then
        v_problem := 'it must be a JSON object';
    else
        select case
            when case when jsonb_typeof(value) = 'number'
                      then (value #>> '{}')::numeric not between (key <> 'failures')::int and 1000000000 else true end
                then key || ' must be a number from ' || (key <> 'failures')::int || ' to 1000000000'
        end into v_problem
        from jsonb_each(p_circuit)
        order by 1 nulls last
        limit 1;
    end if;
    if v_problem is not null then
        raise exception using errcode = 'PR001', message = 'circuit policy: ' || v_problem,
            hint = 'For example: {"failures": 20, "open_ms": 30000, "cap_ms": 600000, "ramp": 16}; {"failures": 0} is none.';
    end if;
end
$$;
