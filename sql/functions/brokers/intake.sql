-- intake(worker): whether a worker that receives messages from a broker should receive more.
-- Returns: whether its consumer is paused, and the handlers of the consumer whose circuit is not closed. A message for such a handler is
--   handed over without a run, as interrupted; when all of them are, the worker leaves messages in the broker.
-- Raises: PR004 unknown worker.
-- Touches: consumer, worker (read).
-- postrider: grant worker
-- postrider: after require_worker
create or replace function postrider.intake(p_worker uuid, out paused boolean, out held text[])
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
begin
    select c.paused, array_remove(coalesce(c.held_handlers, '{}'), '') into paused, held
    from postrider.consumer c where c.id = v_consumer;
end
$$;
