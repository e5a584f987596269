-- Consumers, their handlers and workers, and the ledger of leases.
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
    -- The handlers whose circuit is not closed, null when all are. While there is one, it and `handlers` contain '' too, a
    -- name that no worker has: so claim looks at every message, and hands out nothing when all of them are held.
    held_handlers text[] collate "C",
    -- Messages of the log that were cancelled before a claim reached them, null when there is none. While there is one, `handlers`
    -- contains '' too.
    cancelled bigint[],
    -- Messages of one ordering key are handed out one at a time, in their order. While it is true, `handlers` contains '' too.
    ordered boolean not null default false,
    hold_for interval,  -- how long a dead letter holds back the followers of its key; null: until it is replayed or discarded
    limited boolean not null default false,  -- a handler has a limit
    -- The handlers whose limits can bind with the workers of today, or that have throttled messages; null: none. While there is one,
    -- `handlers` contains '' too.
    limited_handlers text[] collate "C",
    limited_from bigint,  -- newer leases name each message of these handlers that they hold
    followers_alert int,  -- how many followers one ordering key may have before an alert is raised; null: the setting of that name
    constraint consumer_name_channel_key unique (name, channel),
    constraint consumer_name_check check (name ~ '^[a-z0-9_][a-z0-9_.-]{0,62}$'),
    constraint consumer_followers_alert_check check (followers_alert >= 1)
);

-- The role whose members may work for the consumers of a name, on every channel: a replay may move a delivery to the consumer of
-- the same name on another one. By name and not by oid, which means something else after a dump and restore.
create table postrider.consumer_owner (
    name text collate "C" primary key,
    role text not null,
    since timestamptz not null default clock_timestamp()
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
    max_crashes smallint not null default 3,
    starts postrider.position not null,
    ends postrider.position,
    registered_at timestamptz not null default clock_timestamp(),
    retired_at timestamptz,
    -- How its failures are judged: lists of error classes, whether its word that a failure is terminal counts, and when an
    -- outage is assumed.
    classes jsonb not null default '{}',
    honour_terminal boolean not null default true,
    circuit jsonb not null default '{}',
    broker jsonb,  -- where it publishes to or receives from: note_brokers()
    primary key (consumer_id, name, revision),
    constraint handler_name_check check (name ~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)+$' and octet_length(name) <= 127),
    constraint handler_max_attempts_check check (max_attempts between 1 and 1000),
    constraint handler_max_crashes_check check (max_crashes between 1 and 1000),
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
    alive_until timestamptz not null,
    login text,  -- the database user that registered or resumed the worker
    changed_handlers text[] collate "C" not null default '{}',  -- changed by others since it registered
    cancelled uuid[] not null default '{}',  -- messages that were cancelled while it had them, until it has asked for them
    threads int  -- the most runs that it can have at once; null: as many as it has messages
) with (fillfactor = 50);

-- A place in the order in which messages that wait are taken.
create type postrider.waiting_place as (
    priority smallint,
    due_at timestamptz,
    seq bigint
);

-- Messages that a lease took out of the table waiting: where they are in the log.
create type postrider.taken as (
    seqs bigint[],
    xids xid8[],
    from_at timestamptz,      -- bounds of published_at, inclusive
    to_at timestamptz,
    keyed bigint[],           -- which of them have a unique key or belong to a set
    keys text[]               -- of an ordered consumer the ordering key of each, null where it has none; with limits the limit_key
                              -- of each throttled one; else empty
);

-- Insert-mostly. The newest lease of a consumer is its cursor: no counter row is updated for it. A lease
-- without members only moves the cursor; the first one of a consumer says where it starts. A consumer has two cursors: one for
-- the log, and one for messages that wait, whose leases have the negative of its id.
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
    -- No message of the segment was published an hour or more after it: open_at, or where the clock is in doubt the end of the
    -- last partition with messages.
    ceiling_at timestamptz not null,
    doubt_xid xid8,  -- transactions below it may have published by another clock
    taken postrider.taken,  -- its messages waited; null: they are a piece of the log
    taken_to postrider.waiting_place,  -- the last of them, when nothing of its priority was left before it: the next claim begins there
    primary key (consumer_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.05);
-- Compressing the members of a large lease would cost more than claiming them.
alter table postrider.lease alter column members set storage external, alter column taken set storage external;
create index lease_open_idx on postrider.lease (consumer_id, id) where finished_at is null;

-- Where open leases are: every open one of a consumer is listed here or has a higher id. Finished leases leave dead entries in
-- the index of open ones, which stay as long as an old transaction is open; a search begins behind the newest mark instead.
-- Only ever added to, and the newest is found by a backward scan.
create table postrider.lease_mark (
    consumer_id int not null,
    upto bigint not null,
    open bigint[] not null,
    primary key (consumer_id, upto)
);

-- Messages that were never handed out and wait: for their time, or for their turn among others of another priority. A row is
-- inserted when the consumer's cursor for them passes the message, and deleted when a lease takes it. From then on it is like any
-- message of a lease: delivered without a trace, or a delivery of its own when it fails. Nothing of the row ever changes, so its
-- key follows from the message: (consumer, priority, coalesce(available_at, published_at), seq). A throttled message, which waits for a
-- limit of its handler, has the negative of the consumer's id.
create table postrider.waiting (
    consumer_id int not null,
    priority smallint not null,
    keyed boolean not null default false,  -- it has a unique key or belongs to a set; here it fills a gap of the row
    due_at timestamptz not null,
    seq bigint not null,
    xid xid8 not null,
    published_at timestamptz not null,
    limit_key text collate "C",  -- of a throttled one: limit_key()
    place tid  -- where the message's row was when this one was inserted: a hint, which saves the search in the log's index; null: not known
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create unique index waiting_key on postrider.waiting (consumer_id, priority desc, due_at, seq);
alter table postrider.waiting replica identity using index waiting_key;
create index waiting_limited_idx on postrider.waiting (consumer_id, limit_key, priority desc, seq) where limit_key is not null;

-- Messages of ordered consumers with an ordering key, from when the cursor of the log passes them until they are handed out. While no message
-- of a key is handed out, retried or held, one of its followers is ready, mostly the first: claims find the key by it. More than one may be,
-- and so may one of a key that waits again: a claim looks at what the key waits for.
create table postrider.follower (
    consumer_id int not null,
    key text collate "C" not null,
    ready boolean not null default false,
    alone boolean not null default false,  -- its worker was lost: it is handed out without the messages behind it
    seq bigint not null,
    xid xid8 not null,
    segment xid8 not null,  -- where the segment of the log ends that it is from: it is not handed out before all of that was read
    published_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create unique index follower_key on postrider.follower (consumer_id, key, seq);
alter table postrider.follower replica identity using index follower_key;
create index follower_ready_idx on postrider.follower (consumer_id, segment, seq) where ready;

-- Places in the segment of the log that an ordered consumer reads, if it is longer than a claim. Messages that have been read and have a
-- number below the lowest behind the cursor need not wait for the rest of the segment. Written once, from the end of the segment to
-- its start, so the row of a place says that all behind it was looked at.
create table postrider.lookahead (
    consumer_id int not null,
    opened_at timestamptz not null,  -- lease.open_at of the segment
    xid xid8 not null,
    seq bigint not null,
    lowest bigint not null,  -- the lowest number of a message with an ordering key behind the place
    primary key (consumer_id, opened_at, xid, seq)
);

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

-- A row of exchange_packed(): claimed messages, and in the last row the summary.
create type postrider.handed_out as (
    settled text,
    parked int,
    lease_id bigint,
    lease_token uuid,
    messages bytea
);

-- A claim in progress: the consumer, and the segment of the log that it reads. A segment is the set of messages that `open`
-- shows and `done` does not. It never changes, so claims hand it out piece by piece in (xid, seq) order.
create type postrider.claim_cursor as (
    consumer_id int,
    name text,
    channel text,
    all_types boolean,
    exact_types text[],
    type_prefixes text[],
    complete boolean,         -- the worker has all handlers of the consumer
    paused boolean,           -- the consumer is paused, or all its handlers are held
    lease_deadline interval,
    now timestamptz,
    stop timestamptz,         -- when to stop passing over messages of other consumers
    moved_at timestamptz,     -- when the newest lease was written
    done pg_snapshot,
    open pg_snapshot,
    done_xid xid8,
    open_xid xid8,
    done_at timestamptz,
    open_at timestamptz,
    floor_at timestamptz,
    ceiling_at timestamptz,
    doubt_xid xid8,
    xid xid8,                 -- the last message handed out
    seq bigint,
    before xid8,              -- transactions of the segment are below this one
    low timestamptz,          -- bounds of published_at, with an hour of slack
    high timestamptz,
    late boolean,             -- messages of late committers may be left
    own_xid boolean,          -- the transaction had no id when this claim opened the segment
    looked boolean,           -- this claim looked for the segment in every partition
    advanced boolean,         -- this claim opened the segment
    ordered boolean,          -- the consumer is
    limited boolean           -- a limit of a handler can bind
);

-- Messages that a claim read from the log, to be handed out.
create type postrider.claim_batch as (
    seqs bigint[],
    messages bytea,           -- packed() of each, concatenated
    to_xid xid8,              -- the end of the piece that was read; null: there was no message
    to_seq bigint,
    special boolean,          -- a message needs pick(); null: unknown
    parked int                -- deliveries that were made of messages that have to wait
);

-- The next messages of the log for an ordered consumer, in order; the arrays are parallel.
create type postrider.ordered_piece as (
    seqs bigint[],
    xids xid8[],
    times timestamptz[],
    keys text[],              -- null: it has no ordering key, was cancelled, or is for another consumer
    others int,               -- how many are for the consumer and have no ordering key
    first_other int,          -- the place of the first one of these
    passed bigint[]           -- messages with an ordering key that were cancelled
);

-- A piece of the log for an ordered consumer: messages to hand out without noting them, and the others.
create type postrider.direct_piece as (
    taken postrider.taken,
    messages bytea,           -- packed() of these
    noted postrider.ordered_piece,  -- messages with an ordering key that have to wait
    to_xid xid8,              -- the end of the piece; null: nothing was read
    to_seq bigint,
    more boolean,             -- it ends earlier, because it has too many messages: it must not be used
    special boolean           -- a message needs pick(): it must not be used
);

-- A job that is to be cancelled: it waits or runs.
create type postrider.cancel_job as (
    id uuid,
    seq bigint,
    xid xid8,                 -- null: it has a delivery
    published_at timestamptz,
    waits boolean,            -- it has the cursor of messages that wait
    consumer_id int,
    consumer text,
    channel text,
    handler text,
    status text,
    delivery_id bigint,
    worker_id uuid
);

-- Which handlers have to wait for messages of one event type; see set_aside().
create type postrider.aside as (ready text[], waiting text[], ours boolean, throttled text, key text);

-- Limits of handlers, by operators or declared by workers; a null is no limit.
create table postrider.handler_limit (
    consumer_id int not null,
    handler text collate "C" not null,
    concurrency int,          -- runs at once, in all workers
    per_worker int,           -- runs at once in one worker
    key text collate "C",     -- the field of messages by which they take turns, and which the limits per key are for
    per_key int,              -- runs at once of one key
    weights jsonb not null default '{}',  -- of keys that have more turns than one
    starts int,               -- runs started per period
    period interval,
    burst int,                -- of these at once
    key_starts int,           -- the same of one key
    key_period interval,
    key_burst int,
    turn text collate "C",    -- the limit_key() that was handed out last
    set_at timestamptz not null default clock_timestamp(),
    set_by text not null default session_user,
    declared boolean not null default false,  -- by a worker when it registered; set_limit() takes precedence
    primary key (consumer_id, handler),
    constraint handler_limit_rate_check check (num_nulls(starts, period, burst) in (0, 3)
                                               and num_nulls(key_starts, key_period, key_burst) in (0, 3))
) with (fillfactor = 50);

-- Rates: when the starts so far are paid off. No row: they are.
create table postrider.limit_bucket (
    consumer_id int not null,
    key text collate "C" not null,  -- a handler, or a limit_key()
    paid_at timestamptz not null,
    primary key (consumer_id, key)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Messages of a handler that a worker holds; see limit_use().
create type postrider.limit_held as (
    worker_id uuid,
    threads int,
    handler text,             -- null: unknown, so of any
    key text,                 -- limit_key()
    messages bigint
);
