-- The log: what was said, appended in the producer's transaction and never rewritten.
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
    ('lease_keep', '1 day', 'how long a finished lease stays in the ledger');

-- One row per database cluster this log has lived in. Transaction ids mean something only in the
-- cluster that made them: rows from first_seq on were published in that cluster.
create table postrider.epoch (
    system_identifier bigint primary key,
    first_seq bigint not null,
    started_at timestamptz not null default clock_timestamp(),
    rebased_at timestamptz
);

-- Says when a row was inserted. It reads the clock, yet is declared stable: COPY gives up writing
-- many rows at once as soon as a default is volatile, and that halves its speed.
create function postrider.insertion_time() returns timestamptz
    language plpgsql stable parallel safe
    as $$ begin return pg_catalog.clock_timestamp(); end $$;

-- A UUID version 7: 48 bits of milliseconds, then random bits, so that ids sort by time.
create function postrider.uuid_v7() returns uuid
    language sql volatile parallel safe
    as $$
    select pg_catalog.encode(
        pg_catalog.set_bit(pg_catalog.set_bit(
            pg_catalog.overlay(
                pg_catalog.uuid_send(pg_catalog.gen_random_uuid()),
                pg_catalog.substring(
                    pg_catalog.int8send(pg_catalog.floor(
                        pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) * 1000)::bigint),
                    3),
                1, 6),
            52, 1), 53, 1),
        'hex')::uuid
    $$;

create table postrider.message (
    seq bigint not null generated always as identity (cache 64),
    xid xid8 not null default pg_current_xact_id(),
    published_at timestamptz not null default postrider.insertion_time(),
    id uuid not null default postrider.uuid_v7(),
    channel text collate "C" not null default 'outbox_default',
    event_type text collate "C" not null,
    event_version int not null default 1,
    occurred_at timestamptz not null default now(),
    source text collate "C" not null default '',
    target text collate "C",
    content_class text collate "C",
    generation bigint,
    workspace_id uuid,
    -- As text: a claim hands it on without writing it anew, and nothing of it is lost on the way.
    payload json not null default '{}',
    headers json,
    metadata jsonb,
    idempotency_key text collate "C",
    ordering_key text collate "C",
    partition_key text collate "C",
    trace_context text collate "C",
    available_at timestamptz,
    priority smallint not null default 0,
    max_attempts smallint,
    constraint message_channel_check check (octet_length(channel) between 1 and 63),
    constraint message_event_type_check check (octet_length(event_type) between 1 and 255),
    constraint message_source_check check (octet_length(source) <= 255),
    constraint message_target_check check (octet_length(target) between 1 and 255),
    -- jsonb, which people see and deliveries hold, knows fewer escapes.
    constraint message_payload_check check (
        pg_column_size(payload) <= 1048576 and (strpos(payload::text, '\u') = 0 or payload::jsonb is not null)),
    constraint message_headers_check check (
        pg_column_size(headers) <= 65536 and (strpos(headers::text, '\u') = 0 or headers::jsonb is not null)),
    constraint message_metadata_check check (pg_column_size(metadata) <= 65536),
    constraint message_keys_check check (
        octet_length(idempotency_key) <= 255 and octet_length(ordering_key) <= 255
        and octet_length(partition_key) <= 255 and octet_length(trace_context) <= 255
        and octet_length(content_class) <= 255),
    constraint message_max_attempts_check check (max_attempts between 1 and 1000),
    -- The doorbell. A producer that cannot share the bell's lock has found a sleeping consumer and
    -- rings; one that can keeps nobody from sleeping before its commit is visible. It stands here and
    -- not in a trigger because a trigger that has to know the channels of a COPY halves its speed.
    constraint message_doorbell check (
        pg_try_advisory_xact_lock_shared(1886351201, hashtext(channel))
        or pg_notify(channel, '') is not null)
) partition by range (published_at);

-- A scan reads a leaf page to its end, however few rows are asked for: pages of few entries make small claims cheap.
create index message_channel_xid_seq_idx on postrider.message (channel, xid, seq) with (fillfactor = 40);
create index message_id_idx on postrider.message using brin (id uuid_minmax_multi_ops);

-- The tail takes whatever no other partition covers, so that publishing never waits for maintenance.
create table postrider.message_tail partition of postrider.message
    for values from (minvalue) to (maxvalue);

create table postrider.channel (
    name text collate "C" primary key,
    wake text not null default 'doorbell',
    constraint channel_name_check check (octet_length(name) between 1 and 63),
    constraint channel_wake_check check (wake in ('doorbell', 'always', 'never'))
);
insert into postrider.channel (name) values ('outbox_default');

-- The cluster the log is born in; its transaction ids are the ones the cursors speak of.
reset role;
insert into postrider.epoch (system_identifier, first_seq, rebased_at)
select system_identifier, 0, clock_timestamp() from pg_control_system();
