-- Who reads the log: consumers, their handlers and workers, the ledger of leases, and the deliveries
-- that need attention of their own.
set local role postrider_owner;

-- A point in a channel, exact under any order of commits: everything visible in `done`, and of what is
-- visible in `open` everything up to (xid, seq).
create type postrider.position as (done pg_snapshot, open pg_snapshot, xid xid8, seq bigint);

create table postrider.consumer (
    id int generated always as identity primary key,
    name text collate "C" not null,
    channel text collate "C" not null references postrider.channel (name),
    paused boolean not null default false,
    lease_deadline interval,
    -- What claim needs to know of the handlers, kept here so that it reads one row.
    handlers text[] collate "C" not null default '{}',
    all_types boolean not null default false,
    exact_types text[] collate "C" not null default '{}',
    type_prefixes text[] collate "C" not null default '{}',
    created_at timestamptz not null default clock_timestamp(),
    constraint consumer_name_channel_key unique (name, channel),
    constraint consumer_name_check check (name ~ '^[a-z0-9_][a-z0-9_.-]{0,62}$')
);

-- A handler is owed what was claimed between `starts` and `ends`. When its event types change, one row ends where
-- the next one starts, so that what is already claimed keeps its handlers.
create table postrider.handler (
    consumer_id int not null references postrider.consumer (id) on delete cascade,
    name text collate "C" not null,
    revision int not null default 1,
    event_types text[] collate "C" not null,
    retry jsonb not null default '{}',
    max_attempts smallint not null default 5,
    crashes_max smallint not null default 3,
    starts postrider.position not null,
    ends postrider.position,
    registered_at timestamptz not null default clock_timestamp(),
    retired_at timestamptz,
    primary key (consumer_id, name, revision),
    constraint handler_name_check check (name ~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)+$' and octet_length(name) <= 127),
    constraint handler_max_attempts_check check (max_attempts between 1 and 1000),
    constraint handler_crashes_max_check check (crashes_max between 1 and 1000),
    constraint handler_ends_check check ((ends is null) = (retired_at is null))
);
create unique index handler_active_key on postrider.handler (consumer_id, name) where retired_at is null;

create table postrider.worker (
    id uuid primary key,
    consumer_id int not null,
    handlers text[] collate "C" not null,
    generation bigint,
    host text not null default '',
    version text not null default '',
    started_at timestamptz not null default clock_timestamp(),
    alive_for interval not null,
    alive_until timestamptz not null
) with (fillfactor = 50);

-- Insert-mostly. The newest lease of a consumer is its cursor: no counter row is updated for it. A lease
-- without members only moves the cursor; the first one of a consumer says where it starts.
create table postrider.lease (
    consumer_id int not null,
    id bigint generated always as identity,
    token uuid not null,
    worker_id uuid,
    done_snapshot pg_snapshot not null,
    open_snapshot pg_snapshot not null,
    done_xid xid8 not null,
    open_xid xid8 not null,
    done_at timestamptz not null,
    open_at timestamptz not null,
    floor_at timestamptz not null,
    from_xid xid8 not null,
    from_seq bigint not null,
    to_xid xid8 not null,
    to_seq bigint not null,
    members bigint[] not null,
    claimed_at timestamptz not null,
    deadline timestamptz not null,
    finished_at timestamptz,
    reaped_at timestamptz,
    primary key (consumer_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.05);
-- Compressing the members of a large lease would cost more than claiming them.
alter table postrider.lease alter column members set storage external;
create index lease_open_idx on postrider.lease (consumer_id, id) where finished_at is null;

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
    cycle int not null default 1,
    max_attempts int,  -- null while no handler is known that could say
    crashes_max int not null,
    retry jsonb not null default '{}',
    available_at timestamptz not null,
    claimed_at timestamptz,
    claimed_by uuid,
    lease_token uuid,
    lease_until timestamptz,
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
    payload jsonb not null,
    headers jsonb,
    metadata jsonb,
    idempotency_key text collate "C" not null,
    ordering_key text collate "C",
    partition_key text collate "C",
    trace_context text collate "C",
    priority smallint not null,
    constraint delivery_message_handler_key unique (seq, consumer_id, handler),
    -- The status is what the other fields say. One constraint, and short: PostgreSQL reads and compiles it for every statement.
    constraint delivery_status_check check (
        status = case when dead_at is not null then 'failed' when delivered_at is not null then 'delivered'
                      when lease_token is not null then 'in_flight' else 'pending' end
        and num_nonnulls(dead_at, delivered_at, lease_token) < 2)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index delivery_due_idx on postrider.delivery (consumer_id, handler, priority desc, available_at, id)
    where status = 'pending';
create index delivery_in_flight_idx on postrider.delivery (claimed_by, lease_until)
    where status = 'in_flight';
create index delivery_failed_idx on postrider.delivery (dead_at desc, id)
    where status = 'failed' and deleted_at is null;
create index delivery_message_id_idx on postrider.delivery (message_id);

-- What exchange() returns: a claimed message, or the summary row, whose seq is null.
create type postrider.claimed as (
    settled text,
    parked int,
    lease_id bigint,
    lease_token uuid,
    seq bigint,
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
);

-- What exchange_packed() returns: claimed messages, and in the last row the summary.
create type postrider.handed_out as (
    settled text,
    parked int,
    lease_id bigint,
    lease_token uuid,
    messages bytea,
    rows postrider.claimed[]
);
