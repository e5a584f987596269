-- The log: messages, appended in the producer's transaction and immutable, and the settings that all parts share.
set local role postrider_owner;

create table postrider.migration (
    version int primary key,
    name text not null,
    sha256 text not null,
    breaking boolean not null default false,
    applied_at timestamptz not null default now(),
    applied_by text not null default session_user
);

create table postrider.function_set (
    digest text not null,
    applied_at timestamptz not null default now()
);

create table postrider.setting (
    name text primary key,
    value text not null,
    meaning text not null
);

insert into postrider.setting (name, value, meaning) values
    ('partition_interval', '1 day', 'length of one partition of the log'),
    ('partitions_ahead', '7', 'how many partitions are made before they are needed'),
    ('lease_keep', '1 hour', 'how long a finished lease stays in the ledger'),
    ('retry', '{}', 'retry policy of handlers that are registered without one'),
    ('max_attempts', '5', 'runs a cycle may have, for handlers that are registered without a number'),
    ('max_crashes', '3', 'workers a cycle may cost, for handlers that are registered without a number'),
    ('circuit', '{}', 'circuit policy of handlers that are registered without one'),
    ('alert_keep_count', '100000', 'how many alerts are kept at most'),
    ('proposal_keep', '7 days', 'how long a proposed replay can be approved'),
    ('unique_wait', '5 seconds', 'how long publish_unique waits for another transaction that has taken the key and not ended'),
    ('followers_alert', '10000', 'how many messages wait for an ordering key when an alert is raised, for consumers without a number of their own'),
    ('role_consumers', '100', 'how many consumers a role may own'),
    ('role_handlers', '1000', 'how many handlers the consumers of a role may have together'),
    ('role_event_types', '5000', 'how many event types the handlers of a role may have together'),
    ('role_workers', '1000', 'how many live workers the consumers of a role may have together'),
    ('role_schedules', '1000', 'how many schedules a role may own'),
    ('role_alert_targets', '20', 'how many alert targets a login may own'),
    ('audit_floor', '365 days', 'how long audit entries are kept at least; only members of postrider_owner can change it');

-- Defaults and domains need these functions to exist; their bodies come with the function set (sql/functions/publish).
create function postrider.insertion_time() returns timestamptz
    language plpgsql stable parallel safe as $$ begin return pg_catalog.clock_timestamp(); end $$;
create function postrider.uuid_v7() returns uuid
    language sql volatile parallel safe as $$ select pg_catalog.gen_random_uuid() $$;
create function postrider.enter_channel(p_channel text) returns boolean
    language plpgsql volatile as $$ begin return true; end $$;

-- The types of a message's columns. They are domains and not constraints of the table, because PostgreSQL reads and compiles
-- table constraints again for every statement. That would be a third of the cost of publishing one message.
create domain postrider.event_type as text collate "C"
    constraint event_type_within_1_to_255_bytes check (octet_length(value) between 1 and 255);
create domain postrider.source as text collate "C"
    constraint source_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.target as text collate "C"
    constraint target_within_1_to_255_bytes check (octet_length(value) between 1 and 255);
create domain postrider.content_class as text collate "C"
    constraint content_class_within_255_bytes check (octet_length(value) <= 255);
-- json and not jsonb: a claim returns the text as it was published. The limits apply to the length of the text.
-- pg_column_size() of a value from a table is its compressed size, which can be 1 MB for 250 MB of text.
create domain postrider.payload as json
    constraint payload_within_1048576_bytes check (octet_length(value::text) <= 1048576);
create domain postrider.headers as json
    constraint headers_within_65536_bytes check (octet_length(value::text) <= 65536);
create domain postrider.metadata as jsonb
    constraint metadata_within_65536_bytes check (octet_length(value::text) <= 65536);
create domain postrider.idempotency_key as text collate "C"
    constraint idempotency_key_within_1_to_255_bytes check (octet_length(value) between 1 and 255);
create domain postrider.ordering_key as text collate "C"
    constraint ordering_key_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.partition_key as text collate "C"
    constraint partition_key_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.trace_context as text collate "C"
    constraint trace_context_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.max_attempts as smallint
    constraint max_attempts_within_1_to_1000 check (value between 1 and 1000);
-- A claim searches every priority that is in use, so the range is small.
create domain postrider.priority as smallint
    constraint priority_within_minus_100_to_100 check (value between -100 and 100);

-- A message as producers describe it in JSON. Numbers have wide types, so that message_problem() rejects values out of range and
-- not a cast.
create type postrider.new_message as (
    id uuid,
    channel text,
    event_type text,
    event_version int,
    occurred_at timestamptz,
    source text,
    target text,
    content_class text,
    generation bigint,
    workspace_id uuid,
    payload jsonb,
    headers jsonb,
    metadata jsonb,
    idempotency_key text,
    ordering_key text,
    partition_key text,
    trace_context text,
    available_at timestamptz,
    priority int,
    max_attempts int
);

-- The channel of a message, and the doorbell of that channel. A producer tries to take the doorbell's lock in shared mode. If
-- it fails, a consumer is idle and the producer sends NOTIFY. If it succeeds, it holds the lock until it commits, so that no
-- keeper lets consumers become idle before the commit is visible. It is a domain and not a trigger, because a trigger that finds
-- the channels of a COPY halves its speed. One constraint checks the cluster and the channels, because each constraint is
-- compiled for every statement that publishes. The number is the value of postrider.lock_doorbell(), which is created later.
create domain postrider.doorbell as text collate "C"
    constraint channel_within_1_to_63_bytes check (octet_length(value) between 1 and 63)
    constraint cluster_is_known_and_channels_are_few check (
        value <> 'broker' and strpos(current_setting('postrider.channels', true), value || ',') > 0 or postrider.enter_channel(value))
    constraint doorbell_rings check (
        pg_try_advisory_xact_lock_shared(1886351201, hashtext(value)) or pg_notify(value, '') is not null);

create table postrider.message (
    -- Taken from the sequence for each row: if a lock makes one transaction insert after another, its numbers are higher.
    seq bigint not null generated always as identity,
    xid xid8 not null default pg_current_xact_id(),
    published_at timestamptz not null default postrider.insertion_time(),
    id uuid not null default postrider.uuid_v7(),
    channel postrider.doorbell not null default 'outbox_default',
    event_type postrider.event_type not null,
    event_version int not null default 1,
    occurred_at timestamptz not null default now(),
    source postrider.source not null default '',
    target postrider.target,
    content_class postrider.content_class,
    generation bigint,
    workspace_id uuid,
    payload postrider.payload not null default '{}',
    headers postrider.headers,
    metadata postrider.metadata,
    idempotency_key postrider.idempotency_key,
    ordering_key postrider.ordering_key,
    partition_key postrider.partition_key,
    trace_context postrider.trace_context,
    available_at timestamptz,
    priority postrider.priority not null default 0,
    max_attempts postrider.max_attempts,
    -- Of a unique job. Only publish_unique() writes them: producers may not insert them. Such a message has an available_at, so it
    -- is one of those that wait.
    unique_key text collate "C",
    unique_scope text collate "C",
    -- Of a member of a set. Only add_to_set() writes it.
    set_id bigint
) partition by range (published_at);

-- An index scan reads a leaf page to its end, even for a few rows, so a low fillfactor makes small claims cheap. No two
-- entries are equal, so deduplication would only cost time.
create index message_channel_xid_seq_idx on postrider.message (channel, xid, seq)
    with (fillfactor = 40, deduplicate_items = off);
create index message_id_idx on postrider.message using brin (id uuid_minmax_multi_ops);
-- Messages that wait for a time or behind messages of a higher priority. Consumers read them with a separate cursor, so that
-- they and the rest of the log do not delay each other. The channel is in an expression, so that no plan uses the index above
-- instead and reads all other messages.
create index message_waiting_idx on postrider.message ((channel::text || ''), xid, seq)
    where priority <> 0 or available_at is not null;

-- The tail stores the messages that no other partition covers, so that publishing never waits for maintenance.
create table postrider.message_tail partition of postrider.message
    for values from (minvalue) to (maxvalue);

create table postrider.channel (
    name text collate "C" primary key,
    wake text not null default 'doorbell',
    constraint channel_name_check check (octet_length(name) between 1 and 63),
    constraint channel_wake_check check (wake in ('doorbell', 'always', 'never'))
);
insert into postrider.channel (name) values ('outbox_default');
