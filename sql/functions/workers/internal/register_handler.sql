-- register_handler(consumer_id, name, event_types, …): registers a handler, from the consumer's cursor on.
-- Deliveries that were parked because their type had no handler get this one.
-- p_event_types: 'a.b', 'a.*' or '*'. p_retry is delay()'s, p_classes classify()'s, p_circuit
-- circuit_report()'s. Null values of the retry policy, the two ceilings and the circuit come from the table setting. When its event types
-- change, claimed messages stay with the handlers they were claimed for, and other workers
-- no longer count as having the handler until they register again: their programs route by the old types.
-- A policy without a circuit ends an outage, unless an operator declared it.
-- A change of an existing handler is recorded in the audit, and changed_handlers() reports it to its live workers.
-- Raises: PR013 for a name without a scope ('billing.send_invoice') or a malformed pattern, PR001 for a bad policy, PR002 as
--   require_handler_room().
-- Touches: handler, consumer, worker, delivery, circuit, audit; rings.
-- postrider: after require_handler, cursor_of, refresh_consumer, matches, require_retry, require_classes, require_circuit, lock_claims
-- postrider: after require_handler_room, take_lock, policy_number, circuit_report, audit_handler
create or replace function postrider.register_handler(
    p_consumer_id int, p_handler text, p_event_types text[],
    p_retry jsonb default null, p_max_attempts int default null, p_max_crashes int default null,
    p_classes jsonb default null, p_honour_terminal boolean default null, p_circuit jsonb default null
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    h postrider.handler;      -- as it was
    n postrider.handler;      -- as it is to be
    v_no_circuit boolean;
begin
    perform postrider.require_handler(p_handler, p_event_types, p_max_attempts, p_max_crashes);
    select coalesce(nullif(p_retry, 'null'), max(s.value) filter (where s.name = 'retry')::jsonb, '{}'),
           coalesce(p_max_attempts, max(s.value) filter (where s.name = 'max_attempts')::int, 5),
           coalesce(p_max_crashes, max(s.value) filter (where s.name = 'max_crashes')::int, 3),
           coalesce(nullif(p_classes, 'null'), '{}'), coalesce(p_honour_terminal, true),
           coalesce(nullif(p_circuit, 'null'), max(s.value) filter (where s.name = 'circuit')::jsonb, '{}')
    into n.retry, n.max_attempts, n.max_crashes, n.classes, n.honour_terminal, n.circuit
    from postrider.setting s;
    perform postrider.require_retry(n.retry);
    perform postrider.require_classes(n.classes);
    perform postrider.require_circuit(n.circuit);
    v_no_circuit := postrider.policy_number(n.circuit -> 'failures') = 0;
    -- No claim may route by the old handlers while the position of the new one is determined.
    perform postrider.take_lock(postrider.lock_claims(), p_consumer_id, 'claims of consumer ' || p_consumer_id);
    select * into h from postrider.handler
    where consumer_id = p_consumer_id and name = p_handler
    order by revision desc limit 1;
    if h.retired_at is null and h.event_types = p_event_types then
        if (h.retry, h.max_attempts, h.max_crashes, h.classes, h.honour_terminal, h.circuit)
           is distinct from (n.retry, n.max_attempts, n.max_crashes, n.classes, n.honour_terminal, n.circuit) then
            update postrider.handler
            set retry = n.retry, max_attempts = n.max_attempts, max_crashes = n.max_crashes, classes = n.classes,
                honour_terminal = n.honour_terminal, circuit = n.circuit
            where consumer_id = p_consumer_id and name = p_handler and revision = h.revision;
            perform postrider.audit_handler(h, 'change_handler');
        end if;
        if v_no_circuit then
            perform postrider.circuit_report(array[
                row(p_consumer_id, p_handler, '{}', '{}', '{}', '{}', false, null, null, 0, 0, null, null)::postrider.circuit_runs]);
        end if;
        return;
    end if;

    perform postrider.require_handler_room(p_consumer_id, p_handler, p_event_types);
    -- In the lock order of sql/README.md: before any circuit and the consumer.
    perform from postrider.worker where consumer_id = p_consumer_id order by id for no key update;
    update postrider.handler
    set retired_at = clock_timestamp(), ends = postrider.cursor_of(p_consumer_id)
    where consumer_id = p_consumer_id and name = p_handler and retired_at is null;
    insert into postrider.handler (
        consumer_id, name, revision, event_types, retry, max_attempts, max_crashes, classes, honour_terminal, circuit,
        starts)
    values (p_consumer_id, p_handler, coalesce(h.revision, 0) + 1, p_event_types, n.retry, n.max_attempts,
            n.max_crashes, n.classes, n.honour_terminal, n.circuit, postrider.cursor_of(p_consumer_id));
    if v_no_circuit then
        -- Before the consumer's row is changed: the lock order is circuit, then consumer.
        perform postrider.circuit_report(array[
            row(p_consumer_id, p_handler, '{}', '{}', '{}', '{}', false, null, null, 0, 0, null, null)::postrider.circuit_runs]);
    end if;
    perform postrider.refresh_consumer(p_consumer_id);
    update postrider.worker
    set handlers = array_remove(handlers, p_handler), changed_handlers = array_remove(changed_handlers, p_handler) || p_handler
    where consumer_id = p_consumer_id and p_handler = any (handlers);
    if h.name is not null then
        perform postrider.audit_handler(h, 'change_handler');
    end if;
    update postrider.delivery d
    set handler = p_handler, retry = n.retry, max_crashes = n.max_crashes,
        max_attempts = coalesce(d.max_attempts, n.max_attempts)
    where d.consumer_id = p_consumer_id and d.handler = '' and d.status = 'pending'
      and postrider.matches(d.event_type, p_event_types);
end
$$;
