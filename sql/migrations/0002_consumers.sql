-- Consumers, their handlers and workers, and the ledger of leases.
set local role postrider_owner;

-- A point in a channel, exact under any order of commits: all messages visible in `done`, and those visible in `open` up to
-- (xid, seq).
create type postrider.position as (done pg_snapshot, open pg_snapshot, xid xid8, seq bigint);

create table postrider.consumer (
    id int generated always as identity primary key,
    name text collate "C" not null,
    channel text collate "C" not null,
    paused boolean not null default false,
    lease_deadline interval,
    -- The data of handlers that a claim needs, here so that it reads one row.
    handlers text[] collate "C" not null default '{}',
    all_types boolean not null default false,
    exact_types text[] collate "C" not null default '{}',
    type_prefixes text[] collate "C" not null default '{}',
    created_at timestamptz not null default clock_timestamp(),
    -- The handlers whose circuit is not closed; null: all are closed. While there is one, this array and `handlers` also contain
    -- '', a name that no worker has: a claim then examines every message, and hands out none when all handlers are held.
    held_handlers text[] collate "C",
    -- Messages of the log that were cancelled before a claim reached them; null: none. While there is one, `handlers` also
    -- contains ''.
    cancelled bigint[],
    -- Messages of one ordering key are handed out one at a time, in their order. While it is true, `handlers` also contains ''.
    ordered boolean not null default false,
    hold_for interval,  -- how long a dead letter holds back the followers of its key; null: until it is replayed or discarded
    limited boolean not null default false,  -- a handler has a limit
    -- The handlers whose limits can bind with the current workers, or that have throttled messages; null: none. While there is one,
    -- `handlers` also contains ''.
    limited_handlers text[] collate "C",
    limited_from bigint,  -- leases with a higher id list each message of these handlers that they hold
    followers_alert int,  -- how many followers one ordering key may have before an alert is raised; null: the setting of that name
    constraint consumer_name_channel_key unique (name, channel),
    constraint consumer_name_check check (name ~ '^[a-z0-9_][a-z0-9_.-]{0,62}$'),
    constraint consumer_followers_alert_check check (followers_alert >= 1)
);

-- The role whose members may work for the consumers of a name, on every channel: a replay may move a delivery to the consumer of
-- the same name on another one. The role is stored by name, because its oid changes with a dump and restore.
create table postrider.consumer_owner (
    name text collate "C" primary key,
    role text not null,
    since timestamptz not null default clock_timestamp()
);

-- A handler has to run the messages claimed between `starts` and `ends`. When its event types change, one row ends where
-- the next one starts, so that messages that are already claimed keep their handlers.
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
    -- How its failures are classified: lists of error classes, whether a terminal outcome that it reports is accepted, and when
    -- an outage is assumed.
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
    changed_handlers text[] collate "C" not null default '{}',  -- changed by other workers since it registered
    cancelled uuid[] not null default '{}',  -- messages that were cancelled while it held them, until it has read the list
    threads int  -- maximum number of concurrent runs; null: the number of its messages
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
    keyed bigint[],           -- those with a unique key or a set
    keys text[]               -- of an ordered consumer: the ordering key of each, or null; with limits: the limit_key of each throttled
                              -- message; otherwise empty
);

-- Insert-mostly. The newest lease of a consumer is its cursor, so claims update no counter row. A lease without members only
-- moves the cursor; the first lease of a consumer is its start position. A consumer has two cursors: one for the log, and one
-- for messages that wait, whose leases have the negative of its id.
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
    -- No message of the segment was published an hour or more after this time. It is open_at or, if recheck_bounds() searched
    -- the log, the end of the last partition with messages.
    ceiling_at timestamptz not null,
    recheck_xid xid8,  -- transactions below it may have published with another clock
    taken postrider.taken,  -- its messages waited; null: they are a range of the log
    taken_to postrider.waiting_place,  -- the last of them, if no message of its priority is left before it: the next claim begins there
    primary key (consumer_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.05);
-- Compressing the members of a large lease would cost more than claiming them.
alter table postrider.lease alter column members set storage external, alter column taken set storage external;
create index lease_open_idx on postrider.lease (consumer_id, id) where finished_at is null;

-- Marks for finding open leases: each open lease of a consumer is listed in `open` or has an id above `upto`. Finished leases leave
-- dead entries in the index of open leases, which vacuum cannot remove while an old transaction is open; a search begins behind
-- the newest mark instead. Rows are never updated; the newest is found by a backward scan.
create table postrider.lease_mark (
    consumer_id int not null,
    upto bigint not null,
    open bigint[] not null,
    primary key (consumer_id, upto)
);

-- Messages that were never handed out and wait for their time or their priority. A row is inserted when the consumer's cursor for
-- such messages passes it, and deleted when a lease takes it. After that it is handled like every message of a lease: it leaves no
-- row if it is delivered, and gets a delivery if it fails. Rows are never updated, so the key follows from the message: (consumer,
-- priority, coalesce(available_at, published_at), seq). A throttled message, which waits for a limit of its handler, has the negative
-- of the consumer's id.
create table postrider.waiting (
    consumer_id int not null,
    priority smallint not null,
    keyed boolean not null default false,  -- it has a unique key or belongs to a set; placed here because of the alignment
    due_at timestamptz not null,
    seq bigint not null,
    xid xid8 not null,
    published_at timestamptz not null,
    limit_key text collate "C",  -- limit_key() of a throttled message
    place tid  -- location of the message's row when this row was inserted: a hint that saves an index scan of the log; null: unknown
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create unique index waiting_key on postrider.waiting (consumer_id, priority desc, due_at, seq);
alter table postrider.waiting replica identity using index waiting_key;
create index waiting_limited_idx on postrider.waiting (consumer_id, limit_key, priority desc, seq) where limit_key is not null;

-- Messages of ordered consumers with an ordering key, from when the cursor of the log passes them until they are handed out. While no message
-- of a key is handed out, retried or held, at least one of its followers is ready, usually the first: claims find the key by it. A follower of
-- a key that has a head can be ready as well, so a claim checks whether the key has one.
create table postrider.follower (
    consumer_id int not null,
    key text collate "C" not null,
    ready boolean not null default false,
    alone boolean not null default false,  -- its worker died: it is handed out without the messages behind it
    seq bigint not null,
    xid xid8 not null,
    segment xid8 not null,  -- the end of its segment of the log: it is not handed out before the whole segment was read
    published_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create unique index follower_key on postrider.follower (consumer_id, key, seq);
alter table postrider.follower replica identity using index follower_key;
create index follower_ready_idx on postrider.follower (consumer_id, segment, seq) where ready;

-- Places in the segment of the log that an ordered consumer reads, if it is longer than a claim. Messages that have been read and have a
-- number below the lowest behind the cursor need not wait for the rest of the segment. Places are written once, from the end of the
-- segment to its start: if a place has a row, all messages behind it were examined.
create table postrider.lookahead (
    consumer_id int not null,
    opened_at timestamptz not null,  -- lease.open_at of the segment
    xid xid8 not null,
    seq bigint not null,
    lowest bigint not null,  -- the lowest number of a message with an ordering key behind the place
    primary key (consumer_id, opened_at, xid, seq)
);

-- A row that exchange() returns: a claimed message, or the summary row, whose seq is null.
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
    recheck_xid xid8,
    xid xid8,                 -- the last message handed out
    seq bigint,
    before xid8,              -- transactions of the segment are below this one
    low timestamptz,          -- bounds of published_at, with an hour of slack
    high timestamptz,
    late boolean,             -- messages of late committers may be left
    own_xid boolean,          -- the transaction had no id when this claim opened the segment
    looked boolean,           -- this claim looked for the segment in every partition
    advanced boolean,         -- this claim opened the segment
    ordered boolean,          -- consumer.ordered
    limited boolean           -- a limit of a handler can bind
);

-- Messages that a claim read from the log, to be handed out.
create type postrider.claim_batch as (
    seqs bigint[],
    messages bytea,           -- packed() of each, concatenated
    to_xid xid8,              -- the end of the piece that was read; null: there was no message
    to_seq bigint,
    special boolean,          -- a message needs pick(); null: unknown
    parked int                -- deliveries that were created for messages that have to wait
);

-- The next messages of the log for an ordered consumer, in order; the arrays are parallel.
create type postrider.ordered_piece as (
    seqs bigint[],
    xids xid8[],
    times timestamptz[],
    keys text[],              -- null: it has no ordering key, was cancelled, or is for another consumer
    others int,               -- number of messages for the consumer without an ordering key
    first_other int,          -- index of the first of these
    passed bigint[]           -- messages with an ordering key that were cancelled
);

-- A range of the log for an ordered consumer: messages to hand out without a row in follower, and the other messages.
create type postrider.direct_piece as (
    taken postrider.taken,
    messages bytea,           -- packed() of these
    noted postrider.ordered_piece,  -- messages with an ordering key that have to wait
    to_xid xid8,              -- the end of the range; null: there was no message
    to_seq bigint,
    more boolean,             -- the range has too many messages and ends earlier: it must not be used
    special boolean           -- a message needs pick(): the range must not be used
);

-- A waiting or running job that is to be cancelled.
create type postrider.cancel_job as (
    id uuid,
    seq bigint,
    xid xid8,                 -- null: it has a delivery
    published_at timestamptz,
    waits boolean,            -- consumers read it with the cursor of messages that wait
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
    key text collate "C",     -- the field of messages for round robin and for the limits per key
    per_key int,              -- runs at once of one key
    weights jsonb not null default '{}',  -- weights of keys in the round robin, if not 1
    starts int,               -- runs started per period
    period interval,
    burst int,                -- maximum number of starts at once
    key_starts int,           -- the same for one key
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

-- Token buckets of the rate limits: the time at which the bucket is full again. Without a row it is full.
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
    handler text,             -- null: unknown, counts for every handler
    key text,                 -- limit_key()
    messages bigint
);
