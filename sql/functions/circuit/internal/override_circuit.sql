-- override_circuit(action, mode, consumer, handler, actor, reason, channel): sets the mode of a handler's circuit for an operator.
--   held       no run of the handler starts; failures during the hold are uncharged
--   forced     it runs, however often it fails
--   automatic  its failures decide (the default); a circuit that was open is probed at once, or closed when it was on trial or the
--              handler's policy has no circuit
-- Raises: PR001 without actor or reason, PR003 no such consumer, PR011 no such active handler.
-- Touches: circuit, consumer, delivery, audit; rings.
-- postrider: after policy_number, mark_held, release_failed, ring, write_audit
create or replace function postrider.override_circuit(
    p_action text, p_mode text, p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_consumer int;
    v_policy jsonb;
    v_now timestamptz := clock_timestamp();
    v_before jsonb;
    k postrider.circuit;
begin
    select id into v_consumer from postrider.consumer where name = p_consumer and channel = p_channel;
    if not found then
        raise exception using errcode = 'PR003', message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    select circuit into v_policy from postrider.handler
    where consumer_id = v_consumer and name = p_handler and retired_at is null;
    if not found then
        raise exception using errcode = 'PR011',
            message = format('consumer %s on %s has no active handler %s', p_consumer, p_channel, p_handler);
    end if;
    insert into postrider.circuit (consumer_id, handler) values (v_consumer, p_handler) on conflict do nothing;
    select * into k from postrider.circuit where consumer_id = v_consumer and handler = p_handler for no key update;
    v_before := jsonb_build_object('mode', k.mode, 'state', k.state);
    perform postrider.release_failed(v_consumer, p_handler, k.probe_at) where k.state = 'trial';
    k.state := case when p_mode = 'held' then 'open' when p_mode = 'forced' or k.state = 'trial' then 'closed'
                    when postrider.policy_number(v_policy -> 'failures') = 0 then 'closed' else k.state end;
    update postrider.circuit
    set mode = p_mode, state = k.state, changed_at = v_now,
        failures = case when k.state = 'closed' then 0 else failures end,
        failing_since = case when k.state = 'closed' then null else failing_since end,
        openings = case when k.state = 'closed' then 0 else openings end,
        opened_at = case when k.state = 'closed' then null else coalesce(opened_at, v_now) end,
        probe_at = case when p_mode = 'held' then 'infinity'
                        when k.state = 'open' then least(probe_at, v_now) else null end,
        allowed = (k.state in ('open', 'ramp'))::int,
        probes = case when k.state = 'closed' then '{}' else probes end
    where consumer_id = v_consumer and handler = p_handler;
    perform postrider.mark_held(v_consumer, p_handler, k.state in ('open', 'ramp'));
    perform postrider.ring(p_channel);
    perform postrider.write_audit(
        p_actor, p_action, p_reason,
        jsonb_build_object('consumer', p_consumer, 'channel', p_channel, 'handler', p_handler), v_before,
        jsonb_build_object('mode', p_mode, 'state', k.state));
end
$$;
