-- intake(worker): whether a worker that receives messages from a broker should receive more.
-- Returns: whether its consumer is paused, and the handlers of the consumer whose circuit is not closed. A message for such a handler is
--   handed over without a run, as interrupted; when all of them are, the worker leaves messages in the broker, except one message at a
--   time if no delivery of one of them is left that has not failed: it becomes the next probe.
-- Raises: PR004 unknown worker.
-- Touches: consumer, worker (read).
-- postrider: grant worker
-- postrider: after require_worker, untried
create or replace function postrider.intake(p_worker uuid, out paused boolean, out held text[], out probe boolean)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
begin
    select c.paused, array_remove(coalesce(c.held_handlers, '{}'), ''),
           exists (select from postrider.circuit k
                   where k.consumer_id = v_consumer and k.state in ('open', 'ramp') and k.mode = 'automatic'
                     and not exists (select from postrider.untried(v_consumer, k.handler, clock_timestamp(), 1)))
    into paused, held, probe
    from postrider.consumer c where c.id = v_consumer;
end
$$;
