-- Tables for operators: counts of dead letters, replays, the audit, alerts, schedules and access tokens.
set local role postrider_owner;

-- The number of dead letters of each group is the sum of its changes. It is a ledger, because workers would wait for the row
-- lock of a counter when many messages die of the same cause at once. maintain() adds it up in dead_letter_sum.
create table postrider.dead_letter_tally (
    consumer_id int not null,
    handler text collate "C" not null,
    fingerprint text collate "C",
    change bigint not null,
    event_type text collate "C" not null
);
create table postrider.dead_letter_sum (
    consumer_id int not null,
    handler text collate "C" not null,
    fingerprint text collate "C",
    event_type text collate "C" not null,
    count bigint not null
);

-- A replay: a fixed set of dead letters, moved at a limited rate.
create table postrider.replay (
    id bigint generated always as identity primary key,
    phase text collate "C" not null,
    actor text not null,
    reason text not null,
    filter jsonb not null,
    generation bigint,
    canary int not null,
    canary_passed boolean not null,
    canary_died boolean not null default false,  -- the replay has paused because of that
    rate float8,
    tokens float8 not null default 1,
    tokens_at timestamptz not null,
    total int not null,
    moved_to int not null default 0,  -- items up to this number have been moved or skipped
    untried int not null default 0,  -- of those, the ones that were skipped or cancelled
    started_at timestamptz not null default clock_timestamp(),
    paused_reason text,
    ended_at timestamptz,
    preview jsonb,  -- the preview that was shown to the proposer
    expires_at timestamptz,
    approved_by text,
    approved_at timestamptz,
    counts bigint[],  -- of ended items: delivered, failed, skipped, cancelled
    proposed_by text,  -- the database user
    constraint replay_phase_check check (
        phase in ('proposed', 'canary', 'running', 'paused', 'cancelled', 'finished')),
    constraint replay_rate_check check (rate > 0)
);
create index replay_active_idx on postrider.replay (id) where phase in ('canary', 'running');
create index replay_proposed_idx on postrider.replay (expires_at) where phase = 'proposed';

create table postrider.replay_item (
    replay_id bigint not null,
    delivery_id bigint not null,
    number int not null,
    message_id uuid not null,
    cycle int not null,  -- the cycle that died
    outcome text collate "C" not null default 'waiting',
    note text,
    moved_at timestamptz,
    ended_at timestamptz,
    primary key (replay_id, delivery_id),
    constraint replay_item_outcome_check check (
        outcome in ('waiting', 'moved', 'delivered', 'failed', 'skipped', 'cancelled'))
) with (fillfactor = 70);
create unique index replay_item_number_key on postrider.replay_item (replay_id, number);
create index replay_item_moved_idx on postrider.replay_item (replay_id, number) where outcome = 'moved';

create table postrider.audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    actor text not null,
    role text not null default session_user,
    action text collate "C" not null,
    reason text not null,
    filter jsonb,
    before jsonb,
    after jsonb
);
create index audit_at_idx on postrider.audit (at desc);
-- A few entries are changes of circuits, which are shown with their handler.
create index audit_circuit_idx on postrider.audit (at desc) where action in ('hold_handler', 'force_handler', 'release_handler');

-- One alert per cycle that died, per opening of a circuit, per ordering key with too many followers and per key that was released.
create table postrider.alert (
    id bigint generated always as identity primary key,
    kind text collate "C" not null default 'dead_letter',
    at timestamptz not null,
    event_id uuid,
    event_type text collate "C",
    source text collate "C",
    target text collate "C",
    handler_name text collate "C" not null,
    last_error text,
    attempts int,
    consumer text collate "C" not null,
    channel text collate "C" not null,
    delivery_id bigint,
    cycle int,
    fingerprint text collate "C",
    error_class text collate "C",
    constraint alert_kind_check check (kind in ('dead_letter', 'circuit_opened', 'key_backlog', 'key_released')),
    constraint alert_cycle_key unique (delivery_id, cycle)
);
create index alert_at_idx on postrider.alert (at);
create index alert_circuit_idx on postrider.alert (at) where kind = 'circuit_opened';

-- Ordering keys with too many followers whose alert was raised and has not ended.
create table postrider.key_backlog (
    consumer_id int not null,
    key text collate "C" not null,
    alert_id bigint not null,
    alerted_at timestamptz not null,
    primary key (consumer_id, key)
);

-- Runs of handlers, counted by the workers and added up here in buckets of three widths. The buckets of a width are a ring of 60, 144
-- or 168 slots per handler: a new bucket overwrites the oldest one, so the table does not grow.
create table postrider.run_bucket (
    consumer_id int not null,
    handler text collate "C" not null,
    width smallint not null,  -- in minutes: 1, 10 or 60
    slot smallint not null,
    since timestamptz not null,
    delivered bigint not null,
    transient bigint not null,
    terminal bigint not null,
    other bigint not null,  -- snoozed or interrupted
    attempts bigint[] not null,  -- runs that were the first, second … attempt; the last element has the later ones
    run_times bigint[] not null,  -- runs by time_bound() of their duration, up to the last one that is not 0
    queue_times bigint[] not null,  -- first attempts by the time since publication
    primary key (consumer_id, handler, width, slot),
    constraint run_bucket_width_check check (width in (1, 10, 60))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1);

-- When workers of a generation and version first and last registered for a consumer. They are shown beside failures.
create table postrider.rollout (
    consumer_id int not null,
    generation bigint not null,  -- -1: none
    version text collate "C" not null,
    first_at timestamptz not null default clock_timestamp(),
    last_at timestamptz not null default clock_timestamp(),
    primary key (consumer_id, generation, version)
);

create table postrider.alert_target (
    name text collate "C" primary key,
    created_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),  -- when a sender last claimed its alerts
    owner text collate "C" not null default session_user,  -- its members may change where the alerts go
    constraint alert_target_name_check check (octet_length(name) between 1 and 127)
);

-- The configurations with which senders of a target run. If there are several, only senders with the newest one send.
create table postrider.alert_configuration (
    target text collate "C" not null,
    configuration text collate "C" not null,  -- a fingerprint, no secret
    introduced_at timestamptz not null,
    seen_at timestamptz not null,
    primary key (target, configuration)
);

-- Alerts that still have to be sent to a target. A row is deleted when the alert is sent.
create table postrider.alert_sending (
    target text collate "C" not null,
    alert_id bigint not null,
    consumer text collate "C" not null,  -- the alert's
    available_at timestamptz not null,
    attempts int not null default 0,
    token uuid,
    last_error text,
    primary key (alert_id, target)
) with (fillfactor = 70);
create index alert_sending_due_idx on postrider.alert_sending (target, consumer, available_at, alert_id);

-- A cron expression, as parse_cron() reads it. A field is a string of '0' and '1', one per value it may have.
create type postrider.cron as (
    second text,
    minute text,
    hour text,
    day text,
    month text,
    weekday text,             -- from Sunday
    either_day boolean,       -- day and weekday are both restricted, and one of them has to match
    runs_through boolean,     -- the hour begins with *: see next_slot()
    every bigint              -- seconds of @every; the rest is null
);

-- Schedules. `next_slot` is the first slot that is neither fired nor skipped.
create table postrider.schedule (
    name text collate "C" primary key,
    cron text not null,
    parsed postrider.cron not null,  -- of cron: parsing takes longer than finding the next slot
    time_zone text not null,
    message jsonb not null,  -- in the format of publish_many(), without the fields that follow from the slot
    overlap text collate "C" not null,
    catch_up interval not null,
    jitter interval not null,
    paused boolean not null default false,
    paused_reason text,  -- when the engine paused it
    next_slot timestamptz not null,
    next_at timestamptz not null,  -- when to process it: the slot plus its jitter, or earlier for queued_slot
    queued_slot timestamptz,  -- the slot that waits until the previous message has ended
    last_slot timestamptz,
    last_fired_at timestamptz,
    last_message_id uuid,
    -- The position of that message in the log, unless overlap is 'allow'.
    last_published_at timestamptz,
    last_xid xid8,
    last_seq bigint,
    fired bigint not null default 0,
    late bigint not null default 0,  -- slots fired more than a second after they were due
    skipped bigint not null default 0,
    owner text collate "C" not null default session_user,  -- its members may change the schedule
    created_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp(),
    constraint schedule_name_check check (name ~ '^[a-z0-9_][a-z0-9_.-]{0,126}$'),
    constraint schedule_overlap_check check (overlap in ('allow', 'skip', 'queue_one'))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index schedule_next_at_idx on postrider.schedule (next_at) where not paused;

-- Only the hash of an access token is stored, so that a reader of this table cannot use it.
create table postrider.access_token (
    id bigint generated always as identity primary key,
    name text collate "C" not null,  -- the name of its holder in the audit
    sha256 bytea not null,
    role text collate "C" not null,
    workspace_id uuid,  -- the only workspace its holder sees; null: all workspaces
    created_at timestamptz not null default clock_timestamp(),
    created_by text not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    constraint access_token_sha256_key unique (sha256),
    constraint access_token_sha256_check check (octet_length(sha256) = 32),
    constraint access_token_name_check check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.@+-]{0,126}$'),
    constraint access_token_role_check check (role in ('viewer', 'operator', 'admin'))
);
-- The audit could not distinguish two holders with the same name.
create unique index access_token_name_key on postrider.access_token (name) where revoked_at is null;

-- Queues of pgmq whose dead letters have copies there, in the queue <queue>_dlq and in a table for diagnostics. Most databases have none.
create table postrider.pgmq_pipeline (
    queue text collate "C" primary key,
    consumer_id int not null,  -- on the channel broker, or the original consumer of replayed deliveries
    diagnostics text not null,  -- the table, quoted and with its schema
    defined_at timestamptz not null default clock_timestamp(),
    defined_by text not null default session_user,
    constraint pgmq_pipeline_consumer_key unique (consumer_id)
);

-- The copies: exactly one row per dead letter of a pipeline.
create table postrider.pgmq_copy (
    delivery_id bigint primary key,
    queue text collate "C" not null,
    msg_id bigint,  -- in the queue <queue>_dlq; null: not written yet, because of `problem`
    problem text
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Not unique: the ids of a queue that was dropped and created again start at 1.
create index pgmq_copy_msg_id_idx on postrider.pgmq_copy (queue, msg_id);

-- The position of a consumer's cursor in the log. No message behind (xid, seq) has been handed out; before it there may be
-- messages of late committers.
create type postrider.place as (
    at postrider.position,
    xid xid8,
    seq bigint,
    floor_at timestamptz      -- no message behind the cursor was published before it
);
