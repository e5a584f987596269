-- set_limit(consumer, handler, limit, actor, reason, channel): limits the runs of a handler: how many run at once (concurrency), and how many
-- start per period (rate). Messages that cannot start are throttled: they wait, spend no attempt, and are never dropped. The limit holds from
-- the next claim on; runs that have started go on.
-- p_limit is a JSON object, and replaces the limit that the handler had, also one that a worker declares:
--   concurrency  runs at once, in all workers
--   per_worker   runs at once in one worker
--   rate         {"starts": 100, "period": "1 minute", "burst": 10}: starts in a period; up to `burst` of them at once, by default all
--   key          the field of messages that is their key: workspace_id, ordering_key, partition_key, source or event_type. Throttled
--                messages of different keys take turns, also without a limit per key
--   per_key, key_rate  concurrency and rate of the messages of one key; those without a key have none
--   weights      {"<key>": 3}: keys that take more than one turn per round
-- A worker has at most as many runs at once as it has threads; see register_worker(). First attempts of messages from a broker do not
-- count.
-- Operators may set all limits, other roles those of their consumers.
-- Returns: created, changed or unchanged.
-- Raises: PR003 and PR011 when there is no such consumer or active handler, PR001 for a limit that cannot be used and without actor or
--   reason, PR010 for a consumer of another role, PR012 for an ordered consumer, 55P03 as take_lock().
-- Touches: handler_limit, consumer, waiting, limit_bucket, audit; lease, worker, handler (read).
-- postrider: grant operator, worker
-- postrider: after limited_consumer, limit_json, read_limit, refresh_limits, require_limitable, write_audit, write_limit, ring
create or replace function postrider.set_limit(
    p_consumer text, p_handler text, p_limit jsonb, p_actor text default session_user, p_reason text default 'not given',
    p_channel text default 'outbox_default'
) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    c postrider.consumer := postrider.limited_consumer(p_consumer, p_channel, 'set_limit');
    n postrider.handler_limit := postrider.read_limit(p_limit);
    w record;
begin
    perform postrider.require_limitable(c, p_handler);
    n.consumer_id := c.id;
    n.handler := p_handler;
    w := postrider.write_limit(n);
    if w.result = 'unchanged' then
        return w.result;
    end if;
    perform postrider.refresh_limits(c.id);
    perform postrider.write_audit(
        p_actor, 'set_limit', p_reason, jsonb_build_object('consumer', p_consumer, 'channel', p_channel, 'handler', p_handler),
        postrider.limit_json(w.before), p_limit);
    perform postrider.ring(p_channel);
    return w.result;
end
$$;
