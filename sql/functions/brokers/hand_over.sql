-- hand_over(consumer, handler, message, …): makes a message that a program received from a broker, and could not handle, a delivery:
-- with retries, circuit, dead letter and replay, as a message of the log has them. The program acknowledges the message to its
-- broker when this has committed, not before.
-- p_message: a JSON object with publish()'s keys, of which id and event_type are required; also published_at, when the broker got it,
-- and cycle, a number that distinguishes copies of a message that a producer sent on purpose (default 1: a relay counts replays). An
-- id that is no UUID is hashed together with the source, and is then the idempotency key unless there is another. p_outcome, p_error,
-- p_error_class and p_delay_ms: of the failed attempt, which counts as the first one; conclude()'s outcomes except delivered.
-- p_succeeded: the handler has succeeded since the last call; when it has not, its circuit counts the failure. The consumer is the
-- one of this name on the channel broker. It and the handler are made when they do not exist; a worker that registers the handler
-- brings its policy, and workers of that channel run the retries.
-- Returns: the delivery. repeated: this id and cycle were handed over before, and nothing was changed.
-- Raises: PR001 for a missing or malformed argument or key, PR002 for one that is too large, PR010 when the session user may not work
--   for the consumer, PR013 for malformed names.
-- Touches: delivery (insert), and the tables that run_ended() and register_handler() touch; rings.
-- postrider: grant worker
-- postrider: after take_over, create_consumer, register_handler, require_owner, take_lock, lock_claims, own_consumer
create or replace function postrider.hand_over(
    p_consumer text, p_handler text, p_message json, p_error text default null, p_error_class text default null,
    p_outcome text default 'transient', p_delay_ms float8 default null, p_succeeded boolean default true,
    out delivery_id bigint, out status text, out available_at timestamptz, out repeated boolean
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int;
    v_made postrider.ended_run[];
begin
    perform postrider.require_owner(p_consumer);
    -- Locked, because a concurrent transaction may be removing it.
    select c.id into v_consumer from postrider.consumer c
    where c.name = p_consumer and c.channel = 'broker'
      and exists (select from postrider.handler h where h.consumer_id = c.id and h.name = p_handler)
    for key share;
    if not found then
        -- In the lock order of sql/README.md.
        perform postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id)
        from postrider.consumer c where c.name = p_consumer and c.channel = 'broker';
        v_consumer := postrider.create_consumer(p_consumer, 'broker');
        perform postrider.own_consumer(p_consumer);
        perform postrider.register_handler(v_consumer, p_handler, '{*}')
        where not exists (select from postrider.handler h where h.consumer_id = v_consumer and h.name = p_handler);
    end if;
    v_made := postrider.take_over(
        v_consumer,
        json_build_array(json_build_object('message', p_message, 'handler', p_handler, 'outcome', p_outcome, 'error', p_error,
                                           'error_class', p_error_class, 'delay_ms', p_delay_ms)),
        case when p_succeeded then array[p_handler] else '{}' end);
    repeated := v_made = '{}';
    select d.id, d.status, d.available_at into delivery_id, status, available_at
    from postrider.delivery d
    where d.message_id = postrider.message_uuid(p_message ->> 'id', p_message ->> 'source')
      and v_consumer = coalesce(d.origin_id, d.consumer_id) and d.handler = p_handler
      and d.broker_cycle = coalesce((p_message ->> 'cycle')::int, 1);
end
$$;
