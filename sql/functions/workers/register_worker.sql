-- register_worker(worker, consumer, handlers, …): registers a worker process and its handlers.
-- p_worker: a random uuid per process. p_handlers: a JSON array of {"name", "event_types", "retry",
-- "max_attempts", "max_crashes", "classes", "honour_terminal", "circuit", "broker", "limit"}, of which all but the first two may be left
-- out; see register_handler(), note_brokers() for "broker" and declare_limits() for "limit". The consumer and the handlers are created when they do not exist.
-- p_owner: the role a new consumer belongs to, by default the session user. A consumer without an owner goes to the first worker that registers.
-- p_ordering: whether the consumer is ordered; see set_ordering(). null: as it is; a new one is not.
-- p_threads: the maximum number of messages that the worker handles at once. If it is null, every message that the worker holds counts for limits.
-- Returns: the consumer's id.
-- Raises: PR001 without handlers, for threads below 1, for an unknown key or a bad policy, PR002 for more than 1000 handlers, a description of
--   more than 16 kB, and above the quotas role_consumers, role_handlers, role_event_types and role_workers, PR013 for malformed
--   names, PR006 in a cluster that needs a rebase, PR010 when the session user is not a member of the role that owns the consumer, or
--   that owns the one p_worker works for now.
-- Touches: worker, consumer, consumer_owner, handler, handler_limit, limit_bucket, lease, rollout, waiting, audit.
-- postrider: grant worker
-- postrider: after create_consumer, register_handler, require_cluster, require_keys, keep_owner, own_consumer, set_ordering, lock_claims, note_rollout, refresh_limits, note_brokers, declare_limits, require_worker_room
create or replace function postrider.register_worker(
    p_worker uuid,
    p_consumer text,
    p_handlers jsonb,
    p_channel text default 'outbox_default',
    p_generation bigint default null,
    p_alive_for interval default '30 seconds',
    p_host text default '',
    p_version text default '',
    p_from_beginning boolean default false,
    p_owner text default null,
    p_ordering text default null,
    p_threads int default null
) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int;
begin
    if p_worker is null or jsonb_typeof(p_handlers) is distinct from 'array'
       or jsonb_array_length(p_handlers) = 0 then
        raise exception using errcode = 'PR001',
            message = 'register_worker: a worker needs an id and at least one handler',
            hint = 'For example: ''[{"name": "billing.all", "event_types": ["*"]}]''.';
    end if;
    perform postrider.require_keys(
        p_handlers, '{name,event_types,retry,max_attempts,max_crashes,classes,honour_terminal,circuit,broker,limit}', 'a handler');
    if (select count(*) <> count(distinct h.name)
           from jsonb_to_recordset(p_handlers) as h(name text) where h.name is not null) then
        raise exception using errcode = 'PR001', message = 'register_worker: a handler is listed twice';
    elsif jsonb_array_length(p_handlers) > 1000
          or exists (select from jsonb_array_elements(p_handlers) as h(description) where octet_length(h.description::text) > 16384) then
        raise exception using errcode = 'PR002',
            message = 'register_worker: a worker may have at most 1000 handlers, each with a description of at most 16384 bytes';
    elsif p_alive_for is null or p_alive_for not between interval '1 second' and interval '1 day'
          or extract(epoch from p_alive_for) not between 1 and 86400 then  -- years with negative days pass the first comparison
        raise exception using errcode = 'PR001',
            message = 'register_worker: alive_for must be between 1 second and 1 day';
    elsif p_threads < 1 then
        raise exception using errcode = 'PR001', message = format('register_worker: threads must be at least 1, got %s', p_threads);
    end if;
    perform postrider.require_cluster();
    -- In the lock order of sql/README.md: the claim lock, then the workers that register_handler() may change and this one,
    -- then circuits and the consumer.
    -- create_consumer() changes an existing consumer, and other workers of a new one wait there.
    select id into v_consumer from postrider.consumer where name = p_consumer and channel = p_channel;
    perform postrider.take_lock(postrider.lock_claims(), v_consumer, 'claims of consumer ' || v_consumer) where v_consumer is not null;
    v_consumer := postrider.create_consumer(p_consumer, p_channel, p_from_beginning, p_owner);
    perform postrider.take_lock(postrider.lock_claims(), v_consumer, 'claims of consumer ' || v_consumer);
    perform postrider.own_consumer(p_consumer, p_owner);
    -- Both checks are needed: another role may have created the name first, and the id may belong to a worker of
    -- another consumer.
    perform postrider.keep_owner(n.name)
    from (select p_consumer as name
          union select c.name from postrider.worker w join postrider.consumer c on c.id = w.consumer_id where w.id = p_worker) n;
    perform postrider.require_worker_room(v_consumer, p_worker);
    perform from postrider.worker where consumer_id = v_consumer or id = p_worker order by id for no key update;
    -- A policy without a circuit closes it. In the lock order: circuits before the consumer, which set_ordering() and register_handler() change.
    perform from postrider.circuit k
    where k.consumer_id = v_consumer and k.handler in (
        select h.name from jsonb_to_recordset(p_handlers) as h(name text, circuit jsonb)
        where postrider.policy_number(h.circuit -> 'failures') = 0)
    order by k.handler for no key update;
    perform postrider.set_ordering(v_consumer, p_ordering);
    perform postrider.register_handler(
        v_consumer, h.name, h.event_types, h.retry, h.max_attempts, h.max_crashes, h.classes, h.honour_terminal,
        h.circuit)
    from jsonb_to_recordset(p_handlers) as h(
        name text, event_types text[], retry jsonb, max_attempts int, max_crashes int, classes jsonb,
        honour_terminal boolean, circuit jsonb);
    perform postrider.note_brokers(v_consumer, p_handlers);
    perform postrider.declare_limits(v_consumer, p_handlers);
    insert into postrider.worker (
        id, consumer_id, handlers, generation, host, version, alive_for, alive_until, login, threads)
    select p_worker, v_consumer, array_agg(h.name order by h.name collate "C"), p_generation, left(p_host, 255),
           left(p_version, 255), p_alive_for, clock_timestamp() + p_alive_for, session_user, p_threads
    from jsonb_to_recordset(p_handlers) as h(name text)
    on conflict (id) do update
    set consumer_id = excluded.consumer_id, handlers = excluded.handlers,
        generation = excluded.generation, host = excluded.host, version = excluded.version,
        alive_for = excluded.alive_for, alive_until = excluded.alive_until, login = excluded.login, changed_handlers = '{}',
        threads = excluded.threads;
    perform postrider.refresh_limits(v_consumer);
    perform postrider.note_rollout(v_consumer, p_generation, left(p_version, 255));
    return v_consumer;
end
$$;
