-- What happens when a delivery fails, and how a person puts it right: how failures are judged, the circuits of handlers,
-- alerts, replays, and the record of what operators did.
set local role postrider_owner;

insert into postrider.setting (name, value, meaning) values
    ('retry', '{}', 'retry policy of handlers that are registered without one'),
    ('max_attempts', '5', 'runs a cycle may have, for handlers that are registered without a number'),
    ('crashes_max', '3', 'workers a cycle may cost, for handlers that are registered without a number'),
    ('circuit', '{}', 'circuit policy of handlers that are registered without one'),
    ('alert_keep_count', '100000', 'how many alerts are kept at most');

-- How its failures are judged: lists of error classes, whether its word that one is terminal counts, and when an
-- outage is assumed.
alter table postrider.handler
    add column classes jsonb not null default '{}',
    add column honour_terminal boolean not null default true,
    add column circuit jsonb not null default '{}';

-- The handlers whose circuit is not closed, null when all are. While there is one, it and `handlers` contain '' too, a
-- name that no worker has: so claim looks at every message, and hands out nothing when all of them are held.
alter table postrider.consumer add column held_handlers text[] collate "C";

alter table postrider.delivery
    add column outcome text collate "C",  -- how its last run ended
    add column cycle_started_at timestamptz,  -- null in the first cycle, which starts with the message
    add column history_dropped int not null default 0,  -- how many entries failure_history has lost
    add column replay_id bigint,  -- the replay that started this cycle
    add column deleted_reason text,
    add column successor uuid,  -- the message that was made of it by an edit
    add column origin_id int;  -- the consumer whose log it is from, when a replay moved it to another

create index delivery_failed_handler_idx on postrider.delivery (consumer_id, handler, dead_at desc, id)
    where status = 'failed' and deleted_at is null;
create index delivery_failed_group_idx on postrider.delivery (fingerprint, consumer_id, handler, dead_at desc, id)
    where status = 'failed' and deleted_at is null;

-- How many dead letters each group has: the sum of its changes. A ledger, because a counter would be a row that every
-- worker waits for when many die at once of the same; maintain() sums it up now and then.
create table postrider.dead_letter_tally (
    consumer_id int not null,
    handler text collate "C" not null,
    fingerprint text collate "C",
    change bigint not null
);

-- One row per handler that has failed in a row; most handlers have none.
create table postrider.circuit (
    consumer_id int not null,
    handler text collate "C" not null,
    state text collate "C" not null default 'closed',
    mode text collate "C" not null default 'automatic',
    failures int not null default 0,  -- transient ones in a row
    failing_since timestamptz,
    openings int not null default 0,  -- without a success in between
    opened_at timestamptz,
    probe_at timestamptz,
    allowed int not null default 0,  -- how many may run at once while it ramps up
    probes bigint[] not null default '{}',  -- the deliveries that run now to find out
    error_class text collate "C",
    last_error text,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (consumer_id, handler),
    constraint circuit_state_check check (state in ('closed', 'open', 'ramp', 'trial')),
    constraint circuit_mode_check check (mode in ('automatic', 'open', 'closed'))
) with (fillfactor = 50);

-- What follows from the outcome of a run.
create type postrider.decision as (
    kind text,  -- what the outcome counts as
    uncharged boolean,
    status text,
    available_at timestamptz
);

-- A run that was decided on, for what follows from it.
create type postrider.ended_run as (
    id bigint,
    consumer_id int,
    handler text,
    kind text,
    status text,
    replay_id bigint,
    watched boolean,  -- there is a circuit to be told
    error_class text,
    error text
);

-- A replay of many: a frozen set of dead letters, moved at a rate.
create table postrider.replay (
    id bigint generated always as identity primary key,
    phase text collate "C" not null,
    actor text not null,
    reason text not null,
    filter jsonb not null,
    generation bigint,
    canary int not null,
    canary_passed boolean not null,
    rate float8,
    tokens float8 not null default 1,
    tokens_at timestamptz not null,
    total int not null,
    moved_to int not null default 0,  -- items up to this number have been moved or skipped
    started_at timestamptz not null default clock_timestamp(),
    paused_reason text,
    ended_at timestamptz,
    constraint replay_phase_check check (phase in ('canary', 'running', 'paused', 'cancelled', 'finished')),
    constraint replay_rate_check check (rate > 0)
);
create index replay_active_idx on postrider.replay (id) where phase in ('canary', 'running');

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

-- One per cycle that died, and one per circuit that opened.
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
    constraint alert_kind_check check (kind in ('dead_letter', 'circuit_opened')),
    constraint alert_cycle_key unique (delivery_id, cycle)
);
create index alert_at_idx on postrider.alert (at);

create table postrider.alert_target (
    name text collate "C" primary key,
    created_at timestamptz not null default clock_timestamp(),
    constraint alert_target_name_check check (octet_length(name) between 1 and 127)
);

-- What is still to be sent where; a row goes when it is sent.
create table postrider.alert_sending (
    target text collate "C" not null,
    alert_id bigint not null,
    available_at timestamptz not null,
    attempts int not null default 0,
    token uuid,
    last_error text,
    primary key (alert_id, target)
) with (fillfactor = 70);
create index alert_sending_due_idx on postrider.alert_sending (target, available_at, alert_id);
