-- release_handler(consumer, handler, actor, reason, channel): ends a hold or a force: the handler's failures decide again.
-- A circuit that was open is probed at once.
-- Raises, touches: as override_circuit().
-- postrider: grant operator
-- postrider: after override_circuit
create or replace function postrider.release_handler(
    p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text default 'outbox_default'
) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
    select postrider.override_circuit('release_handler', 'automatic', p_consumer, p_handler, p_actor, p_reason, p_channel)
    $$;
