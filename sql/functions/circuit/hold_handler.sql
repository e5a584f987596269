-- hold_handler(consumer, handler, actor, reason, channel): holds a handler: no run of it starts until release_handler()
-- or force_handler(). Failures during the hold are uncharged.
-- Raises, touches: as override_circuit().
-- postrider: grant operator
-- postrider: after override_circuit
create or replace function postrider.hold_handler(
    p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text default 'outbox_default'
) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
    select postrider.override_circuit('hold_handler', 'held', p_consumer, p_handler, p_actor, p_reason, p_channel)
    $$;
