-- circuit_report(consumer_id, handler, delivered, failed, crashed, other, succeeded, class, error): what the runs of a
-- handler that ended together mean for its circuit.
-- p_delivered, p_failed (transiently), p_crashed and p_other are deliveries, p_succeeded says that first attempts beside
-- them ended well.
--   closed  counts transient failures in a row; enough of them open it, unless first attempts succeeded meanwhile
--   open    nothing runs but, after a while, one probe: if it fails or crashes the next one has to wait longer
--   ramp    more and more may run at once; a failure or a crash opens it again
--   trial   there was nothing to probe with: handed out as if it were closed, the first failure opens it again
-- The handler's policy: {"failures": this many in a row open it (20; 0: never), "open_ms": so long nothing runs before
-- the first probe (30000), doubled by each one that fails up to "cap_ms" (600000), "ramp": beyond this many at once it
-- is closed (16)}. With failures 0, what is left of a circuit is closed; that of a retired handler, which nobody could
-- close any more, is forgotten.
-- Touches: circuit, consumer, alert; rings when more may run.
-- postrider: after policy_number, succeeded_since, hold_handler, send_alerts, ring
create or replace function postrider.circuit_report(
    p_consumer_id int, p_handler text, p_delivered bigint[], p_failed bigint[], p_crashed bigint[],
    p_other bigint[], p_succeeded boolean, p_error_class text, p_error text
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_well boolean := p_succeeded or p_delivered <> '{}';
    v_down boolean;            -- a probe failed; of others a crash says nothing
    v_alert bigint;
    c record;                  -- consumer
    p record;                  -- policy
    k postrider.circuit;
    n postrider.circuit;       -- as it is to be
begin
    select coalesce(postrider.policy_number(h.circuit -> 'failures'), 20) as failures,
           coalesce(postrider.policy_number(h.circuit -> 'open_ms'), 30000) as open_ms,
           coalesce(postrider.policy_number(h.circuit -> 'cap_ms'), 600000) as cap_ms,
           coalesce(postrider.policy_number(h.circuit -> 'ramp'), 16) as ramp,
           h.retired_at
    into p
    from postrider.handler h where h.consumer_id = p_consumer_id and h.name = p_handler
    order by h.revision desc limit 1;
    if not found then
        return;
    elsif p.retired_at is not null then
        delete from postrider.circuit where consumer_id = p_consumer_id and handler = p_handler;
        if found then
            perform postrider.hold_handler(p_consumer_id, p_handler, false);
            perform postrider.ring(co.channel) from postrider.consumer co where co.id = p_consumer_id;
        end if;
        return;
    end if;
    if p_failed <> '{}' and not v_well and p.failures > 0 then
        insert into postrider.circuit (consumer_id, handler) values (p_consumer_id, p_handler) on conflict do nothing;
    end if;
    select * into k from postrider.circuit where consumer_id = p_consumer_id and handler = p_handler for no key update;
    if not found then
        return;
    end if;

    n := k;
    v_down := k.probes && (p_failed || p_crashed);
    if p.failures = 0 and k.mode = 'automatic' then
        n.state := 'closed';
        n.failures := 0;
        n.failing_since := null;
    elsif k.state in ('open', 'ramp') then
        n.probes := array(select unnest(k.probes) except select unnest(p_delivered || p_failed || p_crashed || p_other));
        if k.mode <> 'automatic' then
            null;
        elsif v_down then
            n.state := 'open';
        elsif k.probes && p_delivered then
            n.allowed := k.allowed * 2;
            n.state := case when n.allowed > p.ramp then 'closed' else 'ramp' end;
            n.failures := case when n.state = 'ramp' then k.failures else 0 end;
            n.failing_since := case when n.state = 'ramp' then k.failing_since end;
        end if;
    elsif k.mode = 'automatic' then
        if k.state = 'trial' and (v_well or p_failed <> '{}' and postrider.succeeded_since(
                                      p_consumer_id, p_handler, k.failing_since)) then
            n.state := 'closed';
            n.failing_since := null;
        end if;
        if v_well then
            n.failures := 0;
            n.failing_since := null;
        elsif n.state = 'trial' and p_failed <> '{}' then
            n.state := 'open';
        elsif p_failed <> '{}' then
            n.failures := k.failures + cardinality(p_failed);
            -- What succeeded in the same report counts, too.
            n.failing_since := coalesce(n.failing_since, transaction_timestamp());
            if n.failures >= p.failures then
                if postrider.succeeded_since(p_consumer_id, p_handler, n.failing_since) then
                    n.failures := cardinality(p_failed);
                    n.failing_since := v_now;
                else
                    n.state := 'open';
                end if;
            end if;
        end if;
    end if;

    if n.state = 'open' and (k.state <> 'open' or k.mode = 'automatic' and v_down) then
        n.openings := k.openings + 1;
        n.opened_at := case when k.openings = 0 then v_now else k.opened_at end;
        n.probe_at := v_now + make_interval(
            secs => least(p.cap_ms, p.open_ms * power(2, least(k.openings, 30))) / 1000);
        n.allowed := 1;
    elsif n.state = 'closed' and k.state <> 'closed' then
        n.openings := 0;
        n.opened_at := null;
        n.probe_at := null;
        n.allowed := 0;
        n.probes := '{}';
    end if;
    if n is not distinct from k then
        return;
    end if;
    update postrider.circuit
    set state = n.state, failures = n.failures, failing_since = n.failing_since, openings = n.openings,
        opened_at = n.opened_at, probe_at = n.probe_at, allowed = n.allowed, probes = n.probes,
        error_class = case when p_failed <> '{}' or v_down then left(p_error_class, 255) else error_class end,
        last_error = case when p_failed <> '{}' or v_down then left(p_error, 1000) else last_error end,
        changed_at = case when n.state <> k.state or n.openings <> k.openings then v_now else changed_at end
    where consumer_id = p_consumer_id and handler = p_handler;

    if (k.state in ('open', 'ramp')) <> (n.state in ('open', 'ramp')) then
        perform postrider.hold_handler(p_consumer_id, p_handler, n.state in ('open', 'ramp'));
    end if;
    if n.openings = 1 and k.openings = 0 then
        insert into postrider.alert (kind, at, consumer, channel, handler_name, last_error, error_class)
        select 'circuit_opened', v_now, co.name, co.channel, p_handler, p_error, p_error_class
        from postrider.consumer co where co.id = p_consumer_id
        returning id into v_alert;
        perform postrider.send_alerts(array[v_alert]);
    elsif n.allowed <> k.allowed or n.state <> k.state then
        perform postrider.ring(co.channel) from postrider.consumer co where co.id = p_consumer_id;
    end if;
end
$$;
