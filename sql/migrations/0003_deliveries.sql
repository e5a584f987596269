-- Deliveries (messages with a row of their own per handler), circuits of handlers, the inbox, unique jobs and sets.
set local role postrider_owner;

create table postrider.delivery (
    id bigint generated always as identity primary key,
    consumer_id int not null,
    handler text collate "C" not null,
    status text collate "C" not null default 'pending',
    attempts int not null default 0,
    attempts_total int not null default 0,
    failures int not null default 0,
    crashes int not null default 0,
    interruptions int not null default 0,
    suspect boolean not null default false,  -- in this cycle a worker died while it held the message, so the message may be the cause
    cycle int not null default 1,
    max_attempts int,  -- null while the handler is not registered
    max_crashes int not null,
    retry jsonb not null default '{}',
    available_at timestamptz not null,
    claimed_at timestamptz,
    worker_id uuid,
    lease_token uuid,
    deadline timestamptz,
    first_failed_at timestamptz,
    last_error text,
    error_class text collate "C",
    fingerprint text collate "C",
    failure_history jsonb not null default '[]',
    created_at timestamptz not null default clock_timestamp(),
    dead_at timestamptz,
    delivered_at timestamptz,
    deleted_at timestamptz,
    -- The envelope, so that dropping an old partition of the log never takes a dead letter with it.
    seq bigint not null,
    published_at timestamptz not null,
    message_id uuid not null,
    channel text collate "C" not null,
    event_type text collate "C" not null,
    event_version int not null,
    occurred_at timestamptz not null,
    source text collate "C" not null,
    target text collate "C",
    content_class text collate "C",
    generation bigint,
    workspace_id uuid,
    payload json not null,  -- json: retries get the same text as the first attempt
    headers json,
    metadata jsonb,
    idempotency_key text collate "C" not null,
    ordering_key text collate "C",
    partition_key text collate "C",
    trace_context text collate "C",
    priority smallint not null,
    outcome text collate "C",  -- how its last run ended
    cycle_started_at timestamptz,  -- null in the first cycle, which starts with the message
    history_dropped int not null default 0,  -- how many entries failure_history has lost
    replay_id bigint,  -- the replay that started this cycle
    deleted_reason text,
    successor uuid,  -- the message that an edit published in its place
    origin_id int,  -- the original consumer, if a replay moved it to another
    unique_key text collate "C",  -- of a unique job, with its scope
    unique_scope text collate "C",
    set_id bigint,  -- of a member of a set
    -- For a message with an ordering key of an ordered consumer. True: it is the head of its key; false: it waits for the key.
    heads boolean,
    broker_cycle int,  -- handed over from a broker: the cycle of the relay that sent it there; null: it is from the log
    attempt_history jsonb not null default '[]',  -- failed runs, the newest 20; the view attempts has the members
    constraint delivery_message_handler_key unique (seq, consumer_id, handler),
    -- The status follows from the other fields. One short constraint, because PostgreSQL reads and compiles it for every statement.
    constraint delivery_status_check check (
        status = case when dead_at is not null then 'failed' when delivered_at is not null then 'delivered'
                      when lease_token is not null then 'in_flight' else 'pending' end
        and num_nonnulls(dead_at, delivered_at, lease_token) < 2)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index delivery_due_idx on postrider.delivery (consumer_id, handler, priority desc, available_at, id)
    where status = 'pending';
create index delivery_in_flight_idx on postrider.delivery (worker_id, deadline)
    where status = 'in_flight';
create index delivery_failed_idx on postrider.delivery (dead_at desc, id)
    where status = 'failed' and deleted_at is null;
create index delivery_message_id_idx on postrider.delivery (message_id);
create index delivery_failed_handler_idx on postrider.delivery (consumer_id, handler, dead_at desc, id)
    where status = 'failed' and deleted_at is null;
create index delivery_failed_group_idx on postrider.delivery (fingerprint, consumer_id, handler, dead_at desc, id)
    where status = 'failed' and deleted_at is null;
-- The dead letters of a workspace, the newest first.
create index delivery_failed_workspace_idx on postrider.delivery (workspace_id, dead_at desc, id)
    where status = 'failed' and deleted_at is null and workspace_id is not null;
-- These contain only rows that are discarded or soft deleted.
create index delivery_discarded_idx on postrider.delivery (dead_at desc, id) where status = 'failed' and deleted_at is not null;
create index delivery_deleted_idx on postrider.delivery (deleted_at) where deleted_at is not null;
-- Most keys are the id of the message, for which there is an index already.
create index delivery_idempotency_key_idx on postrider.delivery (idempotency_key)
    where idempotency_key <> message_id::text;
-- Finds messages from brokers that are handed over again, also after a replay has moved them.
create unique index delivery_broker_message_key
    on postrider.delivery (message_id, (coalesce(origin_id, consumer_id)), handler, broker_cycle) where broker_cycle is not null;

-- The deliveries that an ordering key waits for, and those that wait for it.
create index delivery_ordered_idx on postrider.delivery (consumer_id, ordering_key, seq)
    where heads is not null and status <> 'delivered' and deleted_at is null;
-- Dead letters that hold their ordering key, the oldest first, for end_holds().
create index delivery_held_idx on postrider.delivery (consumer_id, dead_at) where heads and status = 'failed' and deleted_at is null;

-- One row per handler with consecutive failures; most handlers have none.
create table postrider.circuit (
    consumer_id int not null,
    handler text collate "C" not null,
    state text collate "C" not null default 'closed',
    mode text collate "C" not null default 'automatic',
    failures int not null default 0,  -- consecutive transient failures
    first_failures int not null default 0,  -- the messages of these that had not failed before
    failing_since timestamptz,
    openings int not null default 0,  -- since the last success
    opened_at timestamptz,
    probe_at timestamptz,
    allowed int not null default 0,  -- maximum number of concurrent runs while it ramps up
    probes bigint[] not null default '{}',  -- the deliveries that run as probes
    error_class text collate "C",
    last_error text,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (consumer_id, handler),
    constraint circuit_state_check check (state in ('closed', 'open', 'ramp', 'trial')),
    constraint circuit_mode_check check (mode in ('automatic', 'held', 'forced'))
) with (fillfactor = 50);

-- The request of a claim of due deliveries; claim_due() has the rules. The arrays are in the order of the handlers.
create type postrider.due_want as (
    runs int,                 -- runs that can start at once
    held int,                 -- further deliveries, which wait in the worker
    sizes int[],              -- maximum number of deliveries per run of each handler; null: one
    slots int[],              -- maximum number of deliveries of each handler; null: no handler has a limit of its own
    alone boolean             -- the worker runs no other message
);

create type postrider.ordered_key as (consumer_id int, key text);

-- A retry policy that was read from JSON; delay() explains the fields.
create type postrider.retry_policy as (
    curve text,
    jitter text,
    base_ms float8,
    multiplier float8,
    cap_ms float8,
    floor_ms float8,
    delays_ms float8[],       -- of the curve list
    max_age interval          -- since publication or the start of the cycle; older messages are not retried; null: no limit
);

-- A run that ended, as the input of decide().
create type postrider.run as (
    outcome text,
    error_class text,
    delay_ms float8,          -- requested by the handler
    attempts int,             -- this run included
    max_attempts int,
    crashes int,
    max_crashes int,
    policy postrider.retry_policy,
    started_at timestamptz,   -- of the cycle; in the first one, when the message was published
    classes jsonb,            -- of the handler, with the next one
    honour_terminal boolean,
    outage boolean,           -- the handler's circuit is not closed
    bury boolean              -- an operator buries the delivery
);

-- The range of a channel that a lease covers: first attempts that ended are looked up in it.
create type postrider.ended_place as (
    consumer_id int,
    channel text,
    near xid8[],              -- the transactions that may have published the messages; null: `xids` names them
    xids xid8[],              -- the transaction of the n-th outcome
    members bigint[],         -- only these messages; null: any
    floor_at timestamptz,
    ceiling_at timestamptz,
    waited_at timestamptz,    -- when they were handed out, to the handlers of that time; null: handlers by the position in the log
    worker_id uuid            -- the worker that ran them
);

-- A handler's policy for its circuit, complete.
create type postrider.circuit_policy as (failures float8, open_ms float8, cap_ms float8, ramp float8);

-- Runs of a handler that ended together, by delivery, for its circuit.
create type postrider.circuit_runs as (
    consumer_id int,
    handler text,
    delivered bigint[],
    transient bigint[],
    crashed bigint[],
    other bigint[],
    succeeded boolean,        -- first attempts beside them succeeded
    error_class text,
    error text,
    failed int,               -- transient failures: of each delivery all of its runs
    first_failed int,         -- the deliveries of these that had not failed before, or whose error class means an outage
    failed_before_at timestamptz,  -- when the newest of the others failed before
    until timestamptz         -- when searches, and changes of deliveries, have to end; null: never
);

-- A run that was decided on, for run_ended().
create type postrider.ended_run as (
    id bigint,
    consumer_id int,
    handler text,
    kind text,
    status text,
    replay_id bigint,
    watched boolean,  -- the run counts for a circuit
    error_class text,
    error text,
    runs int,  -- number of runs, including the immediate retries of a lease
    failed_before_at timestamptz  -- when its delivery failed before; null: it had not failed in this cycle, or its error class means an outage
);

-- Identifies one effect of a handler. The consumer is its name and not its id: a replay may move a delivery to the consumer of
-- that name on another channel, where it is still the same effect. Two consumers may have handlers of the same name, and two
-- sources may use the same key: these are different effects.
create type postrider.inbox_key as (consumer text, handler text, source text, idempotency_key text);

-- The inbox: the effects that handlers had. handle_once() is the only writer, and checks the lengths.
create table postrider.event_handled (
    consumer_name text collate "C" not null,
    handler_name text collate "C" not null,
    source text collate "C" not null default '',
    idempotency_key text collate "C" not null,
    handled_at timestamptz not null default clock_timestamp(),
    -- The key comes first because it is the most selective column: comparisons end there, which makes inserting faster.
    primary key (idempotency_key, handler_name, consumer_name, source)
);

-- Unique keys that are held, each by one job. A row with the place 'first' prevents other producers from publishing the key. A row
-- with the place 'running' belongs to a serial job that was started, and prevents the next one from starting. Producers insert rows
-- with 'first', and workers change them to 'running', so no worker ever waits for a producer's transaction.
create table postrider.unique_job (
    consumer_id int not null,
    handler text collate "C" not null,
    key text collate "C" not null,
    place text collate "C" not null default 'first',
    scope text collate "C" not null,
    message_id uuid not null,
    seq bigint not null,
    taken_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz,  -- of the scope period, regardless of the state of the job
    blocked boolean not null default false,  -- a claim parked it as a delivery, which waits for the running job
    -- No check constraints: PostgreSQL compiles them for every statement, a third of the cost of the insert. require_scope() does the checks.
    constraint unique_job_key primary key (consumer_id, handler, key, place)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index unique_job_seq_idx on postrider.unique_job (seq);
-- Counters of the metrics: how many jobs were not published because their key was held, and how many were cancelled.
create sequence postrider.unique_duplicate_seq;
create sequence postrider.cancelled_job_seq;
create index unique_job_expires_at_idx on postrider.unique_job (expires_at) where expires_at is not null;

-- Progress and results that handlers recorded of their jobs. Most jobs have no row.
create table postrider.job_progress (
    message_id uuid not null,
    consumer_id int not null,
    handler text collate "C" not null,
    fraction real,
    text text,
    result json,  -- as it was written
    created_at timestamptz not null default clock_timestamp(),  -- not before the message was published
    recorded_at timestamptz not null default clock_timestamp(),
    primary key (message_id, consumer_id, handler),
    constraint job_progress_fraction_check check (fraction between 0 and 1),
    constraint job_progress_text_check check (octet_length(text) <= 1000),
    constraint job_progress_result_check check (octet_length(result::text) <= 16384)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index job_progress_created_at_idx on postrider.job_progress (created_at);

-- Sets of jobs. The transaction that ends the last member publishes the message.
create table postrider.job_set (
    id bigint generated always as identity primary key,
    name text collate "C" not null,
    message jsonb not null,  -- in the format of publish_many()
    dead text collate "C" not null,
    xid xid8 not null default pg_current_xact_id(),  -- the transaction that created it: only that one may add members
    created_at timestamptz not null default clock_timestamp(),
    created_by text not null default session_user,
    ended bigint not null default 0,
    failed bigint not null default 0,  -- of those, dead, cancelled or lost
    completed_at timestamptz,
    message_id uuid,  -- of the message that was published
    problem text,  -- the error with which publishing it failed
    constraint job_set_name_check check (name ~ '^[a-zA-Z0-9_][a-zA-Z0-9_.:-]{0,126}$'),
    constraint job_set_dead_check check (dead in ('ends', 'blocks'))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create unique index job_set_name_key on postrider.job_set (name) where completed_at is null;
create index job_set_completed_at_idx on postrider.job_set (completed_at) where completed_at is not null;

-- Members of sets that have not ended or are not counted yet.
create table postrider.set_member (
    seq bigint primary key,
    set_id bigint not null,
    consumer_id int not null,
    message_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index set_member_set_id_seq_idx on postrider.set_member (set_id, seq);

-- Members that ended while another transaction held the lock of their set: maintain() counts them. A member may be here more than once, and
-- the rows are only inserted and deleted, so that a report never waits for maintain().
create table postrider.set_mark (
    id bigint generated always as identity primary key,
    set_id bigint not null,
    seq bigint not null,
    lost boolean not null  -- with its consumer
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index set_mark_set_id_idx on postrider.set_mark (set_id);
