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

-- Called once per connection, before its first publication is complete. Remembers in the setting postrider.cluster that this
-- connection knows its cluster, and records the first message published in a cluster the log has moved to: rebase needs to
-- know where that began. What a dump brings back while it is being restored, before there are keys, was not published here.
create function postrider.enter_cluster() returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_sequence regclass := pg_get_serial_sequence('postrider.message', 'seq');
    v_seq bigint;
begin
    if to_regclass('postrider.epoch_pkey') is null then
        return true;
    elsif not postrider.is_home() then
        begin
            v_seq := currval(v_sequence);  -- of the message this is about, or one before it
        exception when object_not_in_prerequisite_state then
            v_seq := nextval(v_sequence);
        end;
        -- Another connection may hold lower numbers than the first that got here: the lowest counts.
        insert into postrider.epoch as e (system_identifier, first_seq)
        values (postrider.system_identifier(), v_seq)
        on conflict (system_identifier) do update
        set first_seq = case when e.rebased_at is null then least(e.first_seq, excluded.first_seq)
                             else excluded.first_seq end,
            started_at = clock_timestamp(), rebased_at = null
        where e.rebased_at is not null or e.first_seq > excluded.first_seq;
    end if;
    perform set_config('postrider.cluster', 'known', false);
    return true;
end
$$;

-- What the columns of a message take. Domains and not constraints of the table: PostgreSQL reads and compiles those anew
-- for every statement, which was a third of the cost of publishing one message.
create domain postrider.event_type as text collate "C"
    constraint event_type_within_1_to_255_bytes check (octet_length(value) between 1 and 255);
create domain postrider.source as text collate "C"
    constraint source_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.target as text collate "C"
    constraint target_within_1_to_255_bytes check (octet_length(value) between 1 and 255);
create domain postrider.content_class as text collate "C"
    constraint content_class_within_255_bytes check (octet_length(value) <= 255);
-- As text: a claim hands it on without writing it anew, and nothing of it is lost on the way.
create domain postrider.payload as json
    constraint payload_within_1048576_bytes check (pg_column_size(value) <= 1048576);
create domain postrider.headers as json
    constraint headers_within_65536_bytes check (pg_column_size(value) <= 65536);
create domain postrider.metadata as jsonb
    constraint metadata_within_65536_bytes check (pg_column_size(value) <= 65536);
create domain postrider.idempotency_key as text collate "C"
    constraint idempotency_key_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.ordering_key as text collate "C"
    constraint ordering_key_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.partition_key as text collate "C"
    constraint partition_key_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.trace_context as text collate "C"
    constraint trace_context_within_255_bytes check (octet_length(value) <= 255);
create domain postrider.max_attempts as smallint
    constraint max_attempts_within_1_to_1000 check (value between 1 and 1000);

-- The channel of a message that is being published, and the doorbell of that channel: who puts a text in here and cannot
-- share the bell's lock has found a sleeping consumer and rings; who can keeps everybody from sleeping before the commit is
-- visible. It stands here and not in a trigger because a trigger that has to know the channels of a COPY halves its speed.
create domain postrider.doorbell as text collate "C"
    constraint channel_within_1_to_63_bytes check (octet_length(value) between 1 and 63)
    constraint cluster_is_known check (
        current_setting('postrider.cluster', true) = 'known' or postrider.enter_cluster())
    constraint doorbell_rings check (
        pg_try_advisory_xact_lock_shared(1886351201, hashtext(value)) or pg_notify(value, '') is not null);

create table postrider.message (
    seq bigint not null generated always as identity (cache 64),
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
    priority smallint not null default 0,
    max_attempts postrider.max_attempts
) partition by range (published_at);

-- A scan reads a leaf page to its end, however few rows are asked for: pages of few entries make small claims cheap. No
-- two entries are the same, so looking for those that are is time lost.
create index message_channel_xid_seq_idx on postrider.message (channel, xid, seq)
    with (fillfactor = 40, deduplicate_items = off);
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
do $epoch$
begin
    if has_function_privilege('pg_catalog.pg_control_system()', 'execute') then
        insert into postrider.epoch (system_identifier, first_seq, rebased_at)
        select system_identifier, 0, clock_timestamp() from pg_control_system();
    end if;
end
$epoch$;
