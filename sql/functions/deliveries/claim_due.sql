-- claim_due(worker, limit, deadline, alone, batches, hold): leases due deliveries of the worker's handlers to the worker. Payload and headers are
-- as they were published, as those of claim().
-- Ordered by priority, then by due time. The run is counted here. p_limit says how many runs can start at once. p_batches says which
-- handlers take several deliveries in one run, and how many: {"handler": 100}.
-- p_hold lets the worker hold deliveries that wait for a thread: it then gets p_limit + p_hold deliveries, if that is more than p_limit
-- runs. With p_hold, p_limit may be 0. If the worker dies, reap() returns its deliveries uncharged, as suspects: one of them may be the cause. A
-- suspect is handed out only among the runs that start at once, because it is charged with the next crash: those runs come first, and a claim
-- ends before a suspect that no run is left for.
-- A delivery that was charged with a crash in this cycle is handed out alone, and only when p_alone says that nothing else runs in the
-- worker. A handler whose circuit is not closed gets as many as circuit_admit() allows, and a handler with limits as many as its limits allow. A
-- claim counts as a heartbeat.
-- Returns: the deliveries, those of a run one after the other.
-- Raises: PR001, PR004.
-- Touches: delivery (update), worker (periodically), circuit while one is not closed, unique_job if the consumer has unique jobs, limit_bucket if
--   it has limits.
-- postrider: grant worker
-- postrider: after require_batches, require_worker, circuit_admit, choose_due, start_due, choose_limited, circuit_probes, take_lock, lock_claims
create or replace function postrider.claim_due(
    p_worker uuid, p_limit int default 10, p_deadline interval default null, p_alone boolean default true,
    p_batches jsonb default '{}', p_hold int default 0
) returns table (
    delivery_id bigint,
    lease_token uuid,
    deadline timestamptz,
    handler text,
    attempts int,
    cycle int,
    alone boolean,
    id uuid,
    event_type text,
    event_version int,
    occurred_at timestamptz,
    source text,
    target text,
    workspace_id uuid,
    payload json,
    headers json,
    idempotency_key text,
    ordering_key text,
    partition_key text,
    trace_context text,
    content_class text,
    generation bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_consumer int;
    v_token uuid := gen_random_uuid();
    v_want postrider.due_want := row(p_limit, p_hold, null, null, p_alone and p_limit > 0);
    v_ids bigint[];
    w record;
begin
    if p_limit is null or p_hold is null or p_hold not between 0 and 10000
       or p_limit not between (p_hold = 0)::int and 10000 or p_deadline <= interval '0' then
        raise exception using errcode = 'PR001',
            message = 'claim_due: the limit must be between 1 (0 with a hold) and 10000, and a deadline a positive interval';
    end if;
    if p_batches is distinct from '{}' then
        perform postrider.require_batches(p_batches);
    end if;
    if current_setting('postrider.claims', true) is distinct from 'known' then
        perform postrider.require_cluster();
    end if;
    select w.consumer_id, w.handlers, w.login, w.alive_until, w.alive_for, c.paused, c.limited,
           v_now + coalesce(p_deadline, c.lease_deadline, interval '15 minutes') as until,
           exists (select from postrider.unique_job u where u.consumer_id = w.consumer_id) as keyed,
           c.held_handlers && w.handlers or exists (
               select from postrider.circuit k where k.consumer_id = w.consumer_id and k.state = 'trial') as held
    into w
    from postrider.worker w join postrider.consumer c on c.id = w.consumer_id where w.id = p_worker;
    v_consumer := w.consumer_id;
    if v_consumer is null or w.login is distinct from session_user then
        perform postrider.require_worker(p_worker);
    end if;
    if w.paused then
        return;
    elsif w.limited then
        perform postrider.take_lock(postrider.lock_claims(), v_consumer, 'claims of consumer ' || v_consumer);
    end if;
    -- Renewed before the claim: otherwise the deliveries of a slow claim could be reaped and charged at once.
    if w.alive_until < v_now + w.alive_for / 2 then
        update postrider.worker set alive_until = clock_timestamp() + alive_for where id = p_worker;
    end if;
    if w.held then
        select coalesce(array_agg(a.handler), '{}'), array_agg(a.slots) into w.handlers, v_want.slots
        from postrider.circuit_admit(v_consumer, w.handlers, p_limit * (
            select coalesce(max(b.value::int), 1) from jsonb_each_text(p_batches) b) + p_hold) a;
    end if;
    if p_batches <> '{}' then
        v_want.sizes := array(select coalesce((p_batches ->> h.name)::int, 1)
                         from unnest(w.handlers) with ordinality as h(name, n) order by h.n);
    end if;
    v_ids := case when w.limited then postrider.choose_limited(v_consumer, p_worker, w.handlers, v_want, v_now)
                  else postrider.choose_due(v_consumer, w.handlers, v_want, v_now) end;
    if w.keyed then
        v_ids := postrider.start_due(v_consumer, v_ids);
    end if;
    if v_ids is null then
        return;
    end if;
    return query
    update postrider.delivery d
    set status = 'in_flight', attempts = d.attempts + 1, attempts_total = d.attempts_total + 1,
        claimed_at = v_now, worker_id = p_worker, lease_token = v_token, deadline = w.until
    from unnest(v_ids) as chosen(id)
    where d.id = chosen.id
    returning d.id, d.lease_token, d.deadline, d.handler, d.attempts, d.cycle, d.crashes > 0, d.message_id,
              d.event_type, d.event_version, d.occurred_at, d.source, d.target, d.workspace_id, d.payload, d.headers, d.idempotency_key,
              d.ordering_key, d.partition_key, d.trace_context, d.content_class, d.generation;
    if v_want.slots is not null then
        perform postrider.circuit_probes(v_consumer, w.handlers, v_ids);
    end if;
end
$$;
