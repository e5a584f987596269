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

-- Whether a message fits the log; raises check_violation naming the column if not. One function instead of a constraint
-- for each rule: PostgreSQL reads and compiles every constraint anew for every statement, which was two thirds of the
-- cost of publishing one message. It has no settings of its own for the same reason, and looks at what few messages have
-- only when one has it.
create function postrider.message_fits(
    p_channel text, p_event_type text, p_source text, p_target text, p_payload json, p_headers json, p_metadata jsonb,
    p_idempotency_key text, p_ordering_key text, p_partition_key text, p_trace_context text, p_content_class text,
    p_max_attempts smallint
) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    v_misfit text := case
        when pg_catalog.octet_length(p_channel) not between 1 and 63 then 'channel (1 to 63 bytes)'
        when pg_catalog.octet_length(p_event_type) not between 1 and 255 then 'event_type (1 to 255 bytes)'
        when pg_catalog.octet_length(p_source) > 255 then 'source (up to 255 bytes)'
        when pg_catalog.pg_column_size(p_payload) > 1048576 then 'payload (up to 1048576 bytes)'
        -- jsonb, which people see and deliveries hold, knows fewer escapes; the cast says which one it is.
        when pg_catalog.strpos(p_payload::text, '\u') > 0 and p_payload::jsonb is null then 'payload'
    end;
begin
    if v_misfit is null and pg_catalog.num_nonnulls(
           p_target, p_headers, p_metadata, p_idempotency_key, p_ordering_key, p_partition_key, p_trace_context,
           p_content_class, p_max_attempts) > 0 then
        v_misfit := case
            when pg_catalog.octet_length(p_target) not between 1 and 255 then 'target (1 to 255 bytes, or null)'
            when pg_catalog.pg_column_size(p_headers) > 65536 then 'headers (up to 65536 bytes)'
            when pg_catalog.strpos(p_headers::text, '\u') > 0 and p_headers::jsonb is null then 'headers'
            when pg_catalog.pg_column_size(p_metadata) > 65536 then 'metadata (up to 65536 bytes)'
            when pg_catalog.octet_length(p_idempotency_key) > 255 then 'idempotency_key (up to 255 bytes)'
            when pg_catalog.octet_length(p_ordering_key) > 255 then 'ordering_key (up to 255 bytes)'
            when pg_catalog.octet_length(p_partition_key) > 255 then 'partition_key (up to 255 bytes)'
            when pg_catalog.octet_length(p_trace_context) > 255 then 'trace_context (up to 255 bytes)'
            when pg_catalog.octet_length(p_content_class) > 255 then 'content_class (up to 255 bytes)'
            when p_max_attempts not between 1 and 1000 then 'max_attempts (1 to 1000, or null)'
        end;
    end if;
    if v_misfit is not null then
        raise exception using errcode = 'check_violation', schema = 'postrider', table = 'message',
            constraint = 'message_fits', message = pg_catalog.concat('message: it does not fit the log: ', v_misfit);
    end if;
    return true;
end
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
    constraint message_fits check (postrider.message_fits(
        channel, event_type, source, target, payload, headers, metadata, idempotency_key, ordering_key, partition_key,
        trace_context, content_class, max_attempts)),
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
