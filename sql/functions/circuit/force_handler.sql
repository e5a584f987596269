-- force_handler(consumer, handler, actor, reason, channel): lets a handler run, however often it fails, until
-- release_handler() or hold_handler().
-- Raises, touches: as override_circuit().
-- postrider: grant operator
-- postrider: after override_circuit
create or replace function postrider.force_handler(
    p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text default 'outbox_default'
) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
    select postrider.override_circuit('force_handler', 'forced', p_consumer, p_handler, p_actor, p_reason, p_channel)
    $$;
