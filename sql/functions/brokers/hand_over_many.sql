-- hand_over_many(worker, failures, succeeded): hands over messages that a worker received from a broker and could not handle, as
-- hand_over() does, for the worker's consumer.
-- p_failures: a JSON array of {"message", "handler", "outcome", "error", "error_class", "delay_ms"}, with hand_over()'s messages and
-- outcomes. A message that several handlers could not handle is there once for each. p_succeeded: the handlers that have succeeded
-- since the worker's last call.
-- Returns: the result of intake() afterwards.
-- Raises: PR001 for malformed failures, PR002 for a value that is too large, PR004 unknown worker, PR011 for a handler that the
--   consumer does not have.
-- Touches: delivery (insert), and the tables that run_ended() touches; rings.
-- postrider: grant worker
-- postrider: after take_over, require_worker, intake
create or replace function postrider.hand_over_many(
    p_worker uuid, p_failures json, p_succeeded text[] default '{}', out paused boolean, out held text[], out probe boolean
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
begin
    perform postrider.take_over(v_consumer, p_failures, p_succeeded);
    select i.paused, i.held, i.probe into paused, held, probe from postrider.intake(p_worker) i;
end
$$;
