-- publish_unique(event_type, target, key, scope, …): appends one message to the log in the caller's transaction, unless a job of the same
-- consumer and handler holds the key. Keys are compared as they are, byte by byte.
-- p_target is required, and exactly one handler of that consumer must take the event type: the key belongs to the pair.
-- p_scope says how long the key is held:
--   until_started    until the job is handed out to a worker for the first time
--   until_finished   until the job is delivered, dead, cancelled or discarded; retries included
--   period           for p_period from now on, whatever the outcome of the job
--   serial           until it is started; then its runs and those of the next job of the key do not overlap. So at most one job runs or
--                    is retried and at most one waits, and for every call there is a run that begins after it
-- Other arguments, p_payload, p_headers and p_metadata among them, are publish()'s.
-- While another transaction that published the key has not ended, the call waits for its end: at most for the setting unique_wait, or
-- the session's lock_timeout if that is shorter.
-- Returns: the id of the message that was published, or of the one that holds the key; duplicate: it is the latter.
-- Raises: PR001 and PR002 as publish(), PR003 unknown consumer, PR011 no handler takes the type, PR001 several do; 55P03, 40P01 and
--   40001 as take_key().
-- Touches: unique_job, message (insert), unique_duplicate_seq; consumer, handler, setting (read).
-- postrider: grant producer
-- postrider: after message_problem, one_handler, require_scope, take_key
create or replace function postrider.publish_unique(
    p_event_type text,
    p_target text,
    p_key text,
    p_scope text default 'until_finished',
    p_payload jsonb default '{}',
    p_period interval default null,
    p_source text default '',
    p_channel text default 'outbox_default',
    p_id uuid default null,
    p_event_version int default 1,
    p_occurred_at timestamptz default null,
    p_workspace_id uuid default null,
    p_idempotency_key text default null,
    p_ordering_key text default null,
    p_partition_key text default null,
    p_headers jsonb default null,
    p_metadata jsonb default null,
    p_trace_context text default null,
    p_content_class text default null,
    p_generation bigint default null,
    p_available_at timestamptz default null,
    p_priority int default 0,
    p_max_attempts int default null,
    out id uuid,
    out duplicate boolean
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_problem text;
    o record;                -- whose job it is
    j postrider.unique_job;  -- the new one
    h postrider.unique_job;  -- the one that holds the key
begin
    v_problem := postrider.message_problem(
        p_event_type, p_channel, p_source, p_target, p_payload, p_headers, p_metadata,
        array[p_idempotency_key, p_ordering_key, p_partition_key, p_trace_context, p_content_class],
        p_priority, p_max_attempts);
    if v_problem is not null then
        raise exception using errcode = left(v_problem, 5), message = 'publish_unique: ' || substr(v_problem, 7);
    end if;
    -- The usual case is checked inline, because a function call takes longer.
    if (p_scope in ('until_started', 'until_finished', 'serial') and p_period is null and octet_length(p_key) between 1 and 255) is not true then
        perform postrider.require_scope(p_key, p_scope, p_period);
    end if;
    o := postrider.one_handler(p_target, p_channel, p_event_type);
    j := row(o.consumer_id, o.handler, p_key, 'first', p_scope, coalesce(p_id, postrider.uuid_v7()),
             nextval('postrider.message_seq_seq'), null, clock_timestamp() + p_period, false);
    h := postrider.take_key(j, o.wait);
    duplicate := h.seq is not null;
    if duplicate then
        id := h.message_id;
        -- Counted for the metrics, without a row that publishers would wait for.
        j.seq := nextval('postrider.unique_duplicate_seq');
        return;
    end if;
    id := j.message_id;
    insert into postrider.message (
        seq, id, channel, event_type, event_version, occurred_at, source, target, content_class, generation,
        workspace_id, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, available_at, priority, max_attempts, unique_key, unique_scope)
    overriding system value
    values (
        j.seq, j.message_id, p_channel, p_event_type, coalesce(p_event_version, 1), coalesce(p_occurred_at, clock_timestamp()),
        coalesce(p_source, ''), p_target, p_content_class, p_generation, p_workspace_id,
        coalesce(p_payload, '{}'), p_headers, p_metadata, nullif(p_idempotency_key, ''), p_ordering_key,
        p_partition_key, p_trace_context, coalesce(p_available_at, clock_timestamp()), coalesce(p_priority, 0), p_max_attempts,
        p_key, p_scope);
end
$$;
