
CREATE SCHEMA postrider;

ALTER SCHEMA postrider OWNER TO postrider_owner;

CREATE TYPE postrider.aside AS (
    ready text[],
    waiting text[],
    ours boolean,
    throttled text,
    key text
);

ALTER TYPE postrider.aside OWNER TO postrider_owner;

CREATE TYPE postrider.cancel_job AS (
    id uuid,
    seq bigint,
    xid xid8,
    published_at timestamp with time zone,
    waits boolean,
    consumer_id integer,
    consumer text,
    channel text,
    handler text,
    status text,
    delivery_id bigint,
    worker_id uuid
);

ALTER TYPE postrider.cancel_job OWNER TO postrider_owner;

CREATE TYPE postrider.circuit_policy AS (
    failures double precision,
    open_ms double precision,
    cap_ms double precision,
    ramp double precision
);

ALTER TYPE postrider.circuit_policy OWNER TO postrider_owner;

CREATE TYPE postrider.circuit_runs AS (
    consumer_id integer,
    handler text,
    delivered bigint[],
    transient bigint[],
    crashed bigint[],
    other bigint[],
    succeeded boolean,
    error_class text,
    error text,
    failed integer,
    first_failed integer,
    failed_before_at timestamp with time zone,
    until timestamp with time zone
);

ALTER TYPE postrider.circuit_runs OWNER TO postrider_owner;

CREATE TYPE postrider.claim_batch AS (
    seqs bigint[],
    messages bytea,
    to_xid xid8,
    to_seq bigint,
    special boolean,
    parked integer
);

ALTER TYPE postrider.claim_batch OWNER TO postrider_owner;

CREATE TYPE postrider.claim_cursor AS (
    consumer_id integer,
    name text,
    channel text,
    all_types boolean,
    exact_types text[],
    type_prefixes text[],
    complete boolean,
    paused boolean,
    lease_deadline interval,
    now timestamp with time zone,
    stop timestamp with time zone,
    moved_at timestamp with time zone,
    done pg_snapshot,
    open pg_snapshot,
    done_xid xid8,
    open_xid xid8,
    done_at timestamp with time zone,
    open_at timestamp with time zone,
    floor_at timestamp with time zone,
    ceiling_at timestamp with time zone,
    recheck_xid xid8,
    xid xid8,
    seq bigint,
    before xid8,
    low timestamp with time zone,
    high timestamp with time zone,
    late boolean,
    own_xid boolean,
    looked boolean,
    advanced boolean,
    ordered boolean,
    limited boolean
);

ALTER TYPE postrider.claim_cursor OWNER TO postrider_owner;

CREATE TYPE postrider.claimed AS (
    settled text,
    parked integer,
    lease_id bigint,
    lease_token uuid,
    seq bigint,
    id uuid,
    event_type text,
    event_version integer,
    occurred_at timestamp with time zone,
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

ALTER TYPE postrider.claimed OWNER TO postrider_owner;

CREATE DOMAIN postrider.content_class AS text COLLATE pg_catalog."C"
    CONSTRAINT content_class_within_255_bytes CHECK ((octet_length(VALUE) <= 255));

ALTER DOMAIN postrider.content_class OWNER TO postrider_owner;

CREATE TYPE postrider.cron AS (
    second text,
    minute text,
    hour text,
    day text,
    month text,
    weekday text,
    either_day boolean,
    runs_through boolean,
    every bigint
);

ALTER TYPE postrider.cron OWNER TO postrider_owner;

CREATE TYPE postrider.ordered_piece AS (
    seqs bigint[],
    xids xid8[],
    times timestamp with time zone[],
    keys text[],
    others integer,
    first_other integer,
    passed bigint[]
);

ALTER TYPE postrider.ordered_piece OWNER TO postrider_owner;

CREATE TYPE postrider.taken AS (
    seqs bigint[],
    xids xid8[],
    from_at timestamp with time zone,
    to_at timestamp with time zone,
    keyed bigint[],
    keys text[]
);

ALTER TYPE postrider.taken OWNER TO postrider_owner;

CREATE TYPE postrider.direct_piece AS (
    taken postrider.taken,
    messages bytea,
    noted postrider.ordered_piece,
    to_xid xid8,
    to_seq bigint,
    more boolean,
    special boolean
);

ALTER TYPE postrider.direct_piece OWNER TO postrider_owner;

CREATE FUNCTION postrider.enter_channel(p_channel text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.enter_channel(p_channel text) OWNER TO postrider_owner;

CREATE DOMAIN postrider.doorbell AS text COLLATE pg_catalog."C"
    CONSTRAINT channel_within_1_to_63_bytes CHECK (((octet_length(VALUE) >= 1) AND (octet_length(VALUE) <= 63)))
    CONSTRAINT cluster_is_known_and_channels_are_few CHECK ((((VALUE <> 'broker'::text) AND (strpos(current_setting('postrider.channels'::text, true), (VALUE || ','::text)) > 0)) OR postrider.enter_channel(VALUE)))
    CONSTRAINT doorbell_rings CHECK ((pg_try_advisory_xact_lock_shared(1886351201, hashtext(VALUE)) OR (pg_notify(VALUE, ''::text) IS NOT NULL)));

ALTER DOMAIN postrider.doorbell OWNER TO postrider_owner;

CREATE TYPE postrider.due_want AS (
    runs integer,
    held integer,
    sizes integer[],
    slots integer[],
    alone boolean
);

ALTER TYPE postrider.due_want OWNER TO postrider_owner;

CREATE TYPE postrider.ended_place AS (
    consumer_id integer,
    channel text,
    near xid8[],
    xids xid8[],
    members bigint[],
    floor_at timestamp with time zone,
    ceiling_at timestamp with time zone,
    waited_at timestamp with time zone,
    worker_id uuid
);

ALTER TYPE postrider.ended_place OWNER TO postrider_owner;

CREATE TYPE postrider.ended_run AS (
    id bigint,
    consumer_id integer,
    handler text,
    kind text,
    status text,
    replay_id bigint,
    watched boolean,
    error_class text,
    error text,
    runs integer,
    failed_before_at timestamp with time zone
);

ALTER TYPE postrider.ended_run OWNER TO postrider_owner;

CREATE DOMAIN postrider.event_type AS text COLLATE pg_catalog."C"
    CONSTRAINT event_type_within_1_to_255_bytes CHECK (((octet_length(VALUE) >= 1) AND (octet_length(VALUE) <= 255)));

ALTER DOMAIN postrider.event_type OWNER TO postrider_owner;

CREATE TYPE postrider.handed_out AS (
    settled text,
    parked integer,
    lease_id bigint,
    lease_token uuid,
    messages bytea
);

ALTER TYPE postrider.handed_out OWNER TO postrider_owner;

CREATE DOMAIN postrider.headers AS json
    CONSTRAINT headers_within_65536_bytes CHECK ((octet_length((VALUE)::text) <= 65536));

ALTER DOMAIN postrider.headers OWNER TO postrider_owner;

CREATE DOMAIN postrider.idempotency_key AS text COLLATE pg_catalog."C"
    CONSTRAINT idempotency_key_within_1_to_255_bytes CHECK (((octet_length(VALUE) >= 1) AND (octet_length(VALUE) <= 255)));

ALTER DOMAIN postrider.idempotency_key OWNER TO postrider_owner;

CREATE TYPE postrider.inbox_key AS (
    consumer text,
    handler text,
    source text,
    idempotency_key text
);

ALTER TYPE postrider.inbox_key OWNER TO postrider_owner;

CREATE TYPE postrider.limit_held AS (
    worker_id uuid,
    threads integer,
    handler text,
    key text,
    messages bigint
);

ALTER TYPE postrider.limit_held OWNER TO postrider_owner;

CREATE DOMAIN postrider.max_attempts AS smallint
    CONSTRAINT max_attempts_within_1_to_1000 CHECK (((VALUE >= 1) AND (VALUE <= 1000)));

ALTER DOMAIN postrider.max_attempts OWNER TO postrider_owner;

CREATE DOMAIN postrider.metadata AS jsonb
    CONSTRAINT metadata_within_65536_bytes CHECK ((octet_length((VALUE)::text) <= 65536));

ALTER DOMAIN postrider.metadata OWNER TO postrider_owner;

CREATE TYPE postrider.new_message AS (
    id uuid,
    channel text,
    event_type text,
    event_version integer,
    occurred_at timestamp with time zone,
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
    available_at timestamp with time zone,
    priority integer,
    max_attempts integer
);

ALTER TYPE postrider.new_message OWNER TO postrider_owner;

CREATE TYPE postrider.ordered_key AS (
    consumer_id integer,
    key text
);

ALTER TYPE postrider.ordered_key OWNER TO postrider_owner;

CREATE DOMAIN postrider.ordering_key AS text COLLATE pg_catalog."C"
    CONSTRAINT ordering_key_within_255_bytes CHECK ((octet_length(VALUE) <= 255));

ALTER DOMAIN postrider.ordering_key OWNER TO postrider_owner;

CREATE DOMAIN postrider.partition_key AS text COLLATE pg_catalog."C"
    CONSTRAINT partition_key_within_255_bytes CHECK ((octet_length(VALUE) <= 255));

ALTER DOMAIN postrider.partition_key OWNER TO postrider_owner;

CREATE DOMAIN postrider.payload AS json
    CONSTRAINT payload_within_1048576_bytes CHECK ((octet_length((VALUE)::text) <= 1048576));

ALTER DOMAIN postrider.payload OWNER TO postrider_owner;

CREATE TYPE postrider."position" AS (
    done pg_snapshot,
    open pg_snapshot,
    xid xid8,
    seq bigint
);

ALTER TYPE postrider."position" OWNER TO postrider_owner;

CREATE TYPE postrider.place AS (
    at postrider."position",
    xid xid8,
    seq bigint,
    floor_at timestamp with time zone
);

ALTER TYPE postrider.place OWNER TO postrider_owner;

CREATE DOMAIN postrider.priority AS smallint
    CONSTRAINT priority_within_minus_100_to_100 CHECK (((VALUE >= '-100'::integer) AND (VALUE <= 100)));

ALTER DOMAIN postrider.priority OWNER TO postrider_owner;

CREATE TYPE postrider.retry_policy AS (
    curve text,
    jitter text,
    base_ms double precision,
    multiplier double precision,
    cap_ms double precision,
    floor_ms double precision,
    delays_ms double precision[],
    max_age interval
);

ALTER TYPE postrider.retry_policy OWNER TO postrider_owner;

CREATE TYPE postrider.run AS (
    outcome text,
    error_class text,
    delay_ms double precision,
    attempts integer,
    max_attempts integer,
    crashes integer,
    max_crashes integer,
    policy postrider.retry_policy,
    started_at timestamp with time zone,
    classes jsonb,
    honour_terminal boolean,
    outage boolean,
    bury boolean
);

ALTER TYPE postrider.run OWNER TO postrider_owner;

CREATE DOMAIN postrider.source AS text COLLATE pg_catalog."C"
    CONSTRAINT source_within_255_bytes CHECK ((octet_length(VALUE) <= 255));

ALTER DOMAIN postrider.source OWNER TO postrider_owner;

CREATE DOMAIN postrider.target AS text COLLATE pg_catalog."C"
    CONSTRAINT target_within_1_to_255_bytes CHECK (((octet_length(VALUE) >= 1) AND (octet_length(VALUE) <= 255)));

ALTER DOMAIN postrider.target OWNER TO postrider_owner;

CREATE DOMAIN postrider.trace_context AS text COLLATE pg_catalog."C"
    CONSTRAINT trace_context_within_255_bytes CHECK ((octet_length(VALUE) <= 255));

ALTER DOMAIN postrider.trace_context OWNER TO postrider_owner;

CREATE TYPE postrider.waiting_place AS (
    priority smallint,
    due_at timestamp with time zone,
    seq bigint
);

ALTER TYPE postrider.waiting_place OWNER TO postrider_owner;

CREATE FUNCTION postrider.add_alert_target(p_target text, p_configuration text DEFAULT NULL::text, p_started boolean DEFAULT false) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.add_alert_target(p_target text, p_configuration text, p_started boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.add_taken(p_taken postrider.taken, p_more postrider.taken) RETURNS postrider.taken
    LANGUAGE plpgsql IMMUTABLE
    AS ...;

ALTER FUNCTION postrider.add_taken(p_taken postrider.taken, p_more postrider.taken) OWNER TO postrider_owner;

CREATE FUNCTION postrider.add_to_set(p_name text, p_members jsonb) RETURNS uuid[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.add_to_set(p_name text, p_members jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.admit_due(p_consumer_id integer, p_deliveries bigint[], p_now timestamp with time zone) RETURNS bigint[]
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.admit_due(p_consumer_id integer, p_deliveries bigint[], p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.adopt(p_name text, p_actor text, p_reason text, p_drop_owed boolean DEFAULT false, OUT deliveries bigint, OUT consumers bigint, OUT schedules bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.adopt(p_name text, p_actor text, p_reason text, p_drop_owed boolean, OUT deliveries bigint, OUT consumers bigint, OUT schedules bigint) OWNER TO postrider_owner;

CREATE TABLE postrider.handler (
    consumer_id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    revision integer DEFAULT 1 NOT NULL,
    event_types text[] NOT NULL COLLATE pg_catalog."C",
    retry jsonb DEFAULT '{}'::jsonb NOT NULL,
    max_attempts smallint DEFAULT 5 NOT NULL,
    max_crashes smallint DEFAULT 3 NOT NULL,
    starts postrider."position" NOT NULL,
    ends postrider."position",
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    retired_at timestamp with time zone,
    classes jsonb DEFAULT '{}'::jsonb NOT NULL,
    honour_terminal boolean DEFAULT true NOT NULL,
    circuit jsonb DEFAULT '{}'::jsonb NOT NULL,
    broker jsonb,
    CONSTRAINT handler_ends_check CHECK (((ends IS NULL) = (retired_at IS NULL))),
    CONSTRAINT handler_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 1000))),
    CONSTRAINT handler_max_crashes_check CHECK (((max_crashes >= 1) AND (max_crashes <= 1000))),
    CONSTRAINT handler_name_check CHECK (((name ~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)+$'::text) AND (octet_length(name) <= 127)))
);

ALTER TABLE postrider.handler OWNER TO postrider_owner;

CREATE FUNCTION postrider.adopter(p_consumer_id integer, p_event_type text) RETURNS postrider.handler
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.adopter(p_consumer_id integer, p_event_type text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.advance_sequences() RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.advance_sequences() OWNER TO postrider_owner;

CREATE FUNCTION postrider.alert_backlogs() RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.alert_backlogs() OWNER TO postrider_owner;

CREATE FUNCTION postrider.attempt_entry(p_outcome text, p_cycle integer, p_attempt integer, p_at timestamp with time zone, p_error_class text, p_error text, p_duration_ms double precision, p_worker uuid) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.attempt_entry(p_outcome text, p_cycle integer, p_attempt integer, p_at timestamp with time zone, p_error_class text, p_error text, p_duration_ms double precision, p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.audit_document(p_document jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.audit_document(p_document jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.audit_floor() RETURNS interval
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.audit_floor() OWNER TO postrider_owner;

CREATE FUNCTION postrider.audit_handler(p_before postrider.handler, p_action text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.audit_handler(p_before postrider.handler, p_action text) OWNER TO postrider_owner;

CREATE TABLE postrider.schedule (
    name text NOT NULL COLLATE pg_catalog."C",
    cron text NOT NULL,
    parsed postrider.cron NOT NULL,
    time_zone text NOT NULL,
    message jsonb NOT NULL,
    overlap text NOT NULL COLLATE pg_catalog."C",
    catch_up interval NOT NULL,
    jitter interval NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    paused_reason text,
    next_slot timestamp with time zone NOT NULL,
    next_at timestamp with time zone NOT NULL,
    queued_slot timestamp with time zone,
    last_slot timestamp with time zone,
    last_fired_at timestamp with time zone,
    last_message_id uuid,
    last_published_at timestamp with time zone,
    last_xid xid8,
    last_seq bigint,
    fired bigint DEFAULT 0 NOT NULL,
    late bigint DEFAULT 0 NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL,
    owner text DEFAULT SESSION_USER NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT schedule_name_check CHECK ((name ~ '^[a-z0-9_][a-z0-9_.-]{0,126}$'::text)),
    CONSTRAINT schedule_overlap_check CHECK ((overlap = ANY (ARRAY['allow'::text, 'skip'::text, 'queue_one'::text])))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.schedule OWNER TO postrider_owner;

CREATE FUNCTION postrider.audit_schedule(p_action text, p_actor text, p_reason text, p_name text, p_before postrider.schedule DEFAULT NULL::postrider.schedule, p_after postrider.schedule DEFAULT NULL::postrider.schedule) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.audit_schedule(p_action text, p_actor text, p_reason text, p_name text, p_before postrider.schedule, p_after postrider.schedule) OWNER TO postrider_owner;

CREATE FUNCTION postrider.audit_value(p_value jsonb, p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.audit_value(p_value jsonb, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.backfill_schedule(p_name text, p_from timestamp with time zone, p_to timestamp with time zone, p_limit integer DEFAULT 1000, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text, OUT fired integer, OUT next_from timestamp with time zone) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS ...;

ALTER FUNCTION postrider.backfill_schedule(p_name text, p_from timestamp with time zone, p_to timestamp with time zone, p_limit integer, p_actor text, p_reason text, OUT fired integer, OUT next_from timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.behind(p_at postrider."position") RETURNS TABLE(from_xid xid8, after_seq bigint, to_xid xid8)
    LANGUAGE plpgsql STABLE ROWS 2 PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.behind(p_at postrider."position") OWNER TO postrider_owner;

CREATE FUNCTION postrider.insertion_time() RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.insertion_time() OWNER TO postrider_owner;

CREATE FUNCTION postrider.uuid_v7() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.uuid_v7() OWNER TO postrider_owner;

CREATE TABLE postrider.consumer (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    paused boolean DEFAULT false NOT NULL,
    lease_deadline interval,
    handlers text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    all_types boolean DEFAULT false NOT NULL,
    exact_types text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    type_prefixes text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    held_handlers text[] COLLATE pg_catalog."C",
    cancelled bigint[],
    ordered boolean DEFAULT false NOT NULL,
    hold_for interval,
    limited boolean DEFAULT false NOT NULL,
    limited_handlers text[] COLLATE pg_catalog."C",
    limited_from bigint,
    followers_alert integer,
    CONSTRAINT consumer_followers_alert_check CHECK ((followers_alert >= 1)),
    CONSTRAINT consumer_name_check CHECK ((name ~ '^[a-z0-9_][a-z0-9_.-]{0,62}$'::text))
);

ALTER TABLE postrider.consumer OWNER TO postrider_owner;

CREATE TABLE postrider.delivery (
    id bigint NOT NULL,
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 NOT NULL,
    attempts_total integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    crashes integer DEFAULT 0 NOT NULL,
    interruptions integer DEFAULT 0 NOT NULL,
    suspect boolean DEFAULT false NOT NULL,
    cycle integer DEFAULT 1 NOT NULL,
    max_attempts integer,
    max_crashes integer NOT NULL,
    retry jsonb DEFAULT '{}'::jsonb NOT NULL,
    available_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    worker_id uuid,
    lease_token uuid,
    deadline timestamp with time zone,
    first_failed_at timestamp with time zone,
    last_error text,
    error_class text COLLATE pg_catalog."C",
    fingerprint text COLLATE pg_catalog."C",
    failure_history jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    dead_at timestamp with time zone,
    delivered_at timestamp with time zone,
    deleted_at timestamp with time zone,
    seq bigint NOT NULL,
    published_at timestamp with time zone NOT NULL,
    message_id uuid NOT NULL,
    channel text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL COLLATE pg_catalog."C",
    event_version integer NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    target text COLLATE pg_catalog."C",
    content_class text COLLATE pg_catalog."C",
    generation bigint,
    workspace_id uuid,
    payload json NOT NULL,
    headers json,
    metadata jsonb,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    ordering_key text COLLATE pg_catalog."C",
    partition_key text COLLATE pg_catalog."C",
    trace_context text COLLATE pg_catalog."C",
    priority smallint NOT NULL,
    outcome text COLLATE pg_catalog."C",
    cycle_started_at timestamp with time zone,
    history_dropped integer DEFAULT 0 NOT NULL,
    replay_id bigint,
    deleted_reason text,
    successor uuid,
    origin_id integer,
    unique_key text COLLATE pg_catalog."C",
    unique_scope text COLLATE pg_catalog."C",
    set_id bigint,
    heads boolean,
    broker_cycle integer,
    attempt_history jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT delivery_status_check CHECK (((status =
CASE
    WHEN (dead_at IS NOT NULL) THEN 'failed'::text
    WHEN (delivered_at IS NOT NULL) THEN 'delivered'::text
    WHEN (lease_token IS NOT NULL) THEN 'in_flight'::text
    ELSE 'pending'::text
END) AND (num_nonnulls(dead_at, delivered_at, lease_token) < 2)))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.delivery OWNER TO postrider_owner;

CREATE TABLE postrider.follower (
    consumer_id integer NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    ready boolean DEFAULT false NOT NULL,
    alone boolean DEFAULT false NOT NULL,
    seq bigint NOT NULL,
    xid xid8 NOT NULL,
    segment xid8 NOT NULL,
    published_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.follower OWNER TO postrider_owner;

CREATE TABLE postrider.key_backlog (
    consumer_id integer NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    alert_id bigint NOT NULL,
    alerted_at timestamp with time zone NOT NULL
);

ALTER TABLE postrider.key_backlog OWNER TO postrider_owner;

CREATE TABLE postrider.lease (
    consumer_id integer NOT NULL,
    id bigint NOT NULL,
    token uuid NOT NULL,
    worker_id uuid,
    done_snapshot pg_snapshot NOT NULL,
    open_snapshot pg_snapshot NOT NULL,
    done_xid xid8 NOT NULL,
    open_xid xid8 NOT NULL,
    done_at timestamp with time zone NOT NULL,
    open_at timestamp with time zone NOT NULL,
    floor_at timestamp with time zone NOT NULL,
    from_xid xid8 NOT NULL,
    from_seq bigint NOT NULL,
    to_xid xid8 NOT NULL,
    to_seq bigint NOT NULL,
    members bigint[] NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    deadline timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    reaped_at timestamp with time zone,
    ceiling_at timestamp with time zone NOT NULL,
    recheck_xid xid8,
    taken postrider.taken,
    taken_to postrider.waiting_place
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY postrider.lease ALTER COLUMN members SET STORAGE EXTERNAL;
ALTER TABLE ONLY postrider.lease ALTER COLUMN taken SET STORAGE EXTERNAL;

ALTER TABLE postrider.lease OWNER TO postrider_owner;

CREATE TABLE postrider.lease_mark (
    consumer_id integer NOT NULL,
    upto bigint NOT NULL,
    open bigint[] NOT NULL
);

ALTER TABLE postrider.lease_mark OWNER TO postrider_owner;

CREATE TABLE postrider.message (
    seq bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    published_at timestamp with time zone DEFAULT postrider.insertion_time() NOT NULL,
    id uuid DEFAULT postrider.uuid_v7() NOT NULL,
    channel postrider.doorbell DEFAULT 'outbox_default'::text NOT NULL,
    event_type postrider.event_type NOT NULL,
    event_version integer DEFAULT 1 NOT NULL,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    source postrider.source DEFAULT ''::text NOT NULL,
    target postrider.target,
    content_class postrider.content_class,
    generation bigint,
    workspace_id uuid,
    payload postrider.payload DEFAULT '{}'::json NOT NULL,
    headers postrider.headers,
    metadata postrider.metadata,
    idempotency_key postrider.idempotency_key,
    ordering_key postrider.ordering_key,
    partition_key postrider.partition_key,
    trace_context postrider.trace_context,
    available_at timestamp with time zone,
    priority postrider.priority DEFAULT 0 NOT NULL,
    max_attempts postrider.max_attempts,
    unique_key text COLLATE pg_catalog."C",
    unique_scope text COLLATE pg_catalog."C",
    set_id bigint
)
PARTITION BY RANGE (published_at);

ALTER TABLE postrider.message OWNER TO postrider_owner;

CREATE VIEW postrider.open_leases AS
 SELECT c.id AS consumer_id,
    s.stream,
    l.id,
    l.token,
    l.worker_id,
    l.members,
    l.claimed_at,
    l.deadline
   FROM (((postrider.consumer c
     CROSS JOIN LATERAL ( VALUES (c.id), ((- c.id))) s(stream))
     LEFT JOIN LATERAL ( SELECT m.upto,
            m.open
           FROM postrider.lease_mark m
          WHERE (m.consumer_id = s.stream)
          ORDER BY m.upto DESC
         LIMIT 1) mark ON (true))
     CROSS JOIN LATERAL ( SELECT l_1.consumer_id,
            l_1.id,
            l_1.token,
            l_1.worker_id,
            l_1.done_snapshot,
            l_1.open_snapshot,
            l_1.done_xid,
            l_1.open_xid,
            l_1.done_at,
            l_1.open_at,
            l_1.floor_at,
            l_1.from_xid,
            l_1.from_seq,
            l_1.to_xid,
            l_1.to_seq,
            l_1.members,
            l_1.claimed_at,
            l_1.deadline,
            l_1.finished_at,
            l_1.reaped_at,
            l_1.ceiling_at,
            l_1.recheck_xid,
            l_1.taken,
            l_1.taken_to
           FROM postrider.lease l_1
          WHERE ((l_1.consumer_id = s.stream) AND (l_1.finished_at IS NULL) AND (l_1.id > COALESCE(mark.upto, (0)::bigint)))
        UNION ALL
         SELECT l_1.consumer_id,
            l_1.id,
            l_1.token,
            l_1.worker_id,
            l_1.done_snapshot,
            l_1.open_snapshot,
            l_1.done_xid,
            l_1.open_xid,
            l_1.done_at,
            l_1.open_at,
            l_1.floor_at,
            l_1.from_xid,
            l_1.from_seq,
            l_1.to_xid,
            l_1.to_seq,
            l_1.members,
            l_1.claimed_at,
            l_1.deadline,
            l_1.finished_at,
            l_1.reaped_at,
            l_1.ceiling_at,
            l_1.recheck_xid,
            l_1.taken,
            l_1.taken_to
           FROM (unnest(mark.open) o(id)
             CROSS JOIN LATERAL ( SELECT x.consumer_id,
                    x.id,
                    x.token,
                    x.worker_id,
                    x.done_snapshot,
                    x.open_snapshot,
                    x.done_xid,
                    x.open_xid,
                    x.done_at,
                    x.open_at,
                    x.floor_at,
                    x.from_xid,
                    x.from_seq,
                    x.to_xid,
                    x.to_seq,
                    x.members,
                    x.claimed_at,
                    x.deadline,
                    x.finished_at,
                    x.reaped_at,
                    x.ceiling_at,
                    x.recheck_xid,
                    x.taken,
                    x.taken_to
                   FROM postrider.lease x
                  WHERE ((x.consumer_id = s.stream) AND (x.id = o.id) AND (x.finished_at IS NULL))
                 OFFSET 0) l_1)) l);

ALTER TABLE postrider.open_leases OWNER TO postrider_owner;

CREATE TABLE postrider.setting (
    name text NOT NULL,
    value text NOT NULL,
    meaning text NOT NULL
);

ALTER TABLE postrider.setting OWNER TO postrider_owner;

CREATE VIEW postrider.blocked_keys AS
 SELECT c.name AS consumer,
    c.channel,
    k.key,
    COALESCE(d.status,
        CASE
            WHEN (l.seq IS NOT NULL) THEN 'in_flight'::text
            ELSE NULL::text
        END, 'waiting'::text) AS status,
    COALESCE(d.id, m.id) AS id,
    COALESCE(d.seq, l.seq) AS seq,
    d.handler,
    d.delivery_id,
    COALESCE(d.attempts, 0) AS attempts,
    d.error_class,
    COALESCE(d.since, l.claimed_at, f.since) AS since,
    d.available_at,
    d.ends_at,
    COALESCE(f.followers, (0)::bigint) AS followers,
    COALESCE(c.followers_alert, ( SELECT (s.value)::integer AS value
           FROM postrider.setting s
          WHERE (s.name = 'followers_alert'::text))) AS followers_alert,
    ( SELECT b.alerted_at
           FROM postrider.key_backlog b
          WHERE ((b.consumer_id = c.id) AND (b.key = k.key))) AS alerted_at
   FROM (((((postrider.consumer c
     CROSS JOIN LATERAL ( SELECT f_1.key
           FROM postrider.follower f_1
          WHERE (f_1.consumer_id = c.id)
        UNION
         SELECT d_1.ordering_key
           FROM postrider.delivery d_1
          WHERE ((d_1.consumer_id = c.id) AND (d_1.heads IS NOT NULL) AND (d_1.status <> 'delivered'::text) AND (d_1.deleted_at IS NULL) AND ((d_1.status <> 'failed'::text) OR (d_1.heads AND (c.hold_for IS DISTINCT FROM '00:00:00'::interval))))) k)
     LEFT JOIN LATERAL ( SELECT d_1.status,
            d_1.message_id AS id,
            d_1.seq,
            d_1.handler,
            d_1.id AS delivery_id,
            d_1.attempts,
            d_1.error_class,
            d_1.available_at,
                CASE
                    WHEN (d_1.status = 'failed'::text) THEN (d_1.dead_at + c.hold_for)
                    ELSE NULL::timestamp with time zone
                END AS ends_at,
                CASE d_1.status
                    WHEN 'failed'::text THEN d_1.dead_at
                    WHEN 'in_flight'::text THEN d_1.claimed_at
                    ELSE d_1.first_failed_at
                END AS since
           FROM postrider.delivery d_1
          WHERE ((d_1.consumer_id = c.id) AND (d_1.ordering_key = k.key) AND d_1.heads AND (d_1.status <> 'delivered'::text) AND (d_1.deleted_at IS NULL) AND ((d_1.status <> 'failed'::text) OR (c.hold_for IS DISTINCT FROM '00:00:00'::interval)))
          ORDER BY d_1.seq, d_1.id
         LIMIT 1) d ON (true))
     LEFT JOIN ( SELECT DISTINCT ON (o.consumer_id, t.key) o.consumer_id,
            t.key,
            t.seq,
            t.xid,
            o.claimed_at,
            e.from_at,
            e.to_at
           FROM ((postrider.open_leases o
             CROSS JOIN LATERAL ( SELECT (o.members || '{}'::bigint[]) AS members,
                    ((l_1.taken).seqs || '{}'::bigint[]) AS seqs,
                    (l_1.taken).xids AS xids,
                    (l_1.taken).keys AS keys,
                    (l_1.taken).from_at AS from_at,
                    (l_1.taken).to_at AS to_at
                   FROM postrider.lease l_1
                  WHERE ((l_1.consumer_id = o.stream) AND (l_1.id = o.id))
                 OFFSET 0) e)
             CROSS JOIN LATERAL ( SELECT t_1.seq,
                    t_1.xid,
                    t_1.key
                   FROM UNNEST(e.seqs, e.xids, e.keys) t_1(seq, xid, key)
                  WHERE ((t_1.key IS NOT NULL) AND ((cardinality(e.members) = cardinality(e.seqs)) OR (t_1.seq IN ( SELECT unnest(e.members) AS unnest))))
                 OFFSET 0) t)
          WHERE (o.stream = (- o.consumer_id))
          ORDER BY o.consumer_id, t.key, t.seq) l ON (((l.consumer_id = c.id) AND (l.key = k.key) AND (d.seq IS NULL))))
     LEFT JOIN LATERAL ( SELECT m_1.id
           FROM postrider.message m_1
          WHERE (((m_1.channel)::text = c.channel) AND (m_1.xid = l.xid) AND (m_1.seq = l.seq) AND ((m_1.published_at >= l.from_at) AND (m_1.published_at <= l.to_at)))
         LIMIT 1) m ON (true))
     LEFT JOIN LATERAL ( SELECT count(*) AS followers,
            min(f_1.published_at) AS since
           FROM postrider.follower f_1
          WHERE ((f_1.consumer_id = c.id) AND (f_1.key = k.key))) f ON (true))
  WHERE c.ordered;

ALTER TABLE postrider.blocked_keys OWNER TO postrider_owner;

CREATE FUNCTION postrider.blocked_page(p_consumer text, p_limit integer, p_after jsonb DEFAULT NULL::jsonb) RETURNS SETOF postrider.blocked_keys
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.blocked_page(p_consumer text, p_limit integer, p_after jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.bury(p_deliveries bigint[], p_actor text, p_reason text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10ms'
    AS ...;

ALTER FUNCTION postrider.bury(p_deliveries bigint[], p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.busy_keys(p_consumer_id integer) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.busy_keys(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.busy_list(p_consumer_id integer) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.busy_list(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.cancel(p_filter jsonb, p_actor text, p_reason text, p_limit integer DEFAULT 1000, p_dry_run boolean DEFAULT false) RETURNS TABLE(id uuid, consumer text, channel text, handler text, was text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10ms'
    AS ...;

ALTER FUNCTION postrider.cancel(p_filter jsonb, p_actor text, p_reason text, p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.cancellable(p_filter jsonb, p_limit integer, p_begun boolean DEFAULT NULL::boolean) RETURNS SETOF postrider.cancel_job
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.cancellable(p_filter jsonb, p_limit integer, p_begun boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.cancelled_jobs(p_worker uuid) RETURNS SETOF uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.cancelled_jobs(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.carry_waiting(p_partition text, p_until timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.carry_waiting(p_partition text, p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.changed_handlers(p_worker uuid) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.changed_handlers(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.check_claim(p_worker uuid, p_limit integer, p_deadline interval, p_keep boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.check_claim(p_worker uuid, p_limit integer, p_deadline interval, p_keep boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.choose_due(p_consumer_id integer, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) RETURNS bigint[]
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.choose_due(p_consumer_id integer, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.choose_limited(p_consumer_id integer, p_worker uuid, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) RETURNS bigint[]
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.choose_limited(p_consumer_id integer, p_worker uuid, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_admit(p_consumer_id integer, p_handlers text[], p_limit integer) RETURNS TABLE(handler text, slots integer)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_admit(p_consumer_id integer, p_handlers text[], p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_after(p_runs postrider.circuit_runs) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_after(p_runs postrider.circuit_runs) OWNER TO postrider_owner;

CREATE TABLE postrider.circuit (
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    state text DEFAULT 'closed'::text NOT NULL COLLATE pg_catalog."C",
    mode text DEFAULT 'automatic'::text NOT NULL COLLATE pg_catalog."C",
    failures integer DEFAULT 0 NOT NULL,
    first_failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    openings integer DEFAULT 0 NOT NULL,
    opened_at timestamp with time zone,
    probe_at timestamp with time zone,
    allowed integer DEFAULT 0 NOT NULL,
    probes bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    error_class text COLLATE pg_catalog."C",
    last_error text,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT circuit_mode_check CHECK ((mode = ANY (ARRAY['automatic'::text, 'held'::text, 'forced'::text]))),
    CONSTRAINT circuit_state_check CHECK ((state = ANY (ARRAY['closed'::text, 'open'::text, 'ramp'::text, 'trial'::text])))
)
WITH (fillfactor='50');

ALTER TABLE postrider.circuit OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_count(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamp with time zone) RETURNS postrider.circuit
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_count(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_events(p_consumer text, p_channel text, p_handler text, p_limit integer DEFAULT 50) RETURNS TABLE(at timestamp with time zone, event text, actor text, reason text, error_class text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_events(p_consumer text, p_channel text, p_handler text, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_next(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamp with time zone) RETURNS postrider.circuit
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_next(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_probes(p_consumer_id integer, p_handlers text[], p_deliveries bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.circuit_probes(p_consumer_id integer, p_handlers text[], p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_report(p_runs postrider.circuit_runs[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_report(p_runs postrider.circuit_runs[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_successes(p_lease postrider.lease, p_seqs bigint[], p_failed text[]) RETURNS text[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.circuit_successes(p_lease postrider.lease, p_seqs bigint[], p_failed text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_trial(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_now timestamp with time zone) RETURNS postrider.circuit
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_trial(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.circuit_wait(p_circuit postrider.circuit, p_policy postrider.circuit_policy) RETURNS interval
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.circuit_wait(p_circuit postrider.circuit, p_policy postrider.circuit_policy) OWNER TO postrider_owner;

CREATE FUNCTION postrider.claim(p_worker uuid, p_limit integer DEFAULT 10, p_deadline interval DEFAULT NULL::interval) RETURNS TABLE(lease_id bigint, lease_token uuid, seq bigint, id uuid, event_type text, event_version integer, occurred_at timestamp with time zone, source text, target text, workspace_id uuid, payload json, headers json, idempotency_key text, ordering_key text, partition_key text, trace_context text, content_class text, generation bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.claim(p_worker uuid, p_limit integer, p_deadline interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.claim_alerts(p_target text, p_limit integer DEFAULT 10, p_lease interval DEFAULT '00:01:00'::interval, p_configuration text DEFAULT NULL::text) RETURNS TABLE(alert_id bigint, token uuid, kind text, event_id uuid, event_type text, source text, target text, handler_name text, last_error text, attempts integer, consumer text, channel text, delivery_id bigint, cycle integer, fingerprint text, error_class text, at timestamp with time zone, tries integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.claim_alerts(p_target text, p_limit integer, p_lease interval, p_configuration text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.claim_due(p_worker uuid, p_limit integer DEFAULT 10, p_deadline interval DEFAULT NULL::interval, p_alone boolean DEFAULT true, p_batches jsonb DEFAULT '{}'::jsonb, p_hold integer DEFAULT 0) RETURNS TABLE(delivery_id bigint, lease_token uuid, deadline timestamp with time zone, handler text, attempts integer, cycle integer, alone boolean, id uuid, event_type text, event_version integer, occurred_at timestamp with time zone, source text, target text, workspace_id uuid, payload json, headers json, idempotency_key text, ordering_key text, partition_key text, trace_context text, content_class text, generation bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.claim_due(p_worker uuid, p_limit integer, p_deadline interval, p_alone boolean, p_batches jsonb, p_hold integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.class_list(p_error_class text, p_classes jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.class_list(p_error_class text, p_classes jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.classify(p_outcome text, p_error_class text, p_classes jsonb, p_honour_terminal boolean) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.classify(p_outcome text, p_error_class text, p_classes jsonb, p_honour_terminal boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.closest(p_word text, p_words text[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.closest(p_word text, p_words text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.complete_set(p_set_id bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.complete_set(p_set_id bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.complete_sets() RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.complete_sets() OWNER TO postrider_owner;

CREATE FUNCTION postrider.conclude(p_outcomes jsonb, p_worker uuid DEFAULT NULL::uuid, p_bury boolean DEFAULT false) RETURNS TABLE(delivery_id bigint, result text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.conclude(p_outcomes jsonb, p_worker uuid, p_bury boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.conclude_delivered(p_outcomes jsonb, p_worker uuid, p_now timestamp with time zone, OUT delivered bigint[], OUT ended postrider.ended_run[], OUT keyed bigint[], OUT ordered bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.conclude_delivered(p_outcomes jsonb, p_worker uuid, p_now timestamp with time zone, OUT delivered bigint[], OUT ended postrider.ended_run[], OUT keyed bigint[], OUT ordered bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.conclude_others(p_outcomes jsonb, p_worker uuid, p_bury boolean, p_delivered bigint[], p_now timestamp with time zone, OUT ids bigint[], OUT results text[], OUT ended postrider.ended_run[], OUT keyed bigint[], OUT ordered bigint[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.conclude_others(p_outcomes jsonb, p_worker uuid, p_bury boolean, p_delivered bigint[], p_now timestamp with time zone, OUT ids bigint[], OUT results text[], OUT ended postrider.ended_run[], OUT keyed bigint[], OUT ordered bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.consumer_backlog(p_consumer postrider.consumer, p_place postrider.place, p_most integer, p_soon timestamp with time zone, OUT backlog bigint, OUT exact boolean, OUT since timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.consumer_backlog(p_consumer postrider.consumer, p_place postrider.place, p_most integer, p_soon timestamp with time zone, OUT backlog bigint, OUT exact boolean, OUT since timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.consumer_figures(p_since jsonb DEFAULT '{}'::jsonb) RETURNS TABLE(consumer_id integer, consumer text, channel text, paused boolean, held boolean, held_handlers text[], handlers bigint, workers bigint, backlog bigint, backlog_exact boolean, behind_since timestamp with time zone, leased bigint, running bigint, pending bigint, failed bigint, passed bigint, place jsonb)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.consumer_figures(p_since jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.consumer_passed(p_consumer postrider.consumer, p_from postrider.place, p_to postrider.place, OUT passed bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.consumer_passed(p_consumer postrider.consumer, p_from postrider.place, p_to postrider.place, OUT passed bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.consumer_rates(p_since jsonb, p_now timestamp with time zone, p_seconds double precision) RETURNS TABLE(consumer_id integer, consumer text, channel text, paused boolean, held boolean, held_handlers text[], handlers bigint, workers bigint, backlog bigint, backlog_exact boolean, behind_since timestamp with time zone, pending bigint, failed bigint, place jsonb, in_flight bigint, oldest_age_s double precision, owed bigint, delivered_per_s double precision, failed_per_s double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.consumer_rates(p_since jsonb, p_now timestamp with time zone, p_seconds double precision) OWNER TO postrider_owner;

CREATE FUNCTION postrider.consumers_of_owner(p_consumer_id integer, OUT role text, OUT ids integer[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.consumers_of_owner(p_consumer_id integer, OUT role text, OUT ids integer[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.count_replays() RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.count_replays() OWNER TO postrider_owner;

CREATE FUNCTION postrider.count_seek(p_consumer postrider.consumer, p_at pg_snapshot, p_to timestamp with time zone, OUT skipped bigint, OUT waiting bigint, OUT again bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.count_seek(p_consumer postrider.consumer, p_at pg_snapshot, p_to timestamp with time zone, OUT skipped bigint, OUT waiting bigint, OUT again bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.create_consumer(p_consumer text, p_channel text DEFAULT 'outbox_default'::text, p_from_beginning boolean DEFAULT false, p_owner text DEFAULT NULL::text, p_ordering text DEFAULT NULL::text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean, p_owner text, p_ordering text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.create_token(p_name text, p_sha256 bytea, p_role text, p_workspace uuid, p_expires_at timestamp with time zone, p_actor text, p_reason text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.create_token(p_name text, p_sha256 bytea, p_role text, p_workspace uuid, p_expires_at timestamp with time zone, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.cron_field(p_text text, p_low integer, p_high integer, p_names text[], p_field text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.cron_field(p_text text, p_low integer, p_high integer, p_names text[], p_field text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.current_snapshot() RETURNS pg_snapshot
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.current_snapshot() OWNER TO postrider_owner;

CREATE FUNCTION postrider.cursor_of(p_consumer_id integer) RETURNS postrider."position"
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.cursor_of(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.cut_chains(p_cursor postrider.claim_cursor, p_taken postrider.taken) RETURNS postrider.taken
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.cut_chains(p_cursor postrider.claim_cursor, p_taken postrider.taken) OWNER TO postrider_owner;

CREATE FUNCTION postrider.cycles(p_history jsonb) RETURNS TABLE(cycle integer, status text, outcome text, attempts integer, crashes integer, first_failed_at timestamp with time zone, ended_at timestamp with time zone, error_class text, last_error text, replayed_at timestamp with time zone, replayed_by text, replay bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.cycles(p_history jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.cycles_of(p_delivery bigint) RETURNS TABLE(cycle integer, status text, outcome text, attempts integer, crashes integer, first_failed_at timestamp with time zone, ended_at timestamp with time zone, error_class text, last_error text, replayed_at timestamp with time zone, replayed_by text, replay bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.cycles_of(p_delivery bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_groups(p_consumer text DEFAULT NULL::text, p_handler text DEFAULT NULL::text, p_workspace uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 50, p_skip integer DEFAULT 0) RETURNS TABLE(consumer text, channel text, handler text, fingerprint text, error_class text, count bigint, event_type text, first_seen timestamp with time zone, last_seen timestamp with time zone, sample_delivery_id bigint, sample_id uuid, sample_error text, buckets integer[], bucket_s double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    AS ...;

ALTER FUNCTION postrider.dead_groups(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_skip integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_letter_shown(p_id text, p_workspace uuid DEFAULT NULL::uuid, p_hidden text[] DEFAULT '{}'::text[], p_viewer boolean DEFAULT false, p_ids_as_text boolean DEFAULT false, p_cycles boolean DEFAULT false, p_similar integer DEFAULT NULL::integer) RETURNS TABLE(shown json, payload_lines text, header_lines text, metadata_lines text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.dead_letter_shown(p_id text, p_workspace uuid, p_hidden text[], p_viewer boolean, p_ids_as_text boolean, p_cycles boolean, p_similar integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.readable(p_document json) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.readable(p_document json) OWNER TO postrider_owner;

CREATE VIEW postrider.dead_letters AS
 SELECT d.id AS delivery_id,
    d.message_id AS id,
    c.name AS consumer,
    c.channel,
    d.handler,
    d.event_type,
    d.event_version,
    d.source,
    d.target,
    d.workspace_id,
    d.content_class,
    d.generation,
    d.dead_at,
    d.outcome,
    d.error_class,
    d.fingerprint,
    d.last_error,
    d.attempts,
    d.attempts_total,
    d.failures,
    d.crashes,
    d.interruptions,
    d.max_attempts,
    d.cycle,
    d.first_failed_at,
    d.published_at,
    d.occurred_at,
    d.idempotency_key,
    d.ordering_key,
    d.partition_key,
    d.trace_context,
    (d.priority)::integer AS priority,
    d.seq,
    d.replay_id,
    d.failure_history,
    d.history_dropped,
    postrider.readable(d.payload) AS payload,
    postrider.readable(d.headers) AS headers,
    d.metadata
   FROM (postrider.delivery d
     JOIN postrider.consumer c ON ((c.id = d.consumer_id)))
  WHERE ((d.status = 'failed'::text) AND (d.deleted_at IS NULL));

ALTER TABLE postrider.dead_letters OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_list(p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT 50, p_dead_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_delivery bigint DEFAULT NULL::bigint, p_to_dead_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_to_delivery bigint DEFAULT NULL::bigint) RETURNS SETOF postrider.dead_letters
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.dead_list(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_page(p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT 50, p_dead_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_delivery bigint DEFAULT NULL::bigint, p_to_dead_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_to_delivery bigint DEFAULT NULL::bigint) RETURNS SETOF postrider.dead_letters
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.dead_page(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_query(p_columns text, p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO'
    AS ...;

ALTER FUNCTION postrider.dead_query(p_columns text, p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_reach(p_filter jsonb, p_reach integer, p_dead_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_delivery bigint DEFAULT NULL::bigint, p_counting boolean DEFAULT false, OUT dead_at timestamp with time zone, OUT delivery_id bigint) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    AS ...;

ALTER FUNCTION postrider.dead_reach(p_filter jsonb, p_reach integer, p_dead_at timestamp with time zone, p_delivery bigint, p_counting boolean, OUT dead_at timestamp with time zone, OUT delivery_id bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_rows(p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT 50, p_after jsonb DEFAULT NULL::jsonb, p_reach integer DEFAULT NULL::integer, p_error_length integer DEFAULT NULL::integer, p_ids_as_text boolean DEFAULT false) RETURNS TABLE(shown json, place json, searched_to text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.dead_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer, p_error_length integer, p_ids_as_text boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.dead_where(p_filter jsonb, p_discarded boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO'
    AS ...;

ALTER FUNCTION postrider.dead_where(p_filter jsonb, p_discarded boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.decide(p_run postrider.run, p_now timestamp with time zone, p_u double precision) RETURNS TABLE(kind text, uncharged boolean, status text, available_at timestamp with time zone)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.decide(p_run postrider.run, p_now timestamp with time zone, p_u double precision) OWNER TO postrider_owner;

CREATE FUNCTION postrider.declare_limits(p_consumer_id integer, p_handlers jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.declare_limits(p_consumer_id integer, p_handlers jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.define_pgmq_pipeline(p_queue text, p_consumer text, p_diagnostics text DEFAULT NULL::text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.define_pgmq_pipeline(p_queue text, p_consumer text, p_diagnostics text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.define_schedule(p_name text, p_definition jsonb, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text, p_consumer text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '1s'
    AS ...;

ALTER FUNCTION postrider.define_schedule(p_name text, p_definition jsonb, p_actor text, p_reason text, p_consumer text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) RETURNS interval
    LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) OWNER TO postrider_owner;

CREATE TABLE postrider.handler_limit (
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    concurrency integer,
    per_worker integer,
    key text COLLATE pg_catalog."C",
    per_key integer,
    weights jsonb DEFAULT '{}'::jsonb NOT NULL,
    starts integer,
    period interval,
    burst integer,
    key_starts integer,
    key_period interval,
    key_burst integer,
    turn text COLLATE pg_catalog."C",
    set_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    set_by text DEFAULT SESSION_USER NOT NULL,
    declared boolean DEFAULT false NOT NULL,
    CONSTRAINT handler_limit_rate_check CHECK (((num_nulls(starts, period, burst) = ANY (ARRAY[0, 3])) AND (num_nulls(key_starts, key_period, key_burst) = ANY (ARRAY[0, 3]))))
)
WITH (fillfactor='50');

ALTER TABLE postrider.handler_limit OWNER TO postrider_owner;

CREATE FUNCTION postrider.delete_limit(p_consumer_id integer, p_handler text) RETURNS postrider.handler_limit
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.delete_limit(p_consumer_id integer, p_handler text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.delivery_page(p_status text, p_consumer text DEFAULT NULL::text, p_handler text DEFAULT NULL::text, p_workspace uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 50, p_after jsonb DEFAULT NULL::jsonb, p_reach integer DEFAULT 20000) RETURNS TABLE(number bigint, place jsonb, delivery_id bigint, id uuid, consumer text, channel text, handler text, event_type text, source text, workspace_id uuid, generation bigint, status text, attempts integer, attempts_total integer, failures integer, crashes integer, interruptions integer, cycle integer, max_attempts integer, available_at timestamp with time zone, claimed_at timestamp with time zone, worker_id uuid, deadline timestamp with time zone, first_failed_at timestamp with time zone, error_class text, fingerprint text, dead_at timestamp with time zone, delivered_at timestamp with time zone, deleted_at timestamp with time zone, published_at timestamp with time zone, last_error text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.delivery_page(p_status text, p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.delivery_rows(p_status text, p_consumer text, p_handler text, p_workspace uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 50, p_after jsonb DEFAULT NULL::jsonb, p_errors boolean DEFAULT false) RETURNS TABLE(shown json, place json)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.delivery_rows(p_status text, p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_errors boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.deployment(OUT name text, OUT recorded_at timestamp with time zone, OUT port integer, OUT data_directory text, OUT timeline text) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.deployment(OUT name text, OUT recorded_at timestamp with time zone, OUT port integer, OUT data_directory text, OUT timeline text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.direct_messages(p_cursor postrider.claim_cursor, p_blocked text[], p_room integer, p_chain integer, p_native boolean) RETURNS postrider.direct_piece
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.direct_messages(p_cursor postrider.claim_cursor, p_blocked text[], p_room integer, p_chain integer, p_native boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.discard(p_filter jsonb, p_actor text, p_reason text, p_expected bigint DEFAULT NULL::bigint) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.discard(p_filter jsonb, p_actor text, p_reason text, p_expected bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.discarded_page(p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT 50, p_dead_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_delivery bigint DEFAULT NULL::bigint) RETURNS TABLE(delivery_id bigint, id uuid, consumer text, channel text, handler text, event_type text, source text, workspace_id uuid, generation bigint, dead_at timestamp with time zone, attempts integer, cycle integer, error_class text, fingerprint text, last_error text, deleted_at timestamp with time zone, deleted_reason text, successor uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.discarded_page(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.discarded_rows(p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT 50, p_after jsonb DEFAULT NULL::jsonb, p_error_length integer DEFAULT NULL::integer, p_ids_as_text boolean DEFAULT false) RETURNS TABLE(shown json, place json)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.discarded_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_error_length integer, p_ids_as_text boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_figures(p_now timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_figures(p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_hold(p_channel text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_hold(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_keep(p_channel text) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_keep(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_relay(p_channel text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_relay(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_release(p_channel text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_release(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_state(p_channel text, OUT state text, OUT holder text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_state(p_channel text, OUT state text, OUT holder text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_watch(p_channel text, OUT wake text, OUT silent text[], OUT commit_waiters integer) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_watch(p_channel text, OUT wake text, OUT silent text[], OUT commit_waiters integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.drop_partitions(p_before timestamp with time zone, p_limit integer DEFAULT NULL::integer) RETURNS TABLE(partition text, dropped boolean, held_by text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    SET lock_timeout TO '50ms'
    AS ...;

ALTER FUNCTION postrider.drop_partitions(p_before timestamp with time zone, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.drop_pgmq_copies(p_deliveries bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.drop_pgmq_copies(p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.drop_pgmq_copy(p_delivery_id bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.drop_pgmq_copy(p_delivery_id bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.due_shares(p_consumer_id integer, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) RETURNS TABLE(handler text, priority smallint, share integer)
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.due_shares(p_consumer_id integer, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.earlier_entries(p_earlier jsonb, p_now timestamp with time zone, p_worker uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.earlier_entries(p_earlier jsonb, p_now timestamp with time zone, p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.edit_and_replay(p_delivery bigint, p_payload jsonb, p_headers jsonb, p_actor text, p_reason text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.edit_and_replay(p_delivery bigint, p_payload jsonb, p_headers jsonb, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.edit_with(p_delivery bigint, p_change jsonb, p_actor text, p_reason text) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.edit_with(p_delivery bigint, p_change jsonb, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.end_cancelled(p_jobs postrider.cancel_job[], p_reason text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.end_cancelled(p_jobs postrider.cancel_job[], p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.end_holds(p_busy integer[]) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.end_holds(p_busy integer[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.end_lost_lease(p_lease postrider.lease, p_left bigint[], p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.end_lost_lease(p_lease postrider.lease, p_left bigint[], p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.end_members(p_seqs bigint[], p_lost boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.end_members(p_seqs bigint[], p_lost boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.end_soon() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.end_soon() OWNER TO postrider_owner;

CREATE FUNCTION postrider.end_trials(p_consumer_id integer, p_handlers text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.end_trials(p_consumer_id integer, p_handlers text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.ensure_partitions() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    SET lock_timeout TO '50ms'
    AS ...;

ALTER FUNCTION postrider.ensure_partitions() OWNER TO postrider_owner;

CREATE FUNCTION postrider.enter_cluster() RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.enter_cluster() OWNER TO postrider_owner;

CREATE FUNCTION postrider.erasable(p_filter jsonb, p_limit integer) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.erasable(p_filter jsonb, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.erase(p_filter jsonb, p_actor text, p_reason text, p_dry_run boolean DEFAULT false, OUT messages bigint, OUT deliveries bigint, OUT jobs bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10ms'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.erase(p_filter jsonb, p_actor text, p_reason text, p_dry_run boolean, OUT messages bigint, OUT deliveries bigint, OUT jobs bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.erase_content(p_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.erase_content(p_ids uuid[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.erase_jobs(p_ids uuid[], p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.erase_jobs(p_ids uuid[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.erase_ordered(p_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.erase_ordered(p_ids uuid[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.error_excerpt(p_text text, p_length integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.error_excerpt(p_text text, p_length integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.exchange(p_worker uuid, p_limit integer, p_lease bigint DEFAULT NULL::bigint, p_token uuid DEFAULT NULL::uuid, p_delivered bigint[] DEFAULT NULL::bigint[], p_failures jsonb DEFAULT NULL::jsonb, p_deadline interval DEFAULT NULL::interval) RETURNS SETOF postrider.claimed
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.exchange(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.exchange_again(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_keep boolean) RETURNS SETOF postrider.handed_out
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.exchange_again(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_keep boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.exchange_ordered(p_worker uuid, p_limit integer, p_lease bigint DEFAULT NULL::bigint, p_token uuid DEFAULT NULL::uuid, p_delivered bigint[] DEFAULT NULL::bigint[], p_failures jsonb DEFAULT NULL::jsonb, p_deadline interval DEFAULT NULL::interval, p_chain integer DEFAULT 1, p_native boolean DEFAULT false) RETURNS SETOF postrider.handed_out
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.exchange_ordered(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_chain integer, p_native boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.exchange_packed(p_worker uuid, p_limit integer, p_lease bigint DEFAULT NULL::bigint, p_token uuid DEFAULT NULL::uuid, p_delivered bigint[] DEFAULT NULL::bigint[], p_failures jsonb DEFAULT NULL::jsonb, p_deadline interval DEFAULT NULL::interval, p_keep boolean DEFAULT true) RETURNS SETOF postrider.handed_out
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.exchange_packed(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_keep boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.exchange_waiting(p_worker uuid, p_limit integer, p_lease bigint DEFAULT NULL::bigint, p_token uuid DEFAULT NULL::uuid, p_delivered bigint[] DEFAULT NULL::bigint[], p_failures jsonb DEFAULT NULL::jsonb, p_deadline interval DEFAULT NULL::interval, p_idle boolean DEFAULT true, p_chain integer DEFAULT 1) RETURNS SETOF postrider.handed_out
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.exchange_waiting(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_idle boolean, p_chain integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.expire_keys() RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.expire_keys() OWNER TO postrider_owner;

CREATE FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.figures(p_since jsonb DEFAULT NULL::jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET "TimeZone" TO 'UTC'
    AS ...;

ALTER FUNCTION postrider.figures(p_since jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.find_token(p_sha256 bytea, OUT name text, OUT role text, OUT workspace_id uuid, OUT expires_at timestamp with time zone) RETURNS SETOF record
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.find_token(p_sha256 bytea, OUT name text, OUT role text, OUT workspace_id uuid, OUT expires_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.fingerprint(p_error_class text, p_error text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.fingerprint(p_error_class text, p_error text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.finish_ordered(p_worker uuid, p_consumer_id integer, p_lease bigint, p_token uuid) RETURNS text[]
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.finish_ordered(p_worker uuid, p_consumer_id integer, p_lease bigint, p_token uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.fire_due(p_limit integer DEFAULT 1000, OUT schedules integer, OUT fired integer, OUT skipped integer, OUT again_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.fire_due(p_limit integer, OUT schedules integer, OUT fired integer, OUT skipped integer, OUT again_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.fire_schedules(p_schedules text[], p_now timestamp with time zone, p_limit integer, OUT fired integer, OUT skipped integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.fire_schedules(p_schedules text[], p_now timestamp with time zone, p_limit integer, OUT fired integer, OUT skipped integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.force_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.force_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.forget_cancelled(p_consumer_id integer, p_seqs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.forget_cancelled(p_consumer_id integer, p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.forget_idle_workers(p_consumer_ids integer[]) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.forget_idle_workers(p_consumer_ids integer[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.forget_workers() RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.forget_workers() OWNER TO postrider_owner;

CREATE FUNCTION postrider.free_keys(p_consumer_id integer, p_keys text[]) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.free_keys(p_consumer_id integer, p_keys text[]) OWNER TO postrider_owner;

CREATE TABLE postrider.unique_job (
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    place text DEFAULT 'first'::text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    message_id uuid NOT NULL,
    seq bigint NOT NULL,
    taken_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone,
    blocked boolean DEFAULT false NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.unique_job OWNER TO postrider_owner;

CREATE FUNCTION postrider.free_periods(p_filter jsonb) RETURNS SETOF postrider.unique_job
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.free_periods(p_filter jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.full_handlers(p_worker uuid) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.full_handlers(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.group_fields(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_actor text, p_reason text) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    AS ...;

ALTER FUNCTION postrider.group_fields(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.group_rows(p_consumer text, p_handler text, p_workspace uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 50, p_after jsonb DEFAULT NULL::jsonb, p_error_length integer DEFAULT NULL::integer) RETURNS TABLE(shown json, place json)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.group_rows(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_error_length integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.group_shown(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_span text DEFAULT 'day'::text, p_viewer boolean DEFAULT false) RETURNS json
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    AS ...;

ALTER FUNCTION postrider.group_shown(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_span text, p_viewer boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.hand_out_limited(p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_batch postrider.claim_batch, p_limit integer, OUT taken postrider.taken, OUT batch postrider.claim_batch, OUT throttled integer) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.hand_out_limited(p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_batch postrider.claim_batch, p_limit integer, OUT taken postrider.taken, OUT batch postrider.claim_batch, OUT throttled integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.hand_out_waiting(p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_places tid[]) RETURNS postrider.claim_batch
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.hand_out_waiting(p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_places tid[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.hand_over(p_consumer text, p_handler text, p_message json, p_error text DEFAULT NULL::text, p_error_class text DEFAULT NULL::text, p_outcome text DEFAULT 'transient'::text, p_delay_ms double precision DEFAULT NULL::double precision, p_succeeded boolean DEFAULT true, OUT delivery_id bigint, OUT status text, OUT available_at timestamp with time zone, OUT repeated boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.hand_over(p_consumer text, p_handler text, p_message json, p_error text, p_error_class text, p_outcome text, p_delay_ms double precision, p_succeeded boolean, OUT delivery_id bigint, OUT status text, OUT available_at timestamp with time zone, OUT repeated boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.hand_over_many(p_worker uuid, p_failures json, p_succeeded text[] DEFAULT '{}'::text[], OUT paused boolean, OUT held text[], OUT probe boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.hand_over_many(p_worker uuid, p_failures json, p_succeeded text[], OUT paused boolean, OUT held text[], OUT probe boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.handle_once(p_key postrider.inbox_key) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.handle_once(p_key postrider.inbox_key) OWNER TO postrider_owner;

CREATE FUNCTION postrider.handler_policies(p_consumer_id integer, p_names jsonb, p_all boolean) RETURNS TABLE(name text, event_types text[], starts postrider."position", ends postrider."position", registered_at timestamp with time zone, retired_at timestamp with time zone, max_attempts smallint, max_crashes smallint, retry jsonb, policy postrider.retry_policy, classes jsonb, honour_terminal boolean, outage boolean)
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.handler_policies(p_consumer_id integer, p_names jsonb, p_all boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.handler_shown(p_consumer text, p_channel text, p_handler text, p_span text DEFAULT 'hour'::text, p_viewer boolean DEFAULT false) RETURNS json
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.handler_shown(p_consumer text, p_channel text, p_handler text, p_span text, p_viewer boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.handlers_for(p_consumer_id integer, p_event_type text, p_xid xid8, p_seq bigint) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.handlers_for(p_consumer_id integer, p_event_type text, p_xid xid8, p_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.has_heads(p_consumer_id integer) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.has_heads(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.has_peer(p_worker uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.has_peer(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.heads_ended(p_deliveries bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.heads_ended(p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[] DEFAULT '{}'::bigint[], p_alive_for interval DEFAULT NULL::interval) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[], p_alive_for interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.history_span(p_span text, OUT width integer, OUT from_at timestamp with time zone, OUT to_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.history_span(p_span text, OUT width integer, OUT from_at timestamp with time zone, OUT to_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.hold_back(p_cursor postrider.claim_cursor, p_taken postrider.taken) RETURNS postrider.taken
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.hold_back(p_cursor postrider.claim_cursor, p_taken postrider.taken) OWNER TO postrider_owner;

CREATE FUNCTION postrider.hold_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.hold_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.hold_jobs(p_filter jsonb, p_limit integer, p_begun boolean, p_consumers integer[], p_until timestamp with time zone) RETURNS postrider.cancel_job[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.hold_jobs(p_filter jsonb, p_limit integer, p_begun boolean, p_consumers integer[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.immediate_retries(p_worker uuid) RETURNS TABLE(handler text, retries integer, failures integer)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.immediate_retries(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.indented(p_document jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.indented(p_document jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.insert_member(p_set_id bigint, p_number bigint, p_message jsonb) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.insert_member(p_set_id bigint, p_number bigint, p_message jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.instant_ago(p_text text) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.instant_ago(p_text text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.intake(p_worker uuid, OUT paused boolean, OUT held text[], OUT probe boolean) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.intake(p_worker uuid, OUT paused boolean, OUT held text[], OUT probe boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.is_for(p_cursor postrider.claim_cursor, p_message postrider.message) RETURNS boolean
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.is_for(p_cursor postrider.claim_cursor, p_message postrider.message) OWNER TO postrider_owner;

CREATE FUNCTION postrider.is_home() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.is_home() OWNER TO postrider_owner;

CREATE FUNCTION postrider.is_member(p_role text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.is_member(p_role text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.job_figures() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.job_figures() OWNER TO postrider_owner;

CREATE FUNCTION postrider.job_places(p_id uuid) RETURNS TABLE(consumer text, channel text, handler text, state text, at timestamp with time zone, attempts integer, worker uuid, error_class text, unique_key text, delivery_id bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.job_places(p_id uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.jobs_leases(p_jobs postrider.cancel_job[]) RETURNS TABLE(consumer_id integer, id bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.jobs_leases(p_jobs postrider.cancel_job[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.keep_owner(p_consumer text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.keep_owner(p_consumer text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.keep_pgmq_copies(p_limit integer DEFAULT 1000, p_time interval DEFAULT '00:00:00.5'::interval, OUT written bigint, OUT removed bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.keep_pgmq_copies(p_limit integer, p_time interval, OUT written bigint, OUT removed bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lease_has_type(p_lease postrider.lease, p_channel text, p_types text[], p_prefixes text[]) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lease_has_type(p_lease postrider.lease, p_channel text, p_types text[], p_prefixes text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lease_log(p_channel text, p_lease postrider.lease) RETURNS SETOF postrider.message
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.lease_log(p_channel text, p_lease postrider.lease) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lease_messages(p_lease postrider.lease) RETURNS SETOF postrider.claimed
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.lease_messages(p_lease postrider.lease) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lease_successes(p_lease postrider.lease, p_handlers text[]) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.lease_successes(p_lease postrider.lease, p_handlers text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.leaves(p_document jsonb) RETURNS TABLE(field text, value text)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.leaves(p_document jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_binds(p_limit postrider.handler_limit) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.limit_binds(p_limit postrider.handler_limit) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_due(p_consumer_id integer, p_worker uuid, p_handlers text[], p_slots integer[], p_now timestamp with time zone) RETURNS integer[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.limit_due(p_consumer_id integer, p_worker uuid, p_handlers text[], p_slots integer[], p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_figures() RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.limit_figures() OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_json(p_limit postrider.handler_limit) RETURNS jsonb
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.limit_json(p_limit postrider.handler_limit) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_key(p_handler text, p_field text, p_workspace_id uuid, p_ordering_key text, p_partition_key text, p_source text, p_event_type text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.limit_key(p_handler text, p_field text, p_workspace_id uuid, p_ordering_key text, p_partition_key text, p_source text, p_event_type text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_preview(p_consumer text, p_handler text, p_limit jsonb, p_channel text DEFAULT 'outbox_default'::text, OUT result text, OUT before jsonb, OUT declared boolean, OUT binds boolean, OUT workers bigint, OUT threads bigint, OUT held bigint, OUT throttled bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.limit_preview(p_consumer text, p_handler text, p_limit jsonb, p_channel text, OUT result text, OUT before jsonb, OUT declared boolean, OUT binds boolean, OUT workers bigint, OUT threads bigint, OUT held bigint, OUT throttled bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_room(p_limit postrider.handler_limit, p_worker uuid, p_threads integer, p_use postrider.limit_held[]) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    AS ...;

ALTER FUNCTION postrider.limit_room(p_limit postrider.handler_limit, p_worker uuid, p_threads integer, p_use postrider.limit_held[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_running(p_consumer_id integer) RETURNS TABLE(handler text, running bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.limit_running(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limit_use(p_consumer_id integer) RETURNS SETOF postrider.limit_held
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.limit_use(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limited_consumer(p_consumer text, p_channel text, p_function text, p_lock boolean DEFAULT true) RETURNS postrider.consumer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.limited_consumer(p_consumer text, p_channel text, p_function text, p_lock boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.limited_keys(p_consumer_id integer, p_handler text, p_turn text) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.limited_keys(p_consumer_id integer, p_handler text, p_turn text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.load_cursor(p_worker uuid, p_consumer_id integer, p_lease bigint) RETURNS SETOF postrider.claim_cursor
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.load_cursor(p_worker uuid, p_consumer_id integer, p_lease bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.locate(p_lease postrider.lease, p_channel text, p_seqs bigint[]) RETURNS xid8[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.locate(p_lease postrider.lease, p_channel text, p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_circuits(p_consumer_ids integer[], p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_circuits(p_consumer_ids integer[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_claims() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_claims() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_claims_of(p_ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_claims_of(p_ids uuid[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_consumers(p_consumer_ids integer[], p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_consumers(p_consumer_ids integer[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_deliveries(p_deliveries bigint[], p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.lock_deliveries(p_deliveries bigint[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_doorbell() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_doorbell() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_holder(p_class integer, p_key integer) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_holder(p_class integer, p_key integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_idle_ordered() RETURNS integer[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_idle_ordered() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_jobs(p_jobs postrider.cancel_job[], p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.lock_jobs(p_jobs postrider.cancel_job[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_keeper() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_keeper() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_keys(p_seqs bigint[], p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_keys(p_seqs bigint[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_members(p_seqs bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_members(p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_ordered(p_deliveries bigint[], p_wait interval DEFAULT NULL::interval) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_ordered(p_deliveries bigint[], p_wait interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_partitions() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_partitions() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_pgmq(p_queue text, p_diagnostics text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_pgmq(p_queue text, p_diagnostics text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_progress(p_ids uuid[], p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_progress(p_ids uuid[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_proposals() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_proposals() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_quota(p_role text, p_things text, p_wait text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_quota(p_role text, p_things text, p_wait text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_quotas() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_quotas() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_retention() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_retention() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_set(p_set_id bigint, p_until timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '20ms'
    AS ...;

ALTER FUNCTION postrider.lock_set(p_set_id bigint, p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_tally() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.lock_tally() OWNER TO postrider_owner;

CREATE FUNCTION postrider.lock_workers(p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lock_workers(p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.log_bounds(p_channel text, p_done pg_snapshot, OUT floor_at timestamp with time zone, OUT ceiling_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.log_bounds(p_channel text, p_done pg_snapshot, OUT floor_at timestamp with time zone, OUT ceiling_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.log_is_ahead() RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.log_is_ahead() OWNER TO postrider_owner;

CREATE FUNCTION postrider.log_late(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_to_xid xid8, p_to_seq bigint, p_low timestamp with time zone, p_high timestamp with time zone) RETURNS SETOF postrider.message
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.log_late(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_to_xid xid8, p_to_seq bigint, p_low timestamp with time zone, p_high timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.log_range(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_before xid8, p_low timestamp with time zone, p_high timestamp with time zone) RETURNS SETOF postrider.message
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.log_range(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_before xid8, p_low timestamp with time zone, p_high timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.long_queues(p_consumer_id integer, p_most integer, OUT key text, OUT followers bigint) RETURNS SETOF record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.long_queues(p_consumer_id integer, p_most integer, OUT key text, OUT followers bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.look_ahead(p_cursor postrider.claim_cursor, p_native boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.look_ahead(p_cursor postrider.claim_cursor, p_native boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lost_deliveries(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_limit integer) RETURNS bigint[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lost_deliveries(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.lost_leases(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_limit integer) RETURNS TABLE(stream integer, id bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.lost_leases(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.maintain() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '1s'
    AS ...;

ALTER FUNCTION postrider.maintain() OWNER TO postrider_owner;

CREATE FUNCTION postrider.mark_held(p_consumer_id integer, p_handler text, p_held boolean) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.mark_held(p_consumer_id integer, p_handler text, p_held boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.mark_leases(p_consumer_id integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.mark_leases(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.matches(p_event_type text, p_patterns text[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.matches(p_event_type text, p_patterns text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.materialise_waiting(p_consumer_id integer, p_seqs bigint[]) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.materialise_waiting(p_consumer_id integer, p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.may_change_schedules(p_owner text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.may_change_schedules(p_owner text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.may_have_followers(p_consumer_id integer) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.may_have_followers(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.may_send_alerts(p_target text, p_configuration text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.may_send_alerts(p_target text, p_configuration text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.may_use_target(p_target text, p_configuration text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.may_use_target(p_target text, p_configuration text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.may_work_for(p_consumer text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.may_work_for(p_consumer text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.members_left(p_lease postrider.lease, p_owed bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.members_left(p_lease postrider.lease, p_owed bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_before(p_channel text, p_until timestamp with time zone) RETURNS xid8
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    AS ...;

ALTER FUNCTION postrider.message_before(p_channel text, p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_keys() RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.message_keys() OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_page(p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT 50, p_xid xid8 DEFAULT NULL::xid8, p_seq bigint DEFAULT NULL::bigint, p_reach integer DEFAULT NULL::integer) RETURNS TABLE(id uuid, channel text, event_type text, event_version integer, occurred_at timestamp with time zone, source text, target text, content_class text, generation bigint, workspace_id uuid, idempotency_key text, ordering_key text, partition_key text, trace_context text, priority integer, seq bigint, published_at timestamp with time zone, xid xid8)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.message_page(p_filter jsonb, p_limit integer, p_xid xid8, p_seq bigint, p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_range(p_filter jsonb, p_xid xid8, p_seq bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO'
    AS ...;

ALTER FUNCTION postrider.message_range(p_filter jsonb, p_xid xid8, p_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_reach(p_filter jsonb, p_reach integer, p_xid xid8 DEFAULT NULL::xid8, p_seq bigint DEFAULT NULL::bigint, OUT xid xid8, OUT seq bigint, OUT published_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    AS ...;

ALTER FUNCTION postrider.message_reach(p_filter jsonb, p_reach integer, p_xid xid8, p_seq bigint, OUT xid xid8, OUT seq bigint, OUT published_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_rows(p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT 50, p_after jsonb DEFAULT NULL::jsonb, p_reach integer DEFAULT NULL::integer) RETURNS TABLE(shown json, place json, searched_to text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.message_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_shown(p_id uuid, p_workspace uuid DEFAULT NULL::uuid, p_errors boolean DEFAULT false) RETURNS json
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.message_shown(p_id uuid, p_workspace uuid, p_errors boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_uuid(p_id text, p_source text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.message_uuid(p_id text, p_source text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.move_cursor(p_cursor postrider.claim_cursor) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.move_cursor(p_cursor postrider.claim_cursor) OWNER TO postrider_owner;

CREATE FUNCTION postrider.move_to(p_consumer_id integer, p_at pg_snapshot) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.move_to(p_consumer_id integer, p_at pg_snapshot) OWNER TO postrider_owner;

CREATE FUNCTION postrider.native_protocol() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.native_protocol() OWNER TO postrider_owner;

CREATE FUNCTION postrider.native_status(OUT made boolean, OUT wanted boolean, OUT trouble text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.native_status(OUT made boolean, OUT wanted boolean, OUT trouble text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_alerts(p_target text, p_now timestamp with time zone, p_limit integer) RETURNS TABLE(alert_id bigint, turn bigint, available_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.next_alerts(p_target text, p_now timestamp with time zone, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_due(p_worker uuid) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.next_due(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_followers(p_consumer_id integer, p_keys text[]) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.next_followers(p_consumer_id integer, p_keys text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_local(p_cron postrider.cron, p_from timestamp without time zone) RETURNS timestamp without time zone
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.next_local(p_cron postrider.cron, p_from timestamp without time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_slot(p_cron postrider.cron, p_time_zone text, p_after timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.next_slot(p_cron postrider.cron, p_time_zone text, p_after timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_slots(p_cron text, p_time_zone text DEFAULT 'UTC'::text, p_from timestamp with time zone DEFAULT clock_timestamp(), p_count integer DEFAULT 10) RETURNS SETOF timestamp with time zone
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.next_slots(p_cron text, p_time_zone text, p_from timestamp with time zone, p_count integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_throttled(p_consumer_id integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.next_throttled(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_times(p_worker uuid, OUT delivery_at timestamp with time zone, OUT waiting_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.next_times(p_worker uuid, OUT delivery_at timestamp with time zone, OUT waiting_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_waiting(p_consumer_id integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.next_waiting(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_all_waiting(p_consumer_id integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.note_all_waiting(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_brokers(p_consumer_id integer, p_handlers jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.note_brokers(p_consumer_id integer, p_handlers jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_followers(p_cursor postrider.claim_cursor, p_piece postrider.ordered_piece, p_to_xid xid8, p_to_seq bigint) RETURNS integer
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.note_followers(p_cursor postrider.claim_cursor, p_piece postrider.ordered_piece, p_to_xid xid8, p_to_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_next_waiting(p_cursor postrider.claim_cursor, OUT at postrider.claim_cursor, OUT waiting integer, OUT more boolean) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.note_next_waiting(p_cursor postrider.claim_cursor, OUT at postrider.claim_cursor, OUT waiting integer, OUT more boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_published(p_schedules text[], p_since timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.note_published(p_schedules text[], p_since timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_rollout(p_consumer integer, p_generation bigint, p_version text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.note_rollout(p_consumer integer, p_generation bigint, p_version text) OWNER TO postrider_owner;

CREATE TABLE postrider.waiting (
    consumer_id integer NOT NULL,
    priority smallint NOT NULL,
    keyed boolean DEFAULT false NOT NULL,
    due_at timestamp with time zone NOT NULL,
    seq bigint NOT NULL,
    xid xid8 NOT NULL,
    published_at timestamp with time zone NOT NULL,
    limit_key text COLLATE pg_catalog."C",
    place tid
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.waiting OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_throttled(p_messages postrider.waiting[]) RETURNS integer
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.note_throttled(p_messages postrider.waiting[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.note_waiting(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer, OUT read integer, OUT noted integer, OUT xid xid8, OUT seq bigint) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.note_waiting(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer, OUT read integer, OUT noted integer, OUT xid xid8, OUT seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.noted_before(p_consumer_id integer, OUT segment xid8, OUT seq bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.noted_before(p_consumer_id integer, OUT segment xid8, OUT seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.notify_workers(p_note text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.notify_workers(p_note text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.one_handler(p_target text, p_channel text, p_event_type text, OUT consumer_id integer, OUT handler text, OUT wait text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.one_handler(p_target text, p_channel text, p_event_type text, OUT consumer_id integer, OUT handler text, OUT wait text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.open_log(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer) RETURNS refcursor
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.open_log(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.open_segment(p_cursor postrider.claim_cursor) RETURNS postrider.claim_cursor
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.open_segment(p_cursor postrider.claim_cursor) OWNER TO postrider_owner;

CREATE FUNCTION postrider.ordering_figures() RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.ordering_figures() OWNER TO postrider_owner;

CREATE FUNCTION postrider.ordering_shown(p_ordered boolean, p_hold_for interval) RETURNS text
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.ordering_shown(p_ordered boolean, p_hold_for interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.outage_listed(p_error_class text, p_entries jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.outage_listed(p_error_class text, p_entries jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.outbox_insert() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.outbox_insert() OWNER TO postrider_owner;

CREATE FUNCTION postrider.outbox_notify() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.outbox_notify() OWNER TO postrider_owner;

CREATE FUNCTION postrider.outbox_replay(event_id uuid, p_new_generation bigint, p_replayed_by text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.outbox_replay(event_id uuid, p_new_generation bigint, p_replayed_by text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.override_circuit(p_action text, p_mode text, p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.override_circuit(p_action text, p_mode text, p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.own_consumer(p_consumer text, p_owner text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.own_consumer(p_consumer text, p_owner text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pace(p_window interval DEFAULT '00:00:05'::interval, p_max integer DEFAULT 20000) RETURNS TABLE(consumer text, channel text, taken bigint, published bigint, seconds double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.pace(p_window interval, p_max integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.packed(p_message postrider.message) RETURNS bytea
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.packed(p_message postrider.message) OWNER TO postrider_owner;

CREATE FUNCTION postrider.packed_if_small(p_cursor postrider.claim_cursor, p_message postrider.message) RETURNS bytea
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.packed_if_small(p_cursor postrider.claim_cursor, p_message postrider.message) OWNER TO postrider_owner;

CREATE FUNCTION postrider.packed_if_usual(p_cursor postrider.claim_cursor, p_message postrider.message) RETURNS bytea
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.packed_if_usual(p_cursor postrider.claim_cursor, p_message postrider.message) OWNER TO postrider_owner;

CREATE FUNCTION postrider.park(p_consumer_id integer, p_channel text, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.park(p_consumer_id integer, p_channel text, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.park_ended(p_place postrider.ended_place, p_outcomes jsonb) RETURNS postrider.ended_run[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.park_ended(p_place postrider.ended_place, p_outcomes jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.park_failures(p_lease postrider.lease, p_failures jsonb, OUT failed bigint[], OUT runs postrider.ended_run[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.park_failures(p_lease postrider.lease, p_failures jsonb, OUT failed bigint[], OUT runs postrider.ended_run[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.park_ordered(p_lease postrider.lease, p_delivered bigint[], p_failures jsonb, OUT failed bigint[], OUT runs postrider.ended_run[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.park_ordered(p_lease postrider.lease, p_delivered bigint[], p_failures jsonb, OUT failed bigint[], OUT runs postrider.ended_run[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.park_picked(p_cursor postrider.claim_cursor, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_large bigint[], p_throttled postrider.waiting[]) RETURNS integer
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.park_picked(p_cursor postrider.claim_cursor, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_large bigint[], p_throttled postrider.waiting[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.park_step(p_lease postrider.lease) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.park_step(p_lease postrider.lease) OWNER TO postrider_owner;

CREATE FUNCTION postrider.parse_cron(p_cron text) RETURNS postrider.cron
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.parse_cron(p_cron text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.partition_holder(p_partition text, p_but_waiting boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.partition_holder(p_partition text, p_but_waiting boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.partitions() RETURNS TABLE(name text, from_at timestamp with time zone, to_at timestamp with time zone)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    AS ...;

ALTER FUNCTION postrider.partitions() OWNER TO postrider_owner;

CREATE FUNCTION postrider.pass_segment(p_cursor postrider.claim_cursor) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.pass_segment(p_cursor postrider.claim_cursor) OWNER TO postrider_owner;

CREATE FUNCTION postrider.patterns_of(p_event_type text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.patterns_of(p_event_type text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean DEFAULT true, p_channel text DEFAULT 'outbox_default'::text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean, p_channel text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pause_schedule(p_name text, p_paused boolean DEFAULT true, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.pause_schedule(p_name text, p_paused boolean, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pending_deliveries(p_messages uuid[]) RETURNS bigint[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.pending_deliveries(p_messages uuid[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pgmq_copy_left() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.pgmq_copy_left() OWNER TO postrider_owner;

CREATE FUNCTION postrider.pgmq_headers(p_delivery postrider.delivery) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS ...;

ALTER FUNCTION postrider.pgmq_headers(p_delivery postrider.delivery) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pick(p_cursor postrider.claim_cursor, p_worker uuid, p_log refcursor, p_limit integer DEFAULT NULL::integer) RETURNS postrider.claim_batch
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.pick(p_cursor postrider.claim_cursor, p_worker uuid, p_log refcursor, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pick_ordered(p_cursor postrider.claim_cursor, p_worker uuid, p_late boolean, p_limit integer) RETURNS postrider.claim_batch
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.pick_ordered(p_cursor postrider.claim_cursor, p_worker uuid, p_late boolean, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.pin_plans() RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.pin_plans() OWNER TO postrider_owner;

CREATE FUNCTION postrider.place_of(p_consumer_id integer, p_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone) RETURNS postrider.place
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.place_of(p_consumer_id integer, p_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.placed_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken, p_places tid[]) RETURNS SETOF postrider.claim_batch
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.placed_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken, p_places tid[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.policy_number(p_value jsonb) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.policy_number(p_value jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.postpone_failed(p_consumer_id integer, p_handler text, p_until timestamp with time zone, p_behind boolean) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.postpone_failed(p_consumer_id integer, p_handler text, p_until timestamp with time zone, p_behind boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.postpone_throttled(p_consumer_id integer, p_handlers text[], p_admitted bigint[], p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.postpone_throttled(p_consumer_id integer, p_handlers text[], p_admitted bigint[], p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.preview_rows(p_preview jsonb, p_part text) RETURNS TABLE(consumer text, channel text, handler text, event_type text, fingerprint text, error_class text, last_error text, count bigint, delivery bigint, id uuid, attempts integer, dead_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.preview_rows(p_preview jsonb, p_part text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.preview_shown(p_filter jsonb, p_reach integer DEFAULT NULL::integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.preview_shown(p_filter jsonb, p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.problem_passes(p_sqlstate text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.problem_passes(p_sqlstate text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.profile(p_name text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.profile(p_name text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.publish(p_event_type text, p_payload jsonb DEFAULT '{}'::jsonb, p_source text DEFAULT ''::text, p_target text DEFAULT NULL::text, p_channel text DEFAULT 'outbox_default'::text, p_id uuid DEFAULT NULL::uuid, p_event_version integer DEFAULT 1, p_occurred_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_workspace_id uuid DEFAULT NULL::uuid, p_idempotency_key text DEFAULT NULL::text, p_ordering_key text DEFAULT NULL::text, p_partition_key text DEFAULT NULL::text, p_headers jsonb DEFAULT NULL::jsonb, p_metadata jsonb DEFAULT NULL::jsonb, p_trace_context text DEFAULT NULL::text, p_content_class text DEFAULT NULL::text, p_generation bigint DEFAULT NULL::bigint, p_available_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_priority integer DEFAULT 0, p_max_attempts integer DEFAULT NULL::integer) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.publish(p_event_type text, p_payload jsonb, p_source text, p_target text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.publish_many(p_messages jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.publish_many(p_messages jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.publish_set(p_name text, p_members jsonb, p_message jsonb, p_dead text DEFAULT 'ends'::text) RETURNS uuid[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.publish_set(p_name text, p_members jsonb, p_message jsonb, p_dead text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.publish_unique(p_event_type text, p_target text, p_key text, p_scope text DEFAULT 'until_finished'::text, p_payload jsonb DEFAULT '{}'::jsonb, p_period interval DEFAULT NULL::interval, p_source text DEFAULT ''::text, p_channel text DEFAULT 'outbox_default'::text, p_id uuid DEFAULT NULL::uuid, p_event_version integer DEFAULT 1, p_occurred_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_workspace_id uuid DEFAULT NULL::uuid, p_idempotency_key text DEFAULT NULL::text, p_ordering_key text DEFAULT NULL::text, p_partition_key text DEFAULT NULL::text, p_headers jsonb DEFAULT NULL::jsonb, p_metadata jsonb DEFAULT NULL::jsonb, p_trace_context text DEFAULT NULL::text, p_content_class text DEFAULT NULL::text, p_generation bigint DEFAULT NULL::bigint, p_available_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_priority integer DEFAULT 0, p_max_attempts integer DEFAULT NULL::integer, OUT id uuid, OUT duplicate boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.publish_unique(p_event_type text, p_target text, p_key text, p_scope text, p_payload jsonb, p_period interval, p_source text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer, OUT id uuid, OUT duplicate boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.put_back(p_consumer_id integer, p_taken postrider.taken, p_seqs bigint[], p_alone boolean) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.put_back(p_consumer_id integer, p_taken postrider.taken, p_seqs bigint[], p_alone boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.put_probes_first(p_consumer_id integer, p_handler text, p_now timestamp with time zone, p_count integer) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.put_probes_first(p_consumer_id integer, p_handler text, p_now timestamp with time zone, p_count integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.quantiles(p_counts bigint[]) RETURNS double precision[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.quantiles(p_counts bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.queue_heads(p_consumer_id integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.queue_heads(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.raise_alerts(p_deliveries bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.raise_alerts(p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.raise_backlog(p_consumer_id integer, p_key text, p_followers bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.raise_backlog(p_consumer_id integer, p_key text, p_followers bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.rate_room(p_starts integer, p_period interval, p_burst integer, p_paid_at timestamp with time zone, p_now timestamp with time zone) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.rate_room(p_starts integer, p_period interval, p_burst integer, p_paid_at timestamp with time zone, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_direct(p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room integer, p_chain integer) RETURNS postrider.direct_piece
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.read_direct(p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room integer, p_chain integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_limit(p_limit jsonb) RETURNS postrider.handler_limit
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.read_limit(p_limit jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_on(p_cursor postrider.claim_cursor, p_batch postrider.claim_batch, p_limit integer) RETURNS SETOF postrider.claim_batch
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.read_on(p_cursor postrider.claim_cursor, p_batch postrider.claim_batch, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_ordered(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer) RETURNS postrider.ordered_piece
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.read_ordered(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_pgmq_copies(p_deliveries bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.read_pgmq_copies(p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_piece(p_cursor postrider.claim_cursor, p_xid xid8, p_seq bigint, p_limit integer) RETURNS SETOF postrider.claim_batch
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.read_piece(p_cursor postrider.claim_cursor, p_xid xid8, p_seq bigint, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_rate(p_rate jsonb, p_name text, OUT starts integer, OUT period interval, OUT burst integer) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.read_rate(p_rate jsonb, p_name text, OUT starts integer, OUT period interval, OUT burst integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_schedule(p_name text, p_definition jsonb) RETURNS postrider.schedule
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.read_schedule(p_name text, p_definition jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.read_segment_piece(p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room integer, p_chain integer, p_native boolean) RETURNS postrider.direct_piece
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.read_segment_piece(p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room integer, p_chain integer, p_native boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.ready_keys(p_consumer_id integer, p_limit integer) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.ready_keys(p_consumer_id integer, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.reap(p_limit integer DEFAULT 100) RETURNS TABLE(leases integer, deliveries integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '10ms'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.reap(p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.reap_deliveries(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_until timestamp with time zone, p_limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.reap_deliveries(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_until timestamp with time zone, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.rebase() RETURNS TABLE(consumer text, channel text, deliveries bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.rebase() OWNER TO postrider_owner;

CREATE FUNCTION postrider.rebase_consumer(p_consumer_id integer, p_first_seq bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS ...;

ALTER FUNCTION postrider.rebase_consumer(p_consumer_id integer, p_first_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.recent_types(p_reach integer) RETURNS TABLE(channel text, event_type text, target text, messages bigint, last_published_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.recent_types(p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.recheck_bounds(p_cursor postrider.claim_cursor, OUT looked boolean, OUT recheck_xid xid8, OUT floor_at timestamp with time zone, OUT ceiling_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.recheck_bounds(p_cursor postrider.claim_cursor, OUT looked boolean, OUT recheck_xid xid8, OUT floor_at timestamp with time zone, OUT ceiling_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.record_progress(p_worker uuid, p_reports json) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.record_progress(p_worker uuid, p_reports json) OWNER TO postrider_owner;

CREATE FUNCTION postrider.record_runs(p_worker uuid, p_runs jsonb DEFAULT '[]'::jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.record_runs(p_worker uuid, p_runs jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.record_server() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.record_server() OWNER TO postrider_owner;

CREATE FUNCTION postrider.redeliver(p_message_id uuid, p_consumer text, p_handler text, p_clear_handled boolean, p_actor text, p_reason text, p_channel text DEFAULT 'outbox_default'::text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.redeliver(p_message_id uuid, p_consumer text, p_handler text, p_clear_handled boolean, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.refresh_consumer(p_consumer_id integer) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.refresh_consumer(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.refresh_limits(p_consumer_id integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.refresh_limits(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.refresh_some_limits() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.refresh_some_limits() OWNER TO postrider_owner;

CREATE FUNCTION postrider.refuse_large(p_deliveries bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.refuse_large(p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.refuse_unordered(p_cursor postrider.claim_cursor, p_taken postrider.taken) RETURNS postrider.taken
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.refuse_unordered(p_cursor postrider.claim_cursor, p_taken postrider.taken) OWNER TO postrider_owner;

CREATE FUNCTION postrider.register_handler(p_consumer_id integer, p_handler text, p_event_types text[], p_retry jsonb DEFAULT NULL::jsonb, p_max_attempts integer DEFAULT NULL::integer, p_max_crashes integer DEFAULT NULL::integer, p_classes jsonb DEFAULT NULL::jsonb, p_honour_terminal boolean DEFAULT NULL::boolean, p_circuit jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.register_handler(p_consumer_id integer, p_handler text, p_event_types text[], p_retry jsonb, p_max_attempts integer, p_max_crashes integer, p_classes jsonb, p_honour_terminal boolean, p_circuit jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text DEFAULT 'outbox_default'::text, p_generation bigint DEFAULT NULL::bigint, p_alive_for interval DEFAULT '00:00:30'::interval, p_host text DEFAULT ''::text, p_version text DEFAULT ''::text, p_from_beginning boolean DEFAULT false, p_owner text DEFAULT NULL::text, p_ordering text DEFAULT NULL::text, p_threads integer DEFAULT NULL::integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text, p_generation bigint, p_alive_for interval, p_host text, p_version text, p_from_beginning boolean, p_owner text, p_ordering text, p_threads integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[] DEFAULT NULL::bigint[]) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.release_backlog(p_consumer_id integer, p_key text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.release_backlog(p_consumer_id integer, p_key text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.release_failed(p_consumer_id integer, p_handler text, p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.release_failed(p_consumer_id integer, p_handler text, p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.release_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.release_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.release_keys(p_seqs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.release_keys(p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.remove_alert_target(p_target text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.remove_alert_target(p_target text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.remove_consumer(p_consumer text, p_actor text, p_reason text, p_channel text DEFAULT 'outbox_default'::text, p_owed boolean DEFAULT false, OUT pending bigint, OUT failed bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.remove_consumer(p_consumer text, p_actor text, p_reason text, p_channel text, p_owed boolean, OUT pending bigint, OUT failed bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.remove_limit(p_consumer text, p_handler text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.remove_limit(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.remove_paid_buckets(p_pages integer, p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.remove_paid_buckets(p_pages integer, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.remove_pgmq_pipeline(p_queue text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.remove_pgmq_pipeline(p_queue text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.remove_schedule(p_name text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.remove_schedule(p_name text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE TABLE postrider.replay (
    id bigint NOT NULL,
    phase text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL,
    reason text NOT NULL,
    filter jsonb NOT NULL,
    generation bigint,
    canary integer NOT NULL,
    canary_passed boolean NOT NULL,
    canary_died boolean DEFAULT false NOT NULL,
    rate double precision,
    tokens double precision DEFAULT 1 NOT NULL,
    tokens_at timestamp with time zone NOT NULL,
    total integer NOT NULL,
    moved_to integer DEFAULT 0 NOT NULL,
    untried integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    paused_reason text,
    ended_at timestamp with time zone,
    preview jsonb,
    expires_at timestamp with time zone,
    approved_by text,
    approved_at timestamp with time zone,
    counts bigint[],
    proposed_by text,
    CONSTRAINT replay_phase_check CHECK ((phase = ANY (ARRAY['proposed'::text, 'canary'::text, 'running'::text, 'paused'::text, 'cancelled'::text, 'finished'::text]))),
    CONSTRAINT replay_rate_check CHECK ((rate > (0)::double precision))
);

ALTER TABLE postrider.replay OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_again_at(p_replay postrider.replay, p_still interval, p_now timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_again_at(p_replay postrider.replay, p_still interval, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_approve(p_replay bigint, p_actor text, p_reason text, p_token bytea DEFAULT NULL::bytea) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_approve(p_replay bigint, p_actor text, p_reason text, p_token bytea) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_cancel(p_replay bigint, p_actor text, p_reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.replay_cancel(p_replay bigint, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_change(p_replay bigint, p_from text[], p_to text, p_action text, p_actor text, p_reason text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_change(p_replay bigint, p_from text[], p_to text, p_action text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_judge_canary(p_replay postrider.replay) RETURNS postrider.replay
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_judge_canary(p_replay postrider.replay) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_make(p_action text, p_phase text, p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_make(p_action text, p_phase text, p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_movable(p_replay postrider.replay) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_movable(p_replay postrider.replay) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_move(p_replay postrider.replay, p_limit integer, p_budget integer, p_now timestamp with time zone, OUT moved integer, OUT skipped integer, OUT last integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_move(p_replay postrider.replay, p_limit integer, p_budget integer, p_now timestamp with time zone, OUT moved integer, OUT skipped integer, OUT last integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_pause(p_replay bigint, p_actor text, p_reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.replay_pause(p_replay bigint, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_preview(p_filter jsonb, p_samples integer DEFAULT 5, p_reach integer DEFAULT NULL::integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO'
    SET jit TO 'off'
    AS ...;

ALTER FUNCTION postrider.replay_preview(p_filter jsonb, p_samples integer, p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_proposal(p_replay bigint) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_proposal(p_replay bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_propose(p_filter jsonb, p_actor text, p_reason text, p_canary integer DEFAULT 0, p_rate double precision DEFAULT NULL::double precision, p_generation bigint DEFAULT NULL::bigint, p_expected bigint DEFAULT NULL::bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_propose(p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_resume(p_replay bigint, p_actor text, p_reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.replay_resume(p_replay bigint, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_shown(p_replay bigint, p_workspace text DEFAULT NULL::text) RETURNS json
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_shown(p_replay bigint, p_workspace text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_start(p_filter jsonb, p_actor text, p_reason text, p_canary integer DEFAULT 0, p_rate double precision DEFAULT NULL::double precision, p_generation bigint DEFAULT NULL::bigint, p_expected bigint DEFAULT NULL::bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_start(p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_status(p_replay bigint, OUT phase text, OUT total integer, OUT waiting integer, OUT moved integer, OUT delivered integer, OUT failed integer, OUT skipped integer, OUT cancelled integer, OUT summary text, OUT notes text) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.replay_status(p_replay bigint, OUT phase text, OUT total integer, OUT waiting integer, OUT moved integer, OUT delivered integer, OUT failed integer, OUT skipped integer, OUT cancelled integer, OUT summary text, OUT notes text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.replay_step(p_limit integer DEFAULT 1000, p_replay bigint DEFAULT NULL::bigint) RETURNS TABLE(replay bigint, moved integer, skipped integer, phase text, again_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET lock_timeout TO '500ms'
    AS ...;

ALTER FUNCTION postrider.replay_step(p_limit integer, p_replay bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_batches(p_batches jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_batches(p_batches jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_circuit(p_circuit jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_circuit(p_circuit jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_classes(p_classes jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_classes(p_classes jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_cluster() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_cluster() OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_dead(p_operation text, p_filter jsonb, p_discarded boolean) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_dead(p_operation text, p_filter jsonb, p_discarded boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_deployment(p_name text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_deployment(p_name text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_diagnostics(p_table text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_diagnostics(p_table text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_earlier(p_failures jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    AS ...;

ALTER FUNCTION postrider.require_earlier(p_failures jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_erase(p_filter jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_erase(p_filter jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_expected(p_action text, p_expected bigint, p_found bigint) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_expected(p_action text, p_expected bigint, p_found bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_filter(p_filter jsonb, p_keys text[], p_subjects text[], p_caller text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_filter(p_filter jsonb, p_keys text[], p_subjects text[], p_caller text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_filter_size(p_filter jsonb, p_name text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_filter_size(p_filter jsonb, p_name text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_generation(p_deliveries bigint[], p_generation bigint) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_generation(p_deliveries bigint[], p_generation bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_handed_over(p_consumer_id integer, p_failures json) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_handed_over(p_consumer_id integer, p_failures json) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_handler(p_handler text, p_event_types text[], p_max_attempts integer, p_max_crashes integer) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_handler(p_handler text, p_event_types text[], p_max_attempts integer, p_max_crashes integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_handler_room(p_consumer_id integer, p_handler text, p_event_types text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_handler_room(p_consumer_id integer, p_handler text, p_event_types text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_key(p_operation text, p_deliveries bigint[], p_channel text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_key(p_operation text, p_deliveries bigint[], p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_keys(p_document jsonb, p_allowed text[], p_subject text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.require_keys(p_document jsonb, p_allowed text[], p_subject text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_limitable(p_consumer postrider.consumer, p_handler text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_limitable(p_consumer postrider.consumer, p_handler text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_new_numbers(p_seq bigint, p_home boolean) RETURNS void
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.require_new_numbers(p_seq bigint, p_home boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_no_subscription() RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_no_subscription() OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_open(p_filter jsonb, p_found uuid[]) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_open(p_filter jsonb, p_found uuid[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_outcomes(p_outcomes jsonb, p_names text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    AS ...;

ALTER FUNCTION postrider.require_outcomes(p_outcomes jsonb, p_names text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_own_pgmq(p_queue text, p_diagnostics text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_own_pgmq(p_queue text, p_diagnostics text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_owner(p_consumer text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_owner(p_consumer text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_pgmq(p_queue text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_pgmq(p_queue text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_progress(p_reports json) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_progress(p_reports json) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_publishable(p_call text, p_message jsonb, p_fixed text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_publishable(p_call text, p_message jsonb, p_fixed text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_quota(p_role text, p_quota text, p_count bigint, p_things text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_quota(p_role text, p_quota text, p_count bigint, p_things text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_read_committed(p_operation text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_read_committed(p_operation text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_retry(p_retry jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_retry(p_retry jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_schedule(p_name text, p_call text) RETURNS postrider.schedule
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.require_schedule(p_name text, p_call text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_scope(p_key text, p_scope text, p_period interval) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    AS ...;

ALTER FUNCTION postrider.require_scope(p_key text, p_scope text, p_period interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_status(p_operation text, p_deliveries bigint[], p_status text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_status(p_operation text, p_deliveries bigint[], p_status text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_time_zone(p_time_zone text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_time_zone(p_time_zone text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_unread_copy(p_operation text, p_deliveries bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_unread_copy(p_operation text, p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_worker(p_worker uuid) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_worker(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_worker_room(p_consumer_id integer, p_worker uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_worker_room(p_consumer_id integer, p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.reschedule(p_deliveries bigint[], p_available_at timestamp with time zone, p_actor text, p_reason text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.reschedule(p_deliveries bigint[], p_available_at timestamp with time zone, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.restore(p_filter jsonb, p_actor text, p_reason text, p_expected bigint DEFAULT NULL::bigint) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.restore(p_filter jsonb, p_actor text, p_reason text, p_expected bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.resume_worker(p_worker uuid, p_leases bigint[] DEFAULT '{}'::bigint[], p_deliveries bigint[] DEFAULT '{}'::bigint[], OUT leases integer, OUT deliveries integer) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.resume_worker(p_worker uuid, p_leases bigint[], p_deliveries bigint[], OUT leases integer, OUT deliveries integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retake_keys(p_deliveries bigint[], p_from text, p_channel text, p_raise boolean) RETURNS bigint[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.retake_keys(p_deliveries bigint[], p_from text, p_channel text, p_raise boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_alerts(p_limit integer, p_dry_run boolean, p_before timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.retention_alerts(p_limit integer, p_dry_run boolean, p_before timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_dead(p_limit integer, p_dry_run boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.retention_dead(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_deleted(p_limit integer, p_dry_run boolean, OUT delivered bigint, OUT dead bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.retention_deleted(p_limit integer, p_dry_run boolean, OUT delivered bigint, OUT dead bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_delivered(p_limit integer, p_dry_run boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.retention_delivered(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_handled(p_limit integer, p_dry_run boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.retention_handled(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_jobs(p_limit integer, p_dry_run boolean) RETURNS TABLE(entity text, things bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS ...;

ALTER FUNCTION postrider.retention_jobs(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_leases(p_limit integer, p_dry_run boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.retention_leases(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_note(p_step text, p_place bigint, p_removed bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.retention_note(p_step text, p_place bigint, p_removed bigint) OWNER TO postrider_owner;

CREATE TABLE postrider.retention_policy (
    entity text NOT NULL COLLATE pg_catalog."C",
    class text DEFAULT '*'::text NOT NULL COLLATE pg_catalog."C",
    active_ttl interval NOT NULL,
    grace interval DEFAULT '00:00:00'::interval NOT NULL,
    disposal text DEFAULT 'hard_delete'::text NOT NULL COLLATE pg_catalog."C",
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    changed_by text DEFAULT SESSION_USER NOT NULL,
    CONSTRAINT retention_policy_active_ttl_check CHECK (((active_ttl > '00:00:00'::interval) AND (EXTRACT(year FROM active_ttl) = (0)::numeric) AND (EXTRACT(month FROM active_ttl) = (0)::numeric))),
    CONSTRAINT retention_policy_class_check CHECK (((class = '*'::text) OR ((entity = ANY (ARRAY['outbox'::text, 'dead_letter'::text])) AND ((octet_length(class) >= 1) AND (octet_length(class) <= 255))))),
    CONSTRAINT retention_policy_disposal_check CHECK ((disposal = ANY (ARRAY['hard_delete'::text, 'keep'::text]))),
    CONSTRAINT retention_policy_entity_check CHECK ((entity = ANY (ARRAY['outbox'::text, 'dead_letter'::text, 'event_handled'::text, 'alert'::text, 'replay'::text, 'audit'::text]))),
    CONSTRAINT retention_policy_grace_check CHECK (((grace >= '00:00:00'::interval) AND (EXTRACT(year FROM grace) = (0)::numeric) AND (EXTRACT(month FROM grace) = (0)::numeric)))
);

ALTER TABLE postrider.retention_policy OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_of(p_entity text, p_class text) RETURNS postrider.retention_policy
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.retention_of(p_entity text, p_class text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_partitions(p_dry_run boolean) RETURNS TABLE(partition text, dropped boolean, held_by text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    AS ...;

ALTER FUNCTION postrider.retention_partitions(p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_policy_check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.retention_policy_check() OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_records(p_limit integer, p_dry_run boolean) RETURNS TABLE(entity text, things bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS ...;

ALTER FUNCTION postrider.retention_records(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_replays(p_limit integer, p_dry_run boolean, p_before timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10ms'
    AS ...;

ALTER FUNCTION postrider.retention_replays(p_limit integer, p_dry_run boolean, p_before timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_rows(p_limit integer, p_dry_run boolean) RETURNS TABLE(entity text, action text, things bigint, detail text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.retention_rows(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_run(p_limit integer DEFAULT 1000, p_dry_run boolean DEFAULT false) RETURNS TABLE(entity text, action text, things bigint, detail text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '1s'
    AS ...;

ALTER FUNCTION postrider.retention_run(p_limit integer, p_dry_run boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_status() RETURNS TABLE(entity text, class text, active_ttl interval, grace interval, disposal text, due bigint, soon bigint, in_grace bigint, oldest timestamp with time zone, partitions_due bigint, held_by text, last_run_at timestamp with time zone, removed bigint, exact boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.retention_status() OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_targets(p_before timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10ms'
    AS ...;

ALTER FUNCTION postrider.retention_targets(p_before timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retention_things(p_now timestamp with time zone, p_most integer, p_delivered double precision, p_handled double precision) RETURNS TABLE(entity text, class text, ended_at timestamp with time zone, deleted boolean, weight double precision)
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.retention_things(p_now timestamp with time zone, p_most integer, p_delivered double precision, p_handled double precision) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retry_lock(p_until timestamp with time zone, p_rows text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.retry_lock(p_until timestamp with time zone, p_rows text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retry_policy(p_retry jsonb) RETURNS postrider.retry_policy
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.retry_policy(p_retry jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.reveal(p_message uuid, p_delivery bigint, p_workspace uuid, p_actor text, p_reason text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.reveal(p_message uuid, p_delivery bigint, p_workspace uuid, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.revive(p_deliveries bigint[], p_from text, p_generation bigint, p_actor text, p_replay bigint DEFAULT NULL::bigint) RETURNS TABLE(delivery_id bigint, cycle integer)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.revive(p_deliveries bigint[], p_from text, p_generation bigint, p_actor text, p_replay bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.revoke_token(p_name text, p_actor text, p_reason text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.revoke_token(p_name text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.ring(p_channel text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.ring(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.route(p_consumer_id integer, p_event_type text) RETURNS text[]
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.route(p_consumer_id integer, p_event_type text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.rows_counted(p_counts bigint) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    AS ...;

ALTER FUNCTION postrider.rows_counted(p_counts bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.run_ended(p_runs postrider.ended_run[], p_succeeded text[], p_watch boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.run_ended(p_runs postrider.ended_run[], p_succeeded text[], p_watch boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.run_history(p_span text DEFAULT 'hour'::text, p_consumer text DEFAULT NULL::text, p_channel text DEFAULT NULL::text, p_handler text DEFAULT NULL::text) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    AS ...;

ALTER FUNCTION postrider.run_history(p_span text, p_consumer text, p_channel text, p_handler text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.run_schedule(p_name text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS ...;

ALTER FUNCTION postrider.run_schedule(p_name text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.scan_time() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.scan_time() OWNER TO postrider_owner;

CREATE FUNCTION postrider.schedule_figures(p_now timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.schedule_figures(p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.seek_consumer(p_consumer text, p_to timestamp with time zone, p_actor text, p_reason text, p_channel text DEFAULT 'outbox_default'::text, p_dry_run boolean DEFAULT false, OUT skipped bigint, OUT waiting bigint, OUT again bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.seek_consumer(p_consumer text, p_to timestamp with time zone, p_actor text, p_reason text, p_channel text, p_dry_run boolean, OUT skipped bigint, OUT waiting bigint, OUT again bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.send_alerts(p_alerts bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.send_alerts(p_alerts bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.send_pgmq_copy(p_delivery postrider.delivery) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.send_pgmq_copy(p_delivery postrider.delivery) OWNER TO postrider_owner;

CREATE FUNCTION postrider.server_mismatch() RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.server_mismatch() OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_aside(p_consumer postrider.consumer, p_mine text[], p_event_type text, p_xid xid8, p_seq bigint) RETURNS postrider.aside
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.set_aside(p_consumer postrider.consumer, p_mine text[], p_event_type text, p_xid xid8, p_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_followers_alert(p_consumer text, p_followers integer, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.set_followers_alert(p_consumer text, p_followers integer, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_limit(p_consumer text, p_handler text, p_limit jsonb, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text, p_channel text DEFAULT 'outbox_default'::text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.set_limit(p_consumer text, p_handler text, p_limit jsonb, p_actor text, p_reason text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_message(p_name text, p_message jsonb, p_members bigint, p_failed bigint) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.set_message(p_name text, p_message jsonb, p_members bigint, p_failed bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_ordering(p_consumer_id integer, p_ordering text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.set_ordering(p_consumer_id integer, p_ordering text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_retention(p_entity text, p_active_ttl interval, p_grace interval DEFAULT '00:00:00'::interval, p_disposal text DEFAULT 'hard_delete'::text, p_class text DEFAULT '*'::text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.set_retention(p_entity text, p_active_ttl interval, p_grace interval, p_disposal text, p_class text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_wake(p_channel text, p_wake text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '1s'
    AS ...;

ALTER FUNCTION postrider.set_wake(p_channel text, p_wake text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.settle(p_worker uuid, p_lease bigint, p_token uuid, p_delivered bigint[] DEFAULT NULL::bigint[], p_failures jsonb DEFAULT NULL::jsonb) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.settle(p_worker uuid, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.settle_alerts(p_target text, p_results jsonb) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.settle_alerts(p_target text, p_results jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) RETURNS TABLE(delivery_id bigint, result text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.settle_whole(p_worker uuid, p_consumer_id integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) RETURNS text
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.settle_whole(p_worker uuid, p_consumer_id integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.shown(p_row json, p_ids_as_text boolean, p_hidden text[] DEFAULT '{}'::text[], p_only text[] DEFAULT NULL::text[]) RETURNS json
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.shown(p_row json, p_ids_as_text boolean, p_hidden text[], p_only text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.skip_followers(p_consumer_id integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.skip_followers(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.skip_missed(p_schedule postrider.schedule, p_now timestamp with time zone) RETURNS postrider.schedule
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.skip_missed(p_schedule postrider.schedule, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.skip_waiting(p_consumer_id integer, p_to timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.skip_waiting(p_consumer_id integer, p_to timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.slot_at(p_schedule text, p_slot timestamp with time zone, p_jitter interval) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.slot_at(p_schedule text, p_slot timestamp with time zone, p_jitter interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.slot_id(p_schedule text, p_slot timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.slot_id(p_schedule text, p_slot timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.slot_message(p_schedule postrider.schedule, p_slot timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.slot_message(p_schedule postrider.schedule, p_slot timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.slot_unfinished(p_schedule postrider.schedule) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.slot_unfinished(p_schedule postrider.schedule) OWNER TO postrider_owner;

CREATE FUNCTION postrider.snapshot_at(p_channel text, p_at timestamp with time zone) RETURNS pg_snapshot
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.snapshot_at(p_channel text, p_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.spend_starts(p_consumer_id integer, p_limit postrider.handler_limit, p_keys text[], p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.spend_starts(p_consumer_id integer, p_limit postrider.handler_limit, p_keys text[], p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.start_cursors(p_consumer_id integer, p_at pg_snapshot, p_floor_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.start_cursors(p_consumer_id integer, p_at pg_snapshot, p_floor_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.start_due(p_consumer_id integer, p_deliveries bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.start_due(p_consumer_id integer, p_deliveries bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.start_keys(p_seqs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.start_keys(p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.start_serial(p_consumer_id integer, p_seqs bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.start_serial(p_consumer_id integer, p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.succeeded_since(p_consumer_id integer, p_handlers text[], p_since timestamp with time zone[], p_until timestamp with time zone) RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.succeeded_since(p_consumer_id integer, p_handlers text[], p_since timestamp with time zone[], p_until timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.sum_counts(p_a bigint[], p_b bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.sum_counts(p_a bigint[], p_b bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.sum_tally() RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.sum_tally() OWNER TO postrider_owner;

CREATE FUNCTION postrider.system_identifier() RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.system_identifier() OWNER TO postrider_owner;

CREATE FUNCTION postrider.tail_bound(p_from timestamp with time zone, p_interval interval, p_now timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    AS ...;

ALTER FUNCTION postrider.tail_bound(p_from timestamp with time zone, p_interval interval, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_chains(p_consumer_id integer, p_keys text[], p_taken postrider.taken, p_limit integer, p_chain integer) RETURNS postrider.taken
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.take_chains(p_consumer_id integer, p_keys text[], p_taken postrider.taken, p_limit integer, p_chain integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_claim_locks(p_consumer_ids integer[], p_wait interval DEFAULT NULL::interval) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.take_claim_locks(p_consumer_ids integer[], p_wait interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_key(p_job postrider.unique_job, p_wait text) RETURNS postrider.unique_job
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.take_key(p_job postrider.unique_job, p_wait text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_keys(p_consumer_id integer, p_limit postrider.handler_limit, p_use postrider.limit_held[], p_room integer, p_now timestamp with time zone) RETURNS postrider.taken
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.take_keys(p_consumer_id integer, p_limit postrider.handler_limit, p_use postrider.limit_held[], p_room integer, p_now timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_limited(p_cursor postrider.claim_cursor, p_worker uuid, p_limit integer) RETURNS postrider.taken
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.take_limited(p_cursor postrider.claim_cursor, p_worker uuid, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_lock(p_class integer, p_key integer, p_purpose text, p_wait text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.take_lock(p_class integer, p_key integer, p_purpose text, p_wait text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_ordered(p_cursor postrider.claim_cursor, p_taken postrider.taken, p_limit integer, p_chain integer, p_keys text[]) RETURNS postrider.taken
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.take_ordered(p_cursor postrider.claim_cursor, p_taken postrider.taken, p_limit integer, p_chain integer, p_keys text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_out(p_consumer_id integer, p_jobs postrider.cancel_job[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS ...;

ALTER FUNCTION postrider.take_out(p_consumer_id integer, p_jobs postrider.cancel_job[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_over(p_consumer_id integer, p_failures json, p_succeeded text[]) RETURNS postrider.ended_run[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS ...;

ALTER FUNCTION postrider.take_over(p_consumer_id integer, p_failures json, p_succeeded text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_slots(p_schedule postrider.schedule, p_now timestamp with time zone, p_limit integer, OUT schedule postrider.schedule, OUT slots timestamp with time zone[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.take_slots(p_schedule postrider.schedule, p_now timestamp with time zone, p_limit integer, OUT schedule postrider.schedule, OUT slots timestamp with time zone[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.take_waiting(p_consumer_id integer, p_limit integer, p_idle boolean, p_now timestamp with time zone, p_continue boolean, OUT taken postrider.taken, OUT places tid[], OUT up_to postrider.waiting_place) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.take_waiting(p_consumer_id integer, p_limit integer, p_idle boolean, p_now timestamp with time zone, p_continue boolean, OUT taken postrider.taken, OUT places tid[], OUT up_to postrider.waiting_place) OWNER TO postrider_owner;

CREATE FUNCTION postrider.taken_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken) RETURNS SETOF postrider.claim_batch
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.taken_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken) OWNER TO postrider_owner;

CREATE FUNCTION postrider.taken_messages(p_channel text, p_taken postrider.taken) RETURNS SETOF postrider.message
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.taken_messages(p_channel text, p_taken postrider.taken) OWNER TO postrider_owner;

CREATE FUNCTION postrider.tally_dead() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.tally_dead() OWNER TO postrider_owner;

CREATE FUNCTION postrider.throttled_handlers(p_consumer_id integer) RETURNS SETOF text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS ...;

ALTER FUNCTION postrider.throttled_handlers(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.throttled_row(p_consumer_id integer, p_aside postrider.aside, p_message postrider.message) RETURNS postrider.waiting
    LANGUAGE sql IMMUTABLE
    AS ...;

ALTER FUNCTION postrider.throttled_row(p_consumer_id integer, p_aside postrider.aside, p_message postrider.message) OWNER TO postrider_owner;

CREATE FUNCTION postrider.time_bound(p_n integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.time_bound(p_n integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.time_bounds() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.time_bounds() OWNER TO postrider_owner;

CREATE FUNCTION postrider.too_large(p_payload json, p_headers json) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.too_large(p_payload json, p_headers json) OWNER TO postrider_owner;

CREATE FUNCTION postrider.transfer_consumer(p_consumer text, p_to_role text, p_actor text DEFAULT SESSION_USER, p_reason text DEFAULT 'not given'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS ...;

ALTER FUNCTION postrider.transfer_consumer(p_consumer text, p_to_role text, p_actor text, p_reason text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.unknown_key(p_object jsonb, p_allowed text[], p_subject text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.unknown_key(p_object jsonb, p_allowed text[], p_subject text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.unmatched(p_reach integer DEFAULT 10000) RETURNS TABLE(kind text, channel text, name text, consumer text, handler text, messages bigint, last_published_at timestamp with time zone, closest text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.unmatched(p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.unmatched_names(p_reach integer) RETURNS TABLE(kind text, channel text, name text, consumer text, handler text, messages bigint, last_published_at timestamp with time zone, others text[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_nestloop TO 'off'
    SET enable_sort TO 'off'
    AS ...;

ALTER FUNCTION postrider.unmatched_names(p_reach integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.unregister_worker(p_worker uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.unregister_worker(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.unserving_keeper(p_channel text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.unserving_keeper(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.untried(p_consumer_id integer, p_handler text, p_now timestamp with time zone, p_limit integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.untried(p_consumer_id integer, p_handler text, p_now timestamp with time zone, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.view_page(p_view text, p_filter jsonb DEFAULT '{}'::jsonb, p_limit integer DEFAULT NULL::integer, p_after jsonb DEFAULT NULL::jsonb, p_hidden text[] DEFAULT '{}'::text[], p_viewer boolean DEFAULT false, p_ids_as_text boolean DEFAULT false) RETURNS TABLE(shown json, place json)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.view_page(p_view text, p_filter jsonb, p_limit integer, p_after jsonb, p_hidden text[], p_viewer boolean, p_ids_as_text boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.visible_columns(p_view text, p_hidden text[] DEFAULT '{}'::text[], p_viewer boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.visible_columns(p_view text, p_hidden text[], p_viewer boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.wait(p_policy postrider.retry_policy, p_attempt integer, p_u double precision) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.wait(p_policy postrider.retry_policy, p_attempt integer, p_u double precision) OWNER TO postrider_owner;

CREATE FUNCTION postrider.wait_to_claim(p_consumer_id integer, p_limit integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.wait_to_claim(p_consumer_id integer, p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.waiting_cursor(p_worker uuid) RETURNS SETOF postrider.claim_cursor
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.waiting_cursor(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.waiting_keys(p_consumer_id integer, p_keys text[]) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS ...;

ALTER FUNCTION postrider.waiting_keys(p_consumer_id integer, p_keys text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.waiting_late(p_cursor postrider.claim_cursor) RETURNS TABLE(xid xid8, seq bigint, priority smallint, keyed boolean, due_at timestamp with time zone, published_at timestamp with time zone, target text, event_type text, place tid)
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.waiting_late(p_cursor postrider.claim_cursor) OWNER TO postrider_owner;

CREATE FUNCTION postrider.waiting_levels(p_consumer_id integer, p_mark postrider.waiting_place) RETURNS SETOF postrider.waiting_place
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.waiting_levels(p_consumer_id integer, p_mark postrider.waiting_place) OWNER TO postrider_owner;

CREATE FUNCTION postrider.waiting_mark(p_consumer_id integer, p_continue boolean) RETURNS postrider.waiting_place
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.waiting_mark(p_consumer_id integer, p_continue boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.waiting_range(p_cursor postrider.claim_cursor) RETURNS TABLE(xid xid8, seq bigint, priority smallint, keyed boolean, due_at timestamp with time zone, published_at timestamp with time zone, target text, event_type text, place tid)
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.waiting_range(p_cursor postrider.claim_cursor) OWNER TO postrider_owner;

CREATE FUNCTION postrider.wants(p_consumer text, p_all_types boolean, p_exact_types text[], p_type_prefixes text[], p_target text, p_event_type text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.wants(p_consumer text, p_all_types boolean, p_exact_types text[], p_type_prefixes text[], p_target text, p_event_type text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.watch_pgmq_queue(p_queue text, p_diagnostics text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.watch_pgmq_queue(p_queue text, p_diagnostics text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.write_audit(p_actor text, p_action text, p_reason text, p_filter jsonb DEFAULT NULL::jsonb, p_before jsonb DEFAULT NULL::jsonb, p_after jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.write_audit(p_actor text, p_action text, p_reason text, p_filter jsonb, p_before jsonb, p_after jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.write_direct(p_cursor postrider.claim_cursor, p_waits postrider.claim_cursor, p_worker uuid, p_limit integer, p_taken postrider.taken, p_batch postrider.claim_batch, p_piece postrider.direct_piece, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid, OUT parked integer) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.write_direct(p_cursor postrider.claim_cursor, p_waits postrider.claim_cursor, p_worker uuid, p_limit integer, p_taken postrider.taken, p_batch postrider.claim_batch, p_piece postrider.direct_piece, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid, OUT parked integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.write_lease(p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_to_xid xid8, p_to_seq bigint, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.write_lease(p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_to_xid xid8, p_to_seq bigint, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.write_limit(p_limit postrider.handler_limit, OUT before postrider.handler_limit, OUT result text) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.write_limit(p_limit postrider.handler_limit, OUT before postrider.handler_limit, OUT result text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.write_waiting_lease(p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_taken postrider.taken, p_up_to postrider.waiting_place, p_moved boolean, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid) RETURNS record
    LANGUAGE plpgsql
    AS ...;

ALTER FUNCTION postrider.write_waiting_lease(p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_taken postrider.taken, p_up_to postrider.waiting_place, p_moved boolean, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.written_digits(p_document jsonb) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.written_digits(p_document jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.xmin_holder() RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.xmin_holder() OWNER TO postrider_owner;

CREATE FUNCTION postrider.zone_change(p_time_zone text, p_from timestamp with time zone, p_to timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.zone_change(p_time_zone text, p_from timestamp with time zone, p_to timestamp with time zone) OWNER TO postrider_owner;

CREATE TABLE postrider.access_token (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    sha256 bytea NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    workspace_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_by text NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT access_token_name_check CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9_.@+-]{0,126}$'::text)),
    CONSTRAINT access_token_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text]))),
    CONSTRAINT access_token_sha256_check CHECK ((octet_length(sha256) = 32))
);

ALTER TABLE postrider.access_token OWNER TO postrider_owner;

ALTER TABLE postrider.access_token ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.access_token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postrider.alert (
    id bigint NOT NULL,
    kind text DEFAULT 'dead_letter'::text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    event_id uuid,
    event_type text COLLATE pg_catalog."C",
    source text COLLATE pg_catalog."C",
    target text COLLATE pg_catalog."C",
    handler_name text NOT NULL COLLATE pg_catalog."C",
    last_error text,
    attempts integer,
    consumer text NOT NULL COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    delivery_id bigint,
    cycle integer,
    fingerprint text COLLATE pg_catalog."C",
    error_class text COLLATE pg_catalog."C",
    CONSTRAINT alert_kind_check CHECK ((kind = ANY (ARRAY['dead_letter'::text, 'circuit_opened'::text, 'key_backlog'::text, 'key_released'::text])))
);

ALTER TABLE postrider.alert OWNER TO postrider_owner;

CREATE TABLE postrider.alert_configuration (
    target text NOT NULL COLLATE pg_catalog."C",
    configuration text NOT NULL COLLATE pg_catalog."C",
    introduced_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

ALTER TABLE postrider.alert_configuration OWNER TO postrider_owner;

ALTER TABLE postrider.alert ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.alert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postrider.alert_sending (
    target text NOT NULL COLLATE pg_catalog."C",
    alert_id bigint NOT NULL,
    consumer text NOT NULL COLLATE pg_catalog."C",
    available_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    token uuid,
    last_error text
)
WITH (fillfactor='70');

ALTER TABLE postrider.alert_sending OWNER TO postrider_owner;

CREATE TABLE postrider.alert_target (
    name text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    owner text DEFAULT SESSION_USER NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT alert_target_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 127)))
);

ALTER TABLE postrider.alert_target OWNER TO postrider_owner;

CREATE VIEW postrider.alerts AS
 SELECT a.id AS alert_id,
    a.kind,
    a.at,
    a.event_id,
    a.event_type,
    a.source,
    a.target,
    a.handler_name,
    a.last_error,
    a.attempts,
    a.consumer,
    a.channel,
    a.delivery_id,
    a.cycle,
    a.fingerprint,
    a.error_class,
    ARRAY( SELECT s.target
           FROM postrider.alert_sending s
          WHERE (s.alert_id = a.id)
          ORDER BY s.target) AS unsent
   FROM postrider.alert a;

ALTER TABLE postrider.alerts OWNER TO postrider_owner;

CREATE VIEW postrider.attempts AS
 SELECT d.id AS delivery_id,
    d.message_id AS id,
    d.workspace_id,
    c.name AS consumer,
    c.channel,
    d.handler,
    a.cycle,
    a.attempt,
    a.at,
    a.outcome,
    a.error_class,
    a.error,
    a.duration_ms,
    a.worker
   FROM ((postrider.delivery d
     JOIN postrider.consumer c ON ((c.id = d.consumer_id)))
     CROSS JOIN LATERAL jsonb_to_recordset(d.attempt_history) a(cycle integer, attempt integer, at timestamp with time zone, outcome text, error_class text, error text, duration_ms double precision, worker uuid));

ALTER TABLE postrider.attempts OWNER TO postrider_owner;

CREATE TABLE postrider.audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    actor text NOT NULL,
    role text DEFAULT SESSION_USER NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL,
    filter jsonb,
    before jsonb,
    after jsonb
);

ALTER TABLE postrider.audit OWNER TO postrider_owner;

ALTER TABLE postrider.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW postrider.audits AS
 SELECT a.id AS audit,
    a.at,
    a.actor,
    a.role,
    a.action,
    a.reason,
    a.filter,
    a.before,
    a.after
   FROM postrider.audit a;

ALTER TABLE postrider.audits OWNER TO postrider_owner;

CREATE TABLE postrider.consumer_owner (
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE postrider.consumer_owner OWNER TO postrider_owner;

CREATE TABLE postrider.dead_letter_sum (
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    fingerprint text COLLATE pg_catalog."C",
    event_type text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
);

ALTER TABLE ONLY postrider.dead_letter_sum REPLICA IDENTITY FULL;

ALTER TABLE postrider.dead_letter_sum OWNER TO postrider_owner;

CREATE TABLE postrider.dead_letter_tally (
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    fingerprint text COLLATE pg_catalog."C",
    change bigint NOT NULL,
    event_type text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE ONLY postrider.dead_letter_tally REPLICA IDENTITY FULL;

ALTER TABLE postrider.dead_letter_tally OWNER TO postrider_owner;

CREATE VIEW postrider.dead_letter_counts AS
 SELECT s.consumer_id,
    s.handler,
    s.fingerprint,
    s.event_type,
    s.count
   FROM postrider.dead_letter_sum s
UNION ALL
 SELECT t.consumer_id,
    t.handler,
    t.fingerprint,
    t.event_type,
    t.change AS count
   FROM postrider.dead_letter_tally t;

ALTER TABLE postrider.dead_letter_counts OWNER TO postrider_owner;

CREATE TABLE postrider.worker (
    id uuid NOT NULL,
    consumer_id integer NOT NULL,
    handlers text[] NOT NULL COLLATE pg_catalog."C",
    generation bigint,
    host text DEFAULT ''::text NOT NULL,
    version text DEFAULT ''::text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    alive_for interval NOT NULL,
    alive_until timestamp with time zone NOT NULL,
    login text,
    changed_handlers text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    cancelled uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    threads integer
)
WITH (fillfactor='50');

ALTER TABLE postrider.worker OWNER TO postrider_owner;

CREATE VIEW postrider.consumers AS
 SELECT c.name AS consumer,
    c.channel,
    c.paused,
    COALESCE((c.held_handlers @> c.handlers), false) AS held,
    array_remove(c.held_handlers, ''::text) AS held_handlers,
    c.lease_deadline,
    c.created_at,
    ( SELECT count(*) AS count
           FROM postrider.handler h
          WHERE ((h.consumer_id = c.id) AND (h.retired_at IS NULL))) AS handlers,
    ( SELECT count(*) AS count
           FROM postrider.worker w
          WHERE ((w.consumer_id = c.id) AND (w.alive_until > clock_timestamp()))) AS workers,
    ( SELECT count(*) AS count
           FROM postrider.open_leases l
          WHERE (l.consumer_id = c.id)) AS open_leases,
    ( SELECT COALESCE(sum(cardinality(l.members)), (0)::bigint) AS "coalesce"
           FROM postrider.open_leases l
          WHERE (l.consumer_id = c.id)) AS leased,
    ((( SELECT count(*) AS count
           FROM postrider.delivery d
          WHERE ((d.consumer_id = c.id) AND (d.status = 'pending'::text))) + COALESCE(waiting.count, (0)::bigint)) + COALESCE(behind.count, (0)::bigint)) AS pending,
    (COALESCE(dead.count, (0)::numeric))::bigint AS failed,
    ( SELECT b.published_at
           FROM ( SELECT m.xid,
                    m.seq,
                    m.published_at,
                    row_number() OVER (ORDER BY m.xid, m.seq) AS n,
                        CASE
                            WHEN (NOT m.ready) THEN false
                            WHEN (m.target IS NULL) THEN (c.all_types OR ((m.event_type)::text = ANY (c.exact_types)) OR ((m.event_type)::text ~~ ANY (c.type_prefixes)))
                            ELSE ((m.target)::text = c.name)
                        END AS accepted
                   FROM (postrider.behind(cur.at) r(from_xid, after_seq, to_xid)
                     CROSS JOIN LATERAL ( SELECT m_1.xid,
                            m_1.seq,
                            m_1.published_at,
                            m_1.target,
                            m_1.event_type,
                            (((m_1.priority)::smallint = 0) AND (m_1.available_at IS NULL)) AS ready
                           FROM postrider.message m_1
                          WHERE (((m_1.channel)::text = c.channel) AND (ROW(m_1.xid, m_1.seq) > ROW(r.from_xid, r.after_seq)) AND (m_1.xid <= COALESCE(r.to_xid, '18446744073709551615'::xid8)) AND (m_1.published_at >= (cur.floor_at - '01:00:00'::interval)))
                          ORDER BY m_1.xid, m_1.seq
                         OFFSET 0
                         LIMIT 1001) m)
                  ORDER BY m.xid, m.seq
                 LIMIT 1001) b
          WHERE (b.accepted OR (b.n > 1000))
          ORDER BY b.xid, b.seq
         LIMIT 1) AS behind_since,
    ( SELECT o.role
           FROM postrider.consumer_owner o
          WHERE (o.name = c.name)) AS owner,
    pausing.actor AS paused_by,
    pausing.reason AS paused_reason,
    pausing.at AS paused_at,
    postrider.ordering_shown(c.ordered, c.hold_for) AS ordering
   FROM (((((postrider.consumer c
     LEFT JOIN ( SELECT t.consumer_id,
            sum(t.count) AS count
           FROM postrider.dead_letter_counts t
          GROUP BY t.consumer_id) dead ON ((dead.consumer_id = c.id)))
     LEFT JOIN ( SELECT abs(w.consumer_id) AS consumer_id,
            count(*) AS count
           FROM postrider.waiting w
          GROUP BY (abs(w.consumer_id))) waiting ON ((waiting.consumer_id = c.id)))
     LEFT JOIN ( SELECT f.consumer_id,
            count(*) AS count
           FROM postrider.follower f
          GROUP BY f.consumer_id) behind ON ((behind.consumer_id = c.id)))
     LEFT JOIN LATERAL ( SELECT ROW(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider."position" AS at,
            l.floor_at
           FROM postrider.lease l
          WHERE (l.consumer_id = c.id)
          ORDER BY l.id DESC
         LIMIT 1) cur ON (true))
     LEFT JOIN LATERAL ( SELECT a.actor,
            a.reason,
            a.at
           FROM postrider.audit a
          WHERE (c.paused AND (a.action = 'pause_consumer'::text) AND (a.filter = jsonb_build_object('consumer', c.name, 'channel', c.channel)))
          ORDER BY a.at DESC
         LIMIT 1) pausing ON (true));

ALTER TABLE postrider.consumers OWNER TO postrider_owner;

CREATE VIEW postrider.handlers AS
 SELECT c.name AS consumer,
    c.channel,
    h.name AS handler,
    h.event_types,
    h.retry,
    (h.max_attempts)::integer AS max_attempts,
    (h.max_crashes)::integer AS max_crashes,
    h.classes,
    h.honour_terminal,
    h.circuit,
    COALESCE(k.state, 'closed'::text) AS circuit_state,
    COALESCE(k.mode, 'automatic'::text) AS circuit_mode,
    COALESCE(k.failures, 0) AS failures_in_a_row,
    COALESCE(k.openings, 0) AS circuit_openings,
    k.opened_at,
    k.probe_at,
    COALESCE(k.allowed, 0) AS probes_allowed,
    cardinality(COALESCE(k.probes, '{}'::bigint[])) AS probes_running,
    k.error_class AS circuit_error_class,
    k.last_error AS circuit_error,
    h.registered_at,
    COALESCE(running.count, (0)::bigint) AS workers,
    waiting.count AS pending,
    (COALESCE(dead.count, (0)::numeric))::bigint AS failed,
    waiting.next_due_at,
    chosen.actor AS mode_by,
    chosen.reason AS mode_reason
   FROM ((((((postrider.handler h
     JOIN postrider.consumer c ON ((c.id = h.consumer_id)))
     LEFT JOIN ( SELECT w.consumer_id,
            n.handler,
            (sum(w.count))::bigint AS count
           FROM (( SELECT o.consumer_id,
                    o.handlers,
                    count(*) AS count
                   FROM postrider.worker o
                  WHERE (o.alive_until > clock_timestamp())
                  GROUP BY o.consumer_id, o.handlers) w
             CROSS JOIN LATERAL ( SELECT DISTINCT h_1.h AS handler
                   FROM unnest(w.handlers) h_1(h)) n)
          GROUP BY w.consumer_id, n.handler) running ON (((running.consumer_id = h.consumer_id) AND (running.handler = h.name))))
     LEFT JOIN ( SELECT t.consumer_id,
            t.handler,
            sum(t.count) AS count
           FROM postrider.dead_letter_counts t
          GROUP BY t.consumer_id, t.handler) dead ON (((dead.consumer_id = h.consumer_id) AND (dead.handler = h.name))))
     LEFT JOIN postrider.circuit k ON (((k.consumer_id = h.consumer_id) AND (k.handler = h.name))))
     LEFT JOIN LATERAL ( SELECT count(*) AS count,
            min(d.available_at) AS next_due_at
           FROM postrider.delivery d
          WHERE ((d.consumer_id = h.consumer_id) AND (d.handler = h.name) AND (d.status = 'pending'::text))) waiting ON (true))
     LEFT JOIN LATERAL ( SELECT a.actor,
            a.reason
           FROM postrider.audit a
          WHERE ((k.mode <> 'automatic'::text) AND (a.action = ANY (ARRAY['hold_handler'::text, 'force_handler'::text])) AND (a.filter = jsonb_build_object('consumer', c.name, 'channel', c.channel, 'handler', h.name)))
          ORDER BY a.at DESC
         LIMIT 1) chosen ON (true))
  WHERE (h.retired_at IS NULL);

ALTER TABLE postrider.handlers OWNER TO postrider_owner;

CREATE VIEW postrider.brokers AS
 WITH own AS MATERIALIZED (
         SELECT c.name AS consumer,
            c.channel,
            b_1.name AS handler,
            b_1.broker
           FROM (postrider.handler b_1
             JOIN postrider.consumer c ON ((c.id = b_1.consumer_id)))
          WHERE ((b_1.broker IS NOT NULL) AND (b_1.retired_at IS NULL))
        ), behind AS MATERIALIZED (
         SELECT n_1.consumer,
            n_1.channel,
            n_1.behind_since
           FROM postrider.consumers n_1
          WHERE ((n_1.consumer, n_1.channel) IN ( SELECT o.consumer,
                    o.channel
                   FROM own o))
        ), shown AS MATERIALIZED (
         SELECT h_1.consumer,
            h_1.channel,
            h_1.handler,
            h_1.event_types,
            h_1.retry,
            h_1.max_attempts,
            h_1.max_crashes,
            h_1.classes,
            h_1.honour_terminal,
            h_1.circuit,
            h_1.circuit_state,
            h_1.circuit_mode,
            h_1.failures_in_a_row,
            h_1.circuit_openings,
            h_1.opened_at,
            h_1.probe_at,
            h_1.probes_allowed,
            h_1.probes_running,
            h_1.circuit_error_class,
            h_1.circuit_error,
            h_1.registered_at,
            h_1.workers,
            h_1.pending,
            h_1.failed,
            h_1.next_due_at,
            h_1.mode_by,
            h_1.mode_reason
           FROM postrider.handlers h_1
          WHERE ((h_1.consumer, h_1.channel) IN ( SELECT o.consumer,
                    o.channel
                   FROM own o))
        )
 SELECT h.consumer,
    h.channel,
    h.handler,
    (b.broker ->> 'direction'::text) AS direction,
    (b.broker ->> 'address'::text) AS address,
    (b.broker ->> 'name'::text) AS name,
    h.event_types,
    h.workers,
    n.behind_since,
    h.pending,
    h.failed,
    h.circuit_state,
    h.circuit_mode,
    h.opened_at,
    h.probe_at,
        CASE
            WHEN (h.circuit_state <> 'closed'::text) THEN h.circuit_error_class
            ELSE NULL::text
        END AS error_class,
        CASE
            WHEN (h.circuit_state <> 'closed'::text) THEN h.circuit_error
            ELSE NULL::text
        END AS last_error
   FROM ((own b
     JOIN shown h USING (consumer, channel, handler))
     JOIN behind n USING (consumer, channel));

ALTER TABLE postrider.brokers OWNER TO postrider_owner;

CREATE SEQUENCE postrider.cancelled_job_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE postrider.cancelled_job_seq OWNER TO postrider_owner;

CREATE TABLE postrider.channel (
    name text NOT NULL COLLATE pg_catalog."C",
    wake text DEFAULT 'doorbell'::text NOT NULL,
    CONSTRAINT channel_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 63))),
    CONSTRAINT channel_wake_check CHECK ((wake = ANY (ARRAY['doorbell'::text, 'always'::text, 'never'::text])))
);

ALTER TABLE postrider.channel OWNER TO postrider_owner;

CREATE VIEW postrider.channel_names AS
 SELECT c.name
   FROM postrider.channel c
UNION
 SELECT o.channel AS name
   FROM postrider.consumer o;

ALTER TABLE postrider.channel_names OWNER TO postrider_owner;

CREATE VIEW postrider.channels AS
 WITH RECURSIVE logged(name) AS (
        ( SELECT m.channel
           FROM postrider.message m
          ORDER BY m.channel
         LIMIT 1)
        UNION ALL
         SELECT ( SELECT m.channel
                   FROM postrider.message m
                  WHERE ((m.channel)::text > (l.name)::text)
                  ORDER BY m.channel
                 LIMIT 1) AS channel
           FROM logged l
          WHERE (l.name IS NOT NULL)
        )
 SELECT n.name AS channel,
    COALESCE(k.wake, 'doorbell'::text) AS wake,
    ("substring"(n.name, '^outbox_gen_([0-9]{1,18})$'::text))::bigint AS generation,
    (EXISTS ( SELECT
           FROM logged l
          WHERE ((l.name)::text = n.name))) AS has_messages,
    ( SELECT count(*) AS count
           FROM postrider.consumer c
          WHERE (c.channel = n.name)) AS consumers,
    ( SELECT count(*) AS count
           FROM (postrider.worker w
             JOIN postrider.consumer c ON ((c.id = w.consumer_id)))
          WHERE ((c.channel = n.name) AND (w.alive_until > clock_timestamp()))) AS workers
   FROM (( SELECT l.name
           FROM logged l
          WHERE (l.name IS NOT NULL)
        UNION
         SELECT c.name
           FROM postrider.channel_names c) n
     LEFT JOIN postrider.channel k ON ((k.name = n.name)));

ALTER TABLE postrider.channels OWNER TO postrider_owner;

ALTER TABLE postrider.consumer ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.consumer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW postrider.dead_letter_groups AS
 SELECT c.name AS consumer,
    c.channel,
    g.handler,
    g.fingerprint,
    s.error_class,
    (g.count)::bigint AS count,
    s.event_type,
    f.dead_at AS first_seen,
    s.dead_at AS last_seen,
    s.id AS sample_delivery_id,
    s.message_id AS sample_id,
    s.last_error AS sample_error
   FROM (((( SELECT t.consumer_id,
            t.handler,
            t.fingerprint,
            sum(t.count) AS count
           FROM postrider.dead_letter_counts t
          GROUP BY t.consumer_id, t.handler, t.fingerprint
         HAVING (sum(t.count) > (0)::numeric)) g
     JOIN postrider.consumer c ON ((c.id = g.consumer_id)))
     CROSS JOIN LATERAL ( SELECT d.id,
            d.message_id,
            d.error_class,
            d.event_type,
            d.last_error,
            d.dead_at
           FROM postrider.delivery d
          WHERE ((d.status = 'failed'::text) AND (d.deleted_at IS NULL) AND (d.fingerprint = g.fingerprint) AND (d.consumer_id = g.consumer_id) AND (d.handler = g.handler))
          ORDER BY d.dead_at DESC, d.id
         LIMIT 1) s)
     CROSS JOIN LATERAL ( SELECT d.dead_at
           FROM postrider.delivery d
          WHERE ((d.status = 'failed'::text) AND (d.deleted_at IS NULL) AND (d.fingerprint = g.fingerprint) AND (d.consumer_id = g.consumer_id) AND (d.handler = g.handler))
          ORDER BY d.dead_at, d.id DESC
         LIMIT 1) f);

ALTER TABLE postrider.dead_letter_groups OWNER TO postrider_owner;

ALTER TABLE postrider.delivery ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postrider.deployment (
    name text NOT NULL COLLATE pg_catalog."C",
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    port integer,
    data_directory text,
    timeline text,
    CONSTRAINT deployment_name_check CHECK ((name ~ '^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,62}$'::text))
);

ALTER TABLE ONLY postrider.deployment REPLICA IDENTITY FULL;

ALTER TABLE postrider.deployment OWNER TO postrider_owner;

CREATE TABLE postrider.epoch (
    system_identifier bigint NOT NULL,
    first_seq bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    rebased_at timestamp with time zone
);

ALTER TABLE postrider.epoch OWNER TO postrider_owner;

CREATE VIEW postrider.epochs AS
 SELECT e.system_identifier,
    e.first_seq,
    e.started_at,
    e.rebased_at
   FROM postrider.epoch e;

ALTER TABLE postrider.epochs OWNER TO postrider_owner;

CREATE TABLE postrider.event_handled (
    consumer_name text NOT NULL COLLATE pg_catalog."C",
    handler_name text NOT NULL COLLATE pg_catalog."C",
    source text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    handled_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE postrider.event_handled OWNER TO postrider_owner;

CREATE TABLE postrider.function_set (
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY postrider.function_set REPLICA IDENTITY FULL;

ALTER TABLE postrider.function_set OWNER TO postrider_owner;

CREATE MATERIALIZED VIEW postrider.incarnation AS
 SELECT gen_random_uuid() AS id
  WITH NO DATA;

ALTER TABLE postrider.incarnation OWNER TO postrider_owner;

CREATE TABLE postrider.job_progress (
    message_id uuid NOT NULL,
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    fraction real,
    text text,
    result json,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT job_progress_fraction_check CHECK (((fraction >= (0)::double precision) AND (fraction <= (1)::double precision))),
    CONSTRAINT job_progress_result_check CHECK ((octet_length((result)::text) <= 16384)),
    CONSTRAINT job_progress_text_check CHECK ((octet_length(text) <= 1000))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.job_progress OWNER TO postrider_owner;

CREATE TABLE postrider.job_set (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    message jsonb NOT NULL,
    dead text NOT NULL COLLATE pg_catalog."C",
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_by text DEFAULT SESSION_USER NOT NULL,
    ended bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    completed_at timestamp with time zone,
    message_id uuid,
    problem text,
    CONSTRAINT job_set_dead_check CHECK ((dead = ANY (ARRAY['ends'::text, 'blocks'::text]))),
    CONSTRAINT job_set_name_check CHECK ((name ~ '^[a-zA-Z0-9_][a-zA-Z0-9_.:-]{0,126}$'::text))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.job_set OWNER TO postrider_owner;

ALTER TABLE postrider.job_set ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.job_set_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postrider.set_member (
    seq bigint NOT NULL,
    set_id bigint NOT NULL,
    consumer_id integer NOT NULL,
    message_id uuid NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.set_member OWNER TO postrider_owner;

CREATE VIEW postrider.job_sets AS
 SELECT s.id AS set_id,
    s.name,
    s.dead,
    s.created_at,
    s.created_by,
    ( SELECT count(*) AS count
           FROM postrider.set_member m
          WHERE (m.set_id = s.id)) AS open,
    s.ended,
    s.failed,
    s.completed_at,
    s.message_id,
    (s.message ->> 'event_type'::text) AS event_type,
    (s.message ->> 'target'::text) AS target,
    s.problem,
    s.message
   FROM postrider.job_set s;

ALTER TABLE postrider.job_sets OWNER TO postrider_owner;

ALTER TABLE postrider.lease ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.lease_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW postrider.leases AS
 SELECT 'lease'::text AS kind,
    c.name AS consumer,
    c.channel,
    l.id,
    NULL::text AS handler,
    cardinality(l.members) AS messages,
    l.worker_id AS worker,
    w.host,
    l.claimed_at,
    l.deadline,
    (l.deadline < clock_timestamp()) AS overdue,
    COALESCE((w.alive_until > clock_timestamp()), false) AS worker_alive
   FROM ((postrider.open_leases l
     JOIN postrider.consumer c ON ((c.id = l.consumer_id)))
     LEFT JOIN postrider.worker w ON ((w.id = l.worker_id)))
UNION ALL
 SELECT 'delivery'::text AS kind,
    c.name AS consumer,
    c.channel,
    d.id,
    d.handler,
    1 AS messages,
    d.worker_id AS worker,
    w.host,
    d.claimed_at,
    d.deadline,
    (d.deadline < clock_timestamp()) AS overdue,
    COALESCE((w.alive_until > clock_timestamp()), false) AS worker_alive
   FROM ((postrider.delivery d
     JOIN postrider.consumer c ON ((c.id = d.consumer_id)))
     LEFT JOIN postrider.worker w ON ((w.id = d.worker_id)))
  WHERE (d.status = 'in_flight'::text);

ALTER TABLE postrider.leases OWNER TO postrider_owner;

CREATE TABLE postrider.limit_bucket (
    consumer_id integer NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    paid_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.limit_bucket OWNER TO postrider_owner;

CREATE VIEW postrider.limits AS
 SELECT c.name AS consumer,
    c.channel,
    l.handler,
    postrider.limit_json(l.definition) AS definition,
    COALESCE((l.handler = ANY (c.limited_handlers)), false) AS binds,
    l.running,
    t.throttled,
    t.throttled_since,
    l.set_at,
    l.set_by,
    l.declared,
    t.keys
   FROM ((postrider.consumer c
     CROSS JOIN LATERAL ( SELECT l_1.*::postrider.handler_limit AS definition,
            l_1.handler,
            l_1.key,
            l_1.set_at,
            l_1.set_by,
            l_1.declared,
            r.running
           FROM (postrider.limit_running(c.id) r(handler, running)
             JOIN postrider.handler_limit l_1 ON (((l_1.consumer_id = c.id) AND (l_1.handler = r.handler))))
         OFFSET 0) l)
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(k.throttled), (0)::numeric))::bigint AS throttled,
            min(k.since) AS throttled_since,
            COALESCE(jsonb_agg(jsonb_build_object('key', k.key, 'throttled', k.throttled, 'since', k.since) ORDER BY k.n) FILTER (WHERE ((k.n <= 10) AND (l.key IS NOT NULL))), '[]'::jsonb) AS keys
           FROM ( SELECT substr(w.limit_key, (length(l.handler) + 2)) AS key,
                    count(*) AS throttled,
                    min(w.published_at) AS since,
                    row_number() OVER (ORDER BY (count(*)) DESC, w.limit_key) AS n
                   FROM postrider.waiting w
                  WHERE ((w.consumer_id = (- c.id)) AND (w.limit_key >= (l.handler || ' '::text)) AND (w.limit_key < (l.handler || '!'::text)))
                  GROUP BY w.limit_key) k) t);

ALTER TABLE postrider.limits OWNER TO postrider_owner;

CREATE TABLE postrider.lookahead (
    consumer_id integer NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    xid xid8 NOT NULL,
    seq bigint NOT NULL,
    lowest bigint NOT NULL
);

ALTER TABLE postrider.lookahead OWNER TO postrider_owner;

ALTER TABLE postrider.message ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.message_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postrider.message_tail (
    seq bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    published_at timestamp with time zone DEFAULT postrider.insertion_time() NOT NULL,
    id uuid DEFAULT postrider.uuid_v7() NOT NULL,
    channel postrider.doorbell DEFAULT 'outbox_default'::text NOT NULL,
    event_type postrider.event_type NOT NULL,
    event_version integer DEFAULT 1 NOT NULL,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    source postrider.source DEFAULT ''::text NOT NULL,
    target postrider.target,
    content_class postrider.content_class,
    generation bigint,
    workspace_id uuid,
    payload postrider.payload DEFAULT '{}'::json NOT NULL,
    headers postrider.headers,
    metadata postrider.metadata,
    idempotency_key postrider.idempotency_key,
    ordering_key postrider.ordering_key,
    partition_key postrider.partition_key,
    trace_context postrider.trace_context,
    available_at timestamp with time zone,
    priority postrider.priority DEFAULT 0 NOT NULL,
    max_attempts postrider.max_attempts,
    unique_key text COLLATE pg_catalog."C",
    unique_scope text COLLATE pg_catalog."C",
    set_id bigint
);

ALTER TABLE postrider.message_tail OWNER TO postrider_owner;

CREATE TABLE postrider.migration (
    version integer NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    breaking boolean DEFAULT false NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    applied_by text DEFAULT SESSION_USER NOT NULL
);

ALTER TABLE postrider.migration OWNER TO postrider_owner;

CREATE VIEW postrider.outbox AS
 SELECT u.id,
    u.channel,
    u.event_type,
    u.event_version,
    u.occurred_at,
    u.source,
    u.target,
    u.content_class,
    u.generation,
    u.workspace_id,
    postrider.readable(u.payload) AS payload,
    postrider.readable(u.headers) AS headers,
    u.metadata,
    u.idempotency_key,
    u.ordering_key,
    u.partition_key,
    u.trace_context,
    u.priority,
    u.seq,
    u.published_at,
    u.consumer,
    u.handler,
    u.status,
    u.attempts,
    u.attempts_total,
    u.failures,
    u.crashes,
    u.interruptions,
    u.cycle,
    u.max_attempts,
    u.available_at,
    u.claimed_at,
    u.worker_id,
    u.deadline,
    u.first_failed_at,
    u.last_error,
    u.error_class,
    u.fingerprint,
    u.failure_history,
    u.dead_at,
    u.delivered_at,
    u.deleted_at,
    u.delivery_id,
    u.xid
   FROM ( SELECT m.id,
            (m.channel)::text AS channel,
            (m.event_type)::text AS event_type,
            m.event_version,
            m.occurred_at,
            (m.source)::text AS source,
            (m.target)::text AS target,
            (m.content_class)::text AS content_class,
            m.generation,
            m.workspace_id,
            (m.payload)::json AS payload,
            (m.headers)::json AS headers,
            (m.metadata)::jsonb AS metadata,
            COALESCE((m.idempotency_key)::text, (m.id)::text) AS idempotency_key,
            (m.ordering_key)::text AS ordering_key,
            (m.partition_key)::text AS partition_key,
            (m.trace_context)::text AS trace_context,
            (m.priority)::integer AS priority,
            m.seq,
            m.published_at,
            m.consumer,
            m.handler,
            m.status,
            ((m.status <> 'pending'::text))::integer AS attempts,
            ((m.status <> 'pending'::text))::integer AS attempts_total,
            0 AS failures,
            0 AS crashes,
            0 AS interruptions,
            1 AS cycle,
            (COALESCE((m.max_attempts)::smallint, m.handler_attempts))::integer AS max_attempts,
            COALESCE(m.available_at, m.published_at) AS available_at,
            m.claimed_at,
            m.worker_id,
            m.deadline,
            NULL::timestamp with time zone AS first_failed_at,
            NULL::text AS last_error,
            NULL::text AS error_class,
            NULL::text AS fingerprint,
            '[]'::jsonb AS failure_history,
            NULL::timestamp with time zone AS dead_at,
            NULL::timestamp with time zone AS delivered_at,
            NULL::timestamp with time zone AS deleted_at,
            NULL::bigint AS delivery_id,
            m.xid
           FROM ( SELECT m_1.seq,
                    m_1.xid,
                    m_1.published_at,
                    m_1.id,
                    m_1.channel,
                    m_1.event_type,
                    m_1.event_version,
                    m_1.occurred_at,
                    m_1.source,
                    m_1.target,
                    m_1.content_class,
                    m_1.generation,
                    m_1.workspace_id,
                    m_1.payload,
                    m_1.headers,
                    m_1.metadata,
                    m_1.idempotency_key,
                    m_1.ordering_key,
                    m_1.partition_key,
                    m_1.trace_context,
                    m_1.available_at,
                    m_1.priority,
                    m_1.max_attempts,
                    m_1.unique_key,
                    m_1.unique_scope,
                    m_1.set_id,
                    c.name AS consumer,
                    h.name AS handler,
                    h.max_attempts AS handler_attempts,
                    'pending'::text AS status,
                    NULL::timestamp with time zone AS claimed_at,
                    NULL::uuid AS worker_id,
                    NULL::timestamp with time zone AS deadline
                   FROM ((((postrider.consumer c
                     CROSS JOIN LATERAL ( VALUES (c.id,false), ((- c.id),true)) s(stream, waits))
                     CROSS JOIN LATERAL ( SELECT ROW(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider."position" AS at
                           FROM postrider.lease l
                          WHERE (l.consumer_id = s.stream)
                          ORDER BY l.id DESC
                         LIMIT 1) cur)
                     JOIN postrider.message m_1 ON ((((m_1.channel)::text = c.channel) AND (m_1.xid >= pg_snapshot_xmin((cur.at).done)) AND ((((m_1.priority)::smallint <> 0) OR (m_1.available_at IS NOT NULL)) = s.waits))))
                     LEFT JOIN postrider.handler h ON (((h.consumer_id = c.id) AND (h.retired_at IS NULL) AND postrider.matches((m_1.event_type)::text, h.event_types))))
                  WHERE ((NOT postrider.covers(cur.at, m_1.xid, m_1.seq)) AND (m_1.seq <> ALL (COALESCE(c.cancelled, '{}'::bigint[]))) AND ((m_1.target IS NULL) OR ((m_1.target)::text = c.name)) AND ((h.name IS NOT NULL) OR (m_1.target IS NOT NULL)))
                UNION ALL
                 SELECT m_1.seq,
                    m_1.xid,
                    m_1.published_at,
                    m_1.id,
                    m_1.channel,
                    m_1.event_type,
                    m_1.event_version,
                    m_1.occurred_at,
                    m_1.source,
                    m_1.target,
                    m_1.content_class,
                    m_1.generation,
                    m_1.workspace_id,
                    m_1.payload,
                    m_1.headers,
                    m_1.metadata,
                    m_1.idempotency_key,
                    m_1.ordering_key,
                    m_1.partition_key,
                    m_1.trace_context,
                    m_1.available_at,
                    m_1.priority,
                    m_1.max_attempts,
                    m_1.unique_key,
                    m_1.unique_scope,
                    m_1.set_id,
                    c.name,
                    h.name,
                    h.max_attempts,
                    'pending'::text,
                    NULL::timestamp with time zone,
                    NULL::uuid,
                    NULL::timestamp with time zone
                   FROM (((( SELECT w_1.consumer_id,
                            w_1.xid,
                            w_1.seq,
                            w_1.published_at
                           FROM postrider.waiting w_1
                        UNION ALL
                         SELECT f.consumer_id,
                            f.xid,
                            f.seq,
                            f.published_at
                           FROM postrider.follower f) w
                     JOIN postrider.consumer c ON ((c.id = abs(w.consumer_id))))
                     JOIN postrider.message m_1 ON ((((m_1.channel)::text = c.channel) AND (m_1.xid = w.xid) AND (m_1.seq = w.seq) AND (m_1.published_at = w.published_at))))
                     LEFT JOIN postrider.handler h ON (((h.consumer_id = c.id) AND (h.retired_at IS NULL) AND postrider.matches((m_1.event_type)::text, h.event_types))))
                UNION ALL
                 SELECT m_1.seq,
                    m_1.xid,
                    m_1.published_at,
                    m_1.id,
                    m_1.channel,
                    m_1.event_type,
                    m_1.event_version,
                    m_1.occurred_at,
                    m_1.source,
                    m_1.target,
                    m_1.content_class,
                    m_1.generation,
                    m_1.workspace_id,
                    m_1.payload,
                    m_1.headers,
                    m_1.metadata,
                    m_1.idempotency_key,
                    m_1.ordering_key,
                    m_1.partition_key,
                    m_1.trace_context,
                    m_1.available_at,
                    m_1.priority,
                    m_1.max_attempts,
                    m_1.unique_key,
                    m_1.unique_scope,
                    m_1.set_id,
                    c.name,
                    h.name,
                    h.max_attempts,
                    'in_flight'::text,
                    l.claimed_at,
                    l.worker_id,
                    l.deadline
                   FROM ((((postrider.lease l
                     JOIN postrider.consumer c ON ((c.id = abs(l.consumer_id))))
                     CROSS JOIN LATERAL ( SELECT min(s.s) AS low,
                            max(s.s) AS high
                           FROM unnest(l.members) s(s)) bounds)
                     CROSS JOIN LATERAL ( SELECT m_2.seq,
                            m_2.xid,
                            m_2.published_at,
                            m_2.id,
                            m_2.channel,
                            m_2.event_type,
                            m_2.event_version,
                            m_2.occurred_at,
                            m_2.source,
                            m_2.target,
                            m_2.content_class,
                            m_2.generation,
                            m_2.workspace_id,
                            m_2.payload,
                            m_2.headers,
                            m_2.metadata,
                            m_2.idempotency_key,
                            m_2.ordering_key,
                            m_2.partition_key,
                            m_2.trace_context,
                            m_2.available_at,
                            m_2.priority,
                            m_2.max_attempts,
                            m_2.unique_key,
                            m_2.unique_scope,
                            m_2.set_id
                           FROM (UNNEST((l.taken).xids, (l.taken).seqs) t(xid, seq)
                             JOIN postrider.message m_2 ON ((((m_2.channel)::text = c.channel) AND (m_2.xid = t.xid) AND (m_2.seq = t.seq) AND ((m_2.published_at >= (l.taken).from_at) AND (m_2.published_at <= (l.taken).to_at)))))
                        UNION ALL
                         SELECT m_2.seq,
                            m_2.xid,
                            m_2.published_at,
                            m_2.id,
                            m_2.channel,
                            m_2.event_type,
                            m_2.event_version,
                            m_2.occurred_at,
                            m_2.source,
                            m_2.target,
                            m_2.content_class,
                            m_2.generation,
                            m_2.workspace_id,
                            m_2.payload,
                            m_2.headers,
                            m_2.metadata,
                            m_2.idempotency_key,
                            m_2.ordering_key,
                            m_2.partition_key,
                            m_2.trace_context,
                            m_2.available_at,
                            m_2.priority,
                            m_2.max_attempts,
                            m_2.unique_key,
                            m_2.unique_scope,
                            m_2.set_id
                           FROM (pg_snapshot_xip(l.done_snapshot) x(x)
                             JOIN postrider.message m_2 ON ((((m_2.channel)::text = c.channel) AND (m_2.xid = x.x))))
                          WHERE ((l.consumer_id > 0) AND (l.to_xid < pg_snapshot_xmax(l.done_snapshot)) AND ((x.x >= l.from_xid) AND (x.x <= l.to_xid)))
                        UNION ALL
                         SELECT m_2.seq,
                            m_2.xid,
                            m_2.published_at,
                            m_2.id,
                            m_2.channel,
                            m_2.event_type,
                            m_2.event_version,
                            m_2.occurred_at,
                            m_2.source,
                            m_2.target,
                            m_2.content_class,
                            m_2.generation,
                            m_2.workspace_id,
                            m_2.payload,
                            m_2.headers,
                            m_2.metadata,
                            m_2.idempotency_key,
                            m_2.ordering_key,
                            m_2.partition_key,
                            m_2.trace_context,
                            m_2.available_at,
                            m_2.priority,
                            m_2.max_attempts,
                            m_2.unique_key,
                            m_2.unique_scope,
                            m_2.set_id
                           FROM postrider.message m_2
                          WHERE ((l.consumer_id > 0) AND ((m_2.channel)::text = c.channel) AND (l.to_xid >= pg_snapshot_xmax(l.done_snapshot)) AND (m_2.xid >= GREATEST(l.from_xid, pg_snapshot_xmax(l.done_snapshot))) AND (m_2.xid <= l.to_xid) AND ((m_2.seq >= bounds.low) AND (m_2.seq <= bounds.high)))) m_1)
                     JOIN postrider.handler h ON (((h.consumer_id = c.id) AND postrider.matches((m_1.event_type)::text, h.event_types))))
                  WHERE ((l.finished_at IS NULL) AND (m_1.seq = ANY (l.members)) AND (((l.consumer_id < 0) AND (h.ends IS NULL)) OR ((l.consumer_id < 0) AND ((l.claimed_at >= h.registered_at) AND (l.claimed_at <= h.retired_at)) AND (NOT (EXISTS ( SELECT
                           FROM postrider.handler n
                          WHERE ((n.consumer_id = c.id) AND (n.name = h.name) AND (n.ends IS NULL) AND postrider.matches((m_1.event_type)::text, n.event_types)))))) OR ((l.consumer_id > 0) AND (NOT postrider.covers(h.starts, m_1.xid, m_1.seq)) AND ((h.ends IS NULL) OR postrider.covers(h.ends, m_1.xid, m_1.seq)))) AND (NOT (EXISTS ( SELECT
                           FROM postrider.delivery d
                          WHERE ((d.seq = m_1.seq) AND ((c.id = d.consumer_id) OR (c.id = d.origin_id)) AND (d.handler = h.name))))))
                UNION ALL
                 SELECT m_1.seq,
                    m_1.xid,
                    m_1.published_at,
                    m_1.id,
                    m_1.channel,
                    m_1.event_type,
                    m_1.event_version,
                    m_1.occurred_at,
                    m_1.source,
                    m_1.target,
                    m_1.content_class,
                    m_1.generation,
                    m_1.workspace_id,
                    m_1.payload,
                    m_1.headers,
                    m_1.metadata,
                    m_1.idempotency_key,
                    m_1.ordering_key,
                    m_1.partition_key,
                    m_1.trace_context,
                    m_1.available_at,
                    m_1.priority,
                    m_1.max_attempts,
                    m_1.unique_key,
                    m_1.unique_scope,
                    m_1.set_id,
                    c.name,
                    h.name,
                    h.max_attempts,
                    'delivered'::text,
                    NULL::timestamp with time zone,
                    NULL::uuid,
                    NULL::timestamp with time zone
                   FROM ((((postrider.consumer c
                     CROSS JOIN LATERAL ( VALUES (c.id,false), ((- c.id),true)) s(stream, waits))
                     CROSS JOIN LATERAL ( SELECT ROW(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider."position" AS at
                           FROM postrider.lease l
                          WHERE (l.consumer_id = s.stream)
                          ORDER BY l.id DESC
                         LIMIT 1) cur)
                     JOIN postrider.handler h ON ((h.consumer_id = c.id)))
                     JOIN postrider.message m_1 ON ((((m_1.channel)::text = c.channel) AND postrider.matches((m_1.event_type)::text, h.event_types) AND ((((m_1.priority)::smallint <> 0) OR (m_1.available_at IS NOT NULL)) = s.waits))))
                  WHERE (postrider.covers(cur.at, m_1.xid, m_1.seq) AND ((m_1.target IS NULL) OR ((m_1.target)::text = c.name)) AND (NOT postrider.covers(h.starts, m_1.xid, m_1.seq)) AND ((h.ends IS NULL) OR postrider.covers(h.ends, m_1.xid, m_1.seq)) AND (NOT (EXISTS ( SELECT
                           FROM postrider.lease l
                          WHERE ((l.consumer_id = ANY (ARRAY[s.stream,
                                CASE
                                    WHEN (c.ordered OR c.limited) THEN (- c.id)
                                    ELSE NULL::integer
                                END])) AND (l.finished_at IS NULL) AND (m_1.seq = ANY (l.members)))))) AND (NOT (EXISTS ( SELECT
                           FROM postrider.follower f
                          WHERE ((f.consumer_id = c.id) AND (f.key = (m_1.ordering_key)::text) AND (f.seq = m_1.seq))))) AND (NOT (EXISTS ( SELECT
                           FROM postrider.waiting w
                          WHERE ((w.consumer_id = ANY (ARRAY[c.id, (- c.id)])) AND (w.priority = (m_1.priority)::smallint) AND (w.due_at = COALESCE(m_1.available_at, m_1.published_at)) AND (w.seq = m_1.seq))))) AND (NOT (EXISTS ( SELECT
                           FROM postrider.delivery d
                          WHERE ((d.seq = m_1.seq) AND ((c.id = d.consumer_id) OR (c.id = d.origin_id)) AND (d.handler = h.name))))))) m
        UNION ALL
         SELECT d.message_id,
            d.channel,
            d.event_type,
            d.event_version,
            d.occurred_at,
            d.source,
            d.target,
            d.content_class,
            d.generation,
            d.workspace_id,
            d.payload,
            d.headers,
            d.metadata,
            d.idempotency_key,
            d.ordering_key,
            d.partition_key,
            d.trace_context,
            (d.priority)::integer AS priority,
            d.seq,
            d.published_at,
            c.name,
            NULLIF(d.handler, ''::text) AS "nullif",
            d.status,
            d.attempts,
            d.attempts_total,
            d.failures,
            d.crashes,
            d.interruptions,
            d.cycle,
            d.max_attempts,
            d.available_at,
            d.claimed_at,
            d.worker_id,
            d.deadline,
            d.first_failed_at,
            d.last_error,
            d.error_class,
            d.fingerprint,
            d.failure_history,
            d.dead_at,
            d.delivered_at,
            d.deleted_at,
            d.id,
            NULL::xid8 AS xid8
           FROM (postrider.delivery d
             JOIN postrider.consumer c ON ((c.id = d.consumer_id)))) u;

ALTER TABLE postrider.outbox OWNER TO postrider_owner;

CREATE TABLE postrider.pgmq_copy (
    delivery_id bigint NOT NULL,
    queue text NOT NULL COLLATE pg_catalog."C",
    msg_id bigint,
    problem text
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.pgmq_copy OWNER TO postrider_owner;

CREATE TABLE postrider.pgmq_pipeline (
    queue text NOT NULL COLLATE pg_catalog."C",
    consumer_id integer NOT NULL,
    diagnostics text NOT NULL,
    defined_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    defined_by text DEFAULT SESSION_USER NOT NULL
);

ALTER TABLE postrider.pgmq_pipeline OWNER TO postrider_owner;

CREATE VIEW postrider.pgmq_pipelines AS
 SELECT p.queue,
    c.name AS consumer,
    p.diagnostics,
    p.defined_at,
    p.defined_by,
    k.copies,
    k.missing,
    k.problem
   FROM ((postrider.pgmq_pipeline p
     JOIN postrider.consumer c ON ((c.id = p.consumer_id)))
     CROSS JOIN LATERAL ( SELECT count(k_1.msg_id) AS copies,
            (count(*) - count(k_1.msg_id)) AS missing,
            (array_agg(k_1.problem ORDER BY k_1.delivery_id DESC) FILTER (WHERE (k_1.msg_id IS NULL)))[1] AS problem
           FROM postrider.pgmq_copy k_1
          WHERE (k_1.queue = p.queue)) k);

ALTER TABLE postrider.pgmq_pipelines OWNER TO postrider_owner;

CREATE VIEW postrider.progress AS
 SELECT p.message_id AS id,
    c.name AS consumer,
    c.channel,
    p.handler,
    p.fraction,
    p.recorded_at,
    p.text,
    p.result
   FROM (postrider.job_progress p
     JOIN postrider.consumer c ON ((c.id = p.consumer_id)));

ALTER TABLE postrider.progress OWNER TO postrider_owner;

ALTER TABLE postrider.replay ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.replay_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postrider.replay_item (
    replay_id bigint NOT NULL,
    delivery_id bigint NOT NULL,
    number integer NOT NULL,
    message_id uuid NOT NULL,
    cycle integer NOT NULL,
    outcome text DEFAULT 'waiting'::text NOT NULL COLLATE pg_catalog."C",
    note text,
    moved_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT replay_item_outcome_check CHECK ((outcome = ANY (ARRAY['waiting'::text, 'moved'::text, 'delivered'::text, 'failed'::text, 'skipped'::text, 'cancelled'::text])))
)
WITH (fillfactor='70');

ALTER TABLE postrider.replay_item OWNER TO postrider_owner;

CREATE VIEW postrider.replay_items AS
 SELECT i.replay_id AS replay,
    i.number,
    i.delivery_id,
    i.message_id AS id,
    i.outcome,
    i.note,
    i.moved_at,
    i.ended_at,
    e.error_class,
    e.last_error
   FROM (postrider.replay_item i
     LEFT JOIN LATERAL ( SELECT
                CASE
                    WHEN (d.cycle = c.cycle) THEN d.error_class
                    ELSE h.error_class
                END AS error_class,
                CASE
                    WHEN (d.cycle = c.cycle) THEN d.last_error
                    ELSE h.last_error
                END AS last_error
           FROM ((postrider.delivery d
             CROSS JOIN LATERAL ( SELECT (i.cycle + ((i.outcome = ANY (ARRAY['moved'::text, 'failed'::text])))::integer) AS cycle) c)
             LEFT JOIN LATERAL ( SELECT x.error_class,
                    x.last_error
                   FROM postrider.cycles(d.failure_history) x(cycle, status, outcome, attempts, crashes, first_failed_at, ended_at, error_class, last_error, replayed_at, replayed_by, replay)
                  WHERE (x.cycle = c.cycle)
                 LIMIT 1) h ON ((d.cycle <> c.cycle)))
          WHERE ((d.id = i.delivery_id) AND (i.outcome <> 'delivered'::text))) e ON (true));

ALTER TABLE postrider.replay_items OWNER TO postrider_owner;

CREATE VIEW postrider.replays AS
 SELECT r.id AS replay,
    r.phase,
    r.actor,
    r.reason,
    r.filter,
    r.generation,
    r.canary,
    r.canary_passed,
    r.rate,
    r.total,
    i.waiting,
    i.moved,
    i.delivered,
    i.failed,
    i.skipped,
    i.cancelled,
    r.started_at,
    r.paused_reason,
    r.ended_at,
    r.approved_by,
    r.approved_at,
    r.expires_at
   FROM (postrider.replay r
     LEFT JOIN LATERAL ( SELECT count(*) FILTER (WHERE (i_1.outcome = 'waiting'::text)) AS waiting,
            count(*) FILTER (WHERE (i_1.outcome = 'moved'::text)) AS moved,
            COALESCE(r.counts[1], count(*) FILTER (WHERE (i_1.outcome = 'delivered'::text))) AS delivered,
            COALESCE(r.counts[2], count(*) FILTER (WHERE (i_1.outcome = 'failed'::text))) AS failed,
            COALESCE(r.counts[3], count(*) FILTER (WHERE (i_1.outcome = 'skipped'::text))) AS skipped,
            COALESCE(r.counts[4], count(*) FILTER (WHERE (i_1.outcome = 'cancelled'::text))) AS cancelled
           FROM postrider.replay_item i_1
          WHERE ((i_1.replay_id = r.id) AND (r.counts IS NULL))) i ON (true));

ALTER TABLE postrider.replays OWNER TO postrider_owner;

CREATE TABLE postrider.retention_progress (
    step text NOT NULL COLLATE pg_catalog."C",
    entity text NOT NULL COLLATE pg_catalog."C",
    place bigint DEFAULT 0 NOT NULL,
    last_run_at timestamp with time zone,
    removed bigint DEFAULT 0 NOT NULL
);

ALTER TABLE postrider.retention_progress OWNER TO postrider_owner;

CREATE TABLE postrider.rollout (
    consumer_id integer NOT NULL,
    generation bigint NOT NULL,
    version text NOT NULL COLLATE pg_catalog."C",
    first_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE postrider.rollout OWNER TO postrider_owner;

CREATE VIEW postrider.rollouts AS
 SELECT c.name AS consumer,
    c.channel,
    NULLIF(r.generation, '-1'::integer) AS generation,
    r.version,
    r.first_at,
    r.last_at
   FROM (postrider.rollout r
     JOIN postrider.consumer c ON ((c.id = r.consumer_id)));

ALTER TABLE postrider.rollouts OWNER TO postrider_owner;

CREATE TABLE postrider.run_bucket (
    consumer_id integer NOT NULL,
    handler text NOT NULL COLLATE pg_catalog."C",
    width smallint NOT NULL,
    slot smallint NOT NULL,
    since timestamp with time zone NOT NULL,
    delivered bigint NOT NULL,
    transient bigint NOT NULL,
    terminal bigint NOT NULL,
    other bigint NOT NULL,
    attempts bigint[] NOT NULL,
    run_times bigint[] NOT NULL,
    queue_times bigint[] NOT NULL,
    CONSTRAINT run_bucket_width_check CHECK ((width = ANY (ARRAY[1, 10, 60])))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.1');

ALTER TABLE postrider.run_bucket OWNER TO postrider_owner;

CREATE VIEW postrider.schedules AS
 SELECT s.name AS schedule,
    s.cron,
    s.time_zone,
    (s.message ->> 'event_type'::text) AS event_type,
    (s.message ->> 'target'::text) AS target,
    COALESCE((s.message ->> 'channel'::text), 'outbox_default'::text) AS channel,
    ((s.message ->> 'workspace_id'::text))::uuid AS workspace_id,
    s.overlap,
    s.catch_up,
    s.jitter,
    s.paused,
    s.paused_reason,
        CASE
            WHEN (NOT s.paused) THEN s.next_slot
            ELSE NULL::timestamp with time zone
        END AS next_slot,
    s.queued_slot,
    s.last_slot,
    s.last_fired_at,
    s.last_message_id,
    s.fired,
    s.late,
    s.skipped,
    s.owner,
    s.created_at,
    s.changed_at,
    s.message
   FROM postrider.schedule s;

ALTER TABLE postrider.schedules OWNER TO postrider_owner;

CREATE TABLE postrider.set_mark (
    id bigint NOT NULL,
    set_id bigint NOT NULL,
    seq bigint NOT NULL,
    lost boolean NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.set_mark OWNER TO postrider_owner;

ALTER TABLE postrider.set_mark ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.set_mark_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW postrider.unsent_alerts AS
 SELECT a.alert_id,
    a.kind,
    a.at,
    a.event_id,
    a.event_type,
    a.source,
    a.target,
    a.handler_name,
    a.last_error,
    a.attempts,
    a.consumer,
    a.channel,
    a.delivery_id,
    a.cycle,
    a.fingerprint,
    a.error_class,
    a.unsent
   FROM postrider.alerts a
  WHERE (a.alert_id IN ( SELECT s.alert_id
           FROM postrider.alert_sending s));

ALTER TABLE postrider.unsent_alerts OWNER TO postrider_owner;

CREATE VIEW postrider.stats AS
 SELECT count(*) AS consumers,
    count(*) FILTER (WHERE c.paused) AS consumers_paused,
    COALESCE(sum(c.workers), (0)::numeric) AS workers,
    (COALESCE(sum(c.leased), (0)::numeric) + (( SELECT count(*) AS count
           FROM postrider.leases l
          WHERE (l.kind = 'delivery'::text)))::numeric) AS in_flight,
    COALESCE(sum(c.pending), (0)::numeric) AS deliveries_pending,
    COALESCE(sum(c.failed), (0)::numeric) AS dead_letters,
    ( SELECT count(*) AS count
           FROM postrider.handlers h
          WHERE (h.circuit_state <> 'closed'::text)) AS circuits_not_closed,
    ( SELECT count(*) AS count
           FROM postrider.replays r
          WHERE (r.ended_at IS NULL)) AS replays_active,
    ( SELECT count(*) AS count
           FROM postrider.unsent_alerts) AS alerts_unsent,
    ( SELECT count(*) AS count
           FROM postrider.partitions() partitions(name, from_at, to_at)) AS partitions,
    min(c.behind_since) AS behind_since,
    (COALESCE(EXTRACT(epoch FROM (clock_timestamp() - min(c.behind_since))), (0)::numeric))::double precision AS behind_seconds
   FROM postrider.consumers c;

ALTER TABLE postrider.stats OWNER TO postrider_owner;

CREATE VIEW postrider.tokens AS
 SELECT t.name,
    t.role,
    t.workspace_id,
    t.created_at,
    t.created_by,
    t.expires_at,
    t.revoked_at,
    ((t.revoked_at IS NULL) AND ((t.expires_at IS NULL) OR (t.expires_at > clock_timestamp()))) AS in_use
   FROM postrider.access_token t;

ALTER TABLE postrider.tokens OWNER TO postrider_owner;

CREATE VIEW postrider.top_consumers AS
 SELECT c.consumer,
    c.channel,
    c.workers,
    ((p.taken)::double precision / p.seconds) AS taken_per_s,
    (p.taken >= 20000) AS taken_capped,
    c.backlog,
    c.backlog_exact,
    (EXTRACT(epoch FROM (clock_timestamp() - c.behind_since)))::double precision AS oldest_seconds,
    c.in_flight,
    c.pending,
    c.failed AS dead_letters,
        CASE
            WHEN c.paused THEN 'paused'::text
            WHEN c.held THEN 'held'::text
            WHEN (c.workers = 0) THEN 'no_workers'::text
            WHEN (c.held_handlers <> '{}'::text[]) THEN 'partly_held'::text
            ELSE 'working'::text
        END AS state
   FROM (jsonb_to_recordset((postrider.figures() #> '{figures,consumers}'::text[])) c(consumer text, channel text, paused boolean, held boolean, held_handlers text[], workers bigint, backlog bigint, backlog_exact boolean, behind_since timestamp with time zone, in_flight bigint, pending bigint, failed bigint)
     JOIN postrider.pace() p(consumer, channel, taken, published, seconds) USING (consumer, channel))
  ORDER BY c.behind_since, c.consumer, c.channel;

ALTER TABLE postrider.top_consumers OWNER TO postrider_owner;

CREATE VIEW postrider.top_handlers AS
 SELECT h.consumer,
    h.channel,
    h.handler,
    h.circuit_state,
    h.circuit_mode,
    h.failures_in_a_row,
    h.workers,
    h.pending,
    h.failed AS dead_letters,
    (EXTRACT(epoch FROM (clock_timestamp() - h.opened_at)))::double precision AS open_seconds,
    h.circuit_error_class AS error_class
   FROM postrider.handlers h
  WHERE ((h.circuit_state <> 'closed'::text) OR (h.failures_in_a_row > 0) OR (h.failed > 0) OR ((h.workers = 0) AND (h.pending > 0)))
  ORDER BY (h.circuit_state = 'closed'::text), h.failed DESC, h.failures_in_a_row DESC, h.consumer, h.handler;

ALTER TABLE postrider.top_handlers OWNER TO postrider_owner;

CREATE VIEW postrider.top_replays AS
 SELECT r.replay,
    r.phase,
    r.total,
    r.delivered,
    r.failed,
    r.skipped,
    r.waiting,
    r.moved,
    r.actor,
    r.reason
   FROM postrider.replays r
  WHERE (r.phase = ANY (ARRAY['proposed'::text, 'canary'::text, 'running'::text, 'paused'::text]))
  ORDER BY r.replay;

ALTER TABLE postrider.top_replays OWNER TO postrider_owner;

CREATE VIEW postrider.top_totals AS
 WITH pace AS MATERIALIZED (
         SELECT pace.consumer,
            pace.channel,
            pace.taken,
            pace.published,
            pace.seconds
           FROM postrider.pace() pace(consumer, channel, taken, published, seconds)
        ), seen AS MATERIALIZED (
         SELECT t.backlog,
            t.backlog_exact,
            t.in_flight,
            t.deliveries_pending,
            t.dead_letters,
            t.workers,
            t.circuits_not_closed
           FROM jsonb_to_record((postrider.figures() #> '{figures,totals}'::text[])) t(backlog bigint, backlog_exact boolean, in_flight bigint, deliveries_pending bigint, dead_letters bigint, workers bigint, circuits_not_closed bigint)
        )
 SELECT clock_timestamp() AS at,
    current_database() AS database,
    ( SELECT COALESCE(sum(c.published), (0)::double precision) AS "coalesce"
           FROM ( SELECT max(((p.published)::double precision / p.seconds)) AS published
                   FROM pace p
                  GROUP BY p.channel) c) AS published_per_s,
    ( SELECT COALESCE(bool_or((p.published >= 20000)), false) AS "coalesce"
           FROM pace p) AS published_capped,
    ( SELECT COALESCE(sum(((p.taken)::double precision / p.seconds)), (0)::double precision) AS "coalesce"
           FROM pace p) AS taken_per_s,
    ( SELECT COALESCE(bool_or((p.taken >= 20000)), false) AS "coalesce"
           FROM pace p) AS taken_capped,
    s.backlog,
    s.backlog_exact,
    s.in_flight,
    s.deliveries_pending AS pending,
    s.dead_letters,
    ( SELECT count(*) AS count
           FROM ( SELECT
                   FROM postrider.dead_letters d_1
                  WHERE (d_1.dead_at > (clock_timestamp() - '00:01:00'::interval))
                 LIMIT 10000) d) AS died_in_a_minute,
    s.workers,
    s.circuits_not_closed,
    ( SELECT count(*) AS count
           FROM postrider.replays r
          WHERE (r.phase = ANY (ARRAY['canary'::text, 'running'::text]))) AS replays_running
   FROM seen s;

ALTER TABLE postrider.top_totals OWNER TO postrider_owner;

CREATE VIEW postrider.workers AS
 SELECT w.id AS worker,
    c.name AS consumer,
    c.channel,
    w.generation,
    w.handlers,
    w.host,
    w.version,
    w.started_at,
    w.alive_until,
    (w.alive_until > clock_timestamp()) AS alive,
    COALESCE(l.leases, (0)::bigint) AS open_leases,
    COALESCE(l.messages, (0)::bigint) AS leased,
    COALESCE(d.count, (0)::bigint) AS deliveries
   FROM (((postrider.worker w
     JOIN postrider.consumer c ON ((c.id = w.consumer_id)))
     LEFT JOIN ( SELECT o.consumer_id,
            o.worker_id,
            count(*) AS leases,
            sum(cardinality(o.members)) AS messages
           FROM postrider.open_leases o
          GROUP BY o.consumer_id, o.worker_id) l ON (((l.consumer_id = w.consumer_id) AND (l.worker_id = w.id))))
     LEFT JOIN ( SELECT f.worker_id,
            count(*) AS count
           FROM postrider.delivery f
          WHERE (f.status = 'in_flight'::text)
          GROUP BY f.worker_id) d ON ((d.worker_id = w.id)));

ALTER TABLE postrider.workers OWNER TO postrider_owner;

CREATE VIEW postrider.top_workers AS
 SELECT w.worker,
    w.consumer,
    w.channel,
    w.generation,
    w.host,
    w.version,
    (w.leased + w.deliveries) AS in_flight,
    (EXTRACT(epoch FROM (clock_timestamp() - w.started_at)))::double precision AS up_seconds
   FROM postrider.workers w
  WHERE w.alive
  ORDER BY w.consumer, w.channel, w.started_at, w.worker;

ALTER TABLE postrider.top_workers OWNER TO postrider_owner;

CREATE SEQUENCE postrider.unique_duplicate_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE postrider.unique_duplicate_seq OWNER TO postrider_owner;

CREATE VIEW postrider.unique_keys AS
 SELECT c.name AS consumer,
    c.channel,
    u.handler,
    u.key,
    u.scope,
    (u.place = 'running'::text) AS running,
    u.message_id AS id,
    u.taken_at,
    u.expires_at,
    u.seq
   FROM (postrider.unique_job u
     JOIN postrider.consumer c ON ((c.id = u.consumer_id)))
  WHERE ((u.expires_at IS NULL) OR (u.expires_at > clock_timestamp()));

ALTER TABLE postrider.unique_keys OWNER TO postrider_owner;

CREATE VIEW postrider.v_open_outbox AS
 SELECT o.id AS event_id,
    o.event_type,
    o.payload,
    'PENDING'::text AS state,
    o.published_at AS created_at,
    o.partition_key,
    o.ordering_key,
    o.metadata,
    o.headers,
    o.attempts,
    o.last_error,
    o.available_at,
    NULL::timestamp with time zone AS claimed_at,
    NULL::uuid AS claimed_by,
    NULL::timestamp with time zone AS published_at,
    o.consumer,
    o.handler,
    o.attempts_total,
    o.cycle,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'pending'::text) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.id AS event_id,
    o.event_type,
    o.payload,
    'CLAIMED'::text AS state,
    o.published_at AS created_at,
    o.partition_key,
    o.ordering_key,
    o.metadata,
    o.headers,
    o.attempts,
    o.last_error,
    o.available_at,
    o.claimed_at,
    o.worker_id AS claimed_by,
    NULL::timestamp with time zone AS published_at,
    o.consumer,
    o.handler,
    o.attempts_total,
    o.cycle,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'in_flight'::text) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.id AS event_id,
    o.event_type,
    o.payload,
    'PUBLISHED'::text AS state,
    o.published_at AS created_at,
    o.partition_key,
    o.ordering_key,
    o.metadata,
    o.headers,
    o.attempts,
    o.last_error,
    o.available_at,
    NULL::timestamp with time zone AS claimed_at,
    NULL::uuid AS claimed_by,
    COALESCE(o.delivered_at, o.available_at) AS published_at,
    o.consumer,
    o.handler,
    o.attempts_total,
    o.cycle,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'delivered'::text) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.id AS event_id,
    o.event_type,
    o.payload,
    'DEAD'::text AS state,
    o.published_at AS created_at,
    o.partition_key,
    o.ordering_key,
    o.metadata,
    o.headers,
    o.attempts,
    o.last_error,
    o.available_at,
    NULL::timestamp with time zone AS claimed_at,
    NULL::uuid AS claimed_by,
    NULL::timestamp with time zone AS published_at,
    o.consumer,
    o.handler,
    o.attempts_total,
    o.cycle,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'failed'::text) AND (o.deleted_at IS NULL));

ALTER TABLE postrider.v_open_outbox OWNER TO postrider_owner;

CREATE VIEW postrider.v_pgmq AS
 SELECT o.channel AS queue_name,
    o.seq AS original_msg_id,
    o.payload,
    o.handler AS step,
    (o.payload ->> 'recording_id'::text) AS recording_id,
    o.attempts AS read_ct,
    o.last_error,
    o.published_at AS first_seen,
    o.dead_at,
    o.id AS message_id,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'failed'::text) AND (o.deleted_at IS NULL) AND (o.dead_at > (now() - '30 days'::interval)));

ALTER TABLE postrider.v_pgmq OWNER TO postrider_owner;

CREATE VIEW postrider.v_pgmq_queue AS
 SELECT o.channel AS queue_name,
    o.seq AS msg_id,
    o.attempts AS read_ct,
    o.published_at AS enqueued_at,
    o.available_at AS vt,
    o.payload AS message,
    o.headers,
    o.id AS message_id,
    o.handler AS step
   FROM postrider.outbox o
  WHERE ((o.status = 'pending'::text) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.channel AS queue_name,
    o.seq AS msg_id,
    o.attempts AS read_ct,
    o.published_at AS enqueued_at,
    o.deadline AS vt,
    o.payload AS message,
    o.headers,
    o.id AS message_id,
    o.handler AS step
   FROM postrider.outbox o
  WHERE ((o.status = 'in_flight'::text) AND (o.deleted_at IS NULL));

ALTER TABLE postrider.v_pgmq_queue OWNER TO postrider_owner;

CREATE VIEW postrider.v_pulse AS
 SELECT o.id,
    o.event_type,
    o.payload,
    'PENDING'::text AS status,
    o.priority,
    o.attempts,
    o.max_attempts,
    o.available_at AS next_run_at,
    o.worker_id AS locked_by,
    o.claimed_at AS locked_at,
    o.deadline AS lease_until,
    o.last_error,
    o.published_at AS created_at,
    NULL::timestamp with time zone AS completed_at,
    o.consumer,
    o.handler,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'pending'::text) AND (o.attempts = 0) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.id,
    o.event_type,
    o.payload,
    'RETRYING'::text AS status,
    o.priority,
    o.attempts,
    o.max_attempts,
    o.available_at AS next_run_at,
    NULL::uuid AS locked_by,
    NULL::timestamp with time zone AS locked_at,
    NULL::timestamp with time zone AS lease_until,
    o.last_error,
    o.published_at AS created_at,
    NULL::timestamp with time zone AS completed_at,
    o.consumer,
    o.handler,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'pending'::text) AND (o.attempts > 0) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.id,
    o.event_type,
    o.payload,
    'RUNNING'::text AS status,
    o.priority,
    o.attempts,
    o.max_attempts,
    o.available_at AS next_run_at,
    o.worker_id AS locked_by,
    o.claimed_at AS locked_at,
    o.deadline AS lease_until,
    o.last_error,
    o.published_at AS created_at,
    NULL::timestamp with time zone AS completed_at,
    o.consumer,
    o.handler,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'in_flight'::text) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.id,
    o.event_type,
    o.payload,
    'COMPLETED'::text AS status,
    o.priority,
    o.attempts,
    o.max_attempts,
    o.available_at AS next_run_at,
    NULL::uuid AS locked_by,
    NULL::timestamp with time zone AS locked_at,
    NULL::timestamp with time zone AS lease_until,
    o.last_error,
    o.published_at AS created_at,
    COALESCE(o.delivered_at, o.available_at) AS completed_at,
    o.consumer,
    o.handler,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'delivered'::text) AND (o.deleted_at IS NULL))
UNION ALL
 SELECT o.id,
    o.event_type,
    o.payload,
    'DEAD_LETTERED'::text AS status,
    o.priority,
    o.attempts,
    o.max_attempts,
    o.available_at AS next_run_at,
    NULL::uuid AS locked_by,
    NULL::timestamp with time zone AS locked_at,
    NULL::timestamp with time zone AS lease_until,
    o.last_error,
    o.published_at AS created_at,
    o.dead_at AS completed_at,
    o.consumer,
    o.handler,
    o.delivery_id
   FROM postrider.outbox o
  WHERE ((o.status = 'failed'::text) AND (o.deleted_at IS NULL));

ALTER TABLE postrider.v_pulse OWNER TO postrider_owner;

ALTER TABLE ONLY postrider.message ATTACH PARTITION postrider.message_tail FOR VALUES FROM ('(the first day without a partition)') TO (MAXVALUE);

ALTER TABLE ONLY postrider.access_token
    ADD CONSTRAINT access_token_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.access_token
    ADD CONSTRAINT access_token_sha256_key UNIQUE (sha256);

ALTER TABLE ONLY postrider.alert_configuration
    ADD CONSTRAINT alert_configuration_pkey PRIMARY KEY (target, configuration);

ALTER TABLE ONLY postrider.alert
    ADD CONSTRAINT alert_cycle_key UNIQUE (delivery_id, cycle);

ALTER TABLE ONLY postrider.alert
    ADD CONSTRAINT alert_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.alert_sending
    ADD CONSTRAINT alert_sending_pkey PRIMARY KEY (alert_id, target);

ALTER TABLE ONLY postrider.alert_target
    ADD CONSTRAINT alert_target_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postrider.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.channel
    ADD CONSTRAINT channel_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postrider.circuit
    ADD CONSTRAINT circuit_pkey PRIMARY KEY (consumer_id, handler);

ALTER TABLE ONLY postrider.consumer
    ADD CONSTRAINT consumer_name_channel_key UNIQUE (name, channel);

ALTER TABLE ONLY postrider.consumer_owner
    ADD CONSTRAINT consumer_owner_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postrider.consumer
    ADD CONSTRAINT consumer_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.delivery
    ADD CONSTRAINT delivery_message_handler_key UNIQUE (seq, consumer_id, handler);

ALTER TABLE ONLY postrider.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (system_identifier);

ALTER TABLE ONLY postrider.event_handled
    ADD CONSTRAINT event_handled_pkey PRIMARY KEY (idempotency_key, handler_name, consumer_name, source);

ALTER TABLE ONLY postrider.handler_limit
    ADD CONSTRAINT handler_limit_pkey PRIMARY KEY (consumer_id, handler);

ALTER TABLE ONLY postrider.handler
    ADD CONSTRAINT handler_pkey PRIMARY KEY (consumer_id, name, revision);

ALTER TABLE ONLY postrider.job_progress
    ADD CONSTRAINT job_progress_pkey PRIMARY KEY (message_id, consumer_id, handler);

ALTER TABLE ONLY postrider.job_set
    ADD CONSTRAINT job_set_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.key_backlog
    ADD CONSTRAINT key_backlog_pkey PRIMARY KEY (consumer_id, key);

ALTER TABLE ONLY postrider.lease_mark
    ADD CONSTRAINT lease_mark_pkey PRIMARY KEY (consumer_id, upto);

ALTER TABLE ONLY postrider.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (consumer_id, id);

ALTER TABLE ONLY postrider.limit_bucket
    ADD CONSTRAINT limit_bucket_pkey PRIMARY KEY (consumer_id, key);

ALTER TABLE ONLY postrider.lookahead
    ADD CONSTRAINT lookahead_pkey PRIMARY KEY (consumer_id, opened_at, xid, seq);

ALTER TABLE ONLY postrider.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY postrider.pgmq_copy
    ADD CONSTRAINT pgmq_copy_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY postrider.pgmq_pipeline
    ADD CONSTRAINT pgmq_pipeline_consumer_key UNIQUE (consumer_id);

ALTER TABLE ONLY postrider.pgmq_pipeline
    ADD CONSTRAINT pgmq_pipeline_pkey PRIMARY KEY (queue);

ALTER TABLE ONLY postrider.replay_item
    ADD CONSTRAINT replay_item_pkey PRIMARY KEY (replay_id, delivery_id);

ALTER TABLE ONLY postrider.replay
    ADD CONSTRAINT replay_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.retention_policy
    ADD CONSTRAINT retention_policy_pkey PRIMARY KEY (entity, class);

ALTER TABLE ONLY postrider.retention_progress
    ADD CONSTRAINT retention_progress_pkey PRIMARY KEY (step);

ALTER TABLE ONLY postrider.rollout
    ADD CONSTRAINT rollout_pkey PRIMARY KEY (consumer_id, generation, version);

ALTER TABLE ONLY postrider.run_bucket
    ADD CONSTRAINT run_bucket_pkey PRIMARY KEY (consumer_id, handler, width, slot);

ALTER TABLE ONLY postrider.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postrider.set_mark
    ADD CONSTRAINT set_mark_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.set_member
    ADD CONSTRAINT set_member_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY postrider.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postrider.unique_job
    ADD CONSTRAINT unique_job_key PRIMARY KEY (consumer_id, handler, key, place);

ALTER TABLE ONLY postrider.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX access_token_name_key ON postrider.access_token USING btree (name) WHERE (revoked_at IS NULL);

CREATE INDEX alert_at_idx ON postrider.alert USING btree (at);

CREATE INDEX alert_circuit_idx ON postrider.alert USING btree (at) WHERE (kind = 'circuit_opened'::text);

CREATE INDEX alert_sending_due_idx ON postrider.alert_sending USING btree (target, consumer, available_at, alert_id);

CREATE INDEX audit_at_idx ON postrider.audit USING btree (at DESC);

CREATE INDEX audit_circuit_idx ON postrider.audit USING btree (at DESC) WHERE (action = ANY (ARRAY['hold_handler'::text, 'force_handler'::text, 'release_handler'::text]));

CREATE UNIQUE INDEX delivery_broker_message_key ON postrider.delivery USING btree (message_id, COALESCE(origin_id, consumer_id), handler, broker_cycle) WHERE (broker_cycle IS NOT NULL);

CREATE INDEX delivery_deleted_idx ON postrider.delivery USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX delivery_discarded_idx ON postrider.delivery USING btree (dead_at DESC, id) WHERE ((status = 'failed'::text) AND (deleted_at IS NOT NULL));

CREATE INDEX delivery_due_idx ON postrider.delivery USING btree (consumer_id, handler, priority DESC, available_at, id) WHERE (status = 'pending'::text);

CREATE INDEX delivery_failed_group_idx ON postrider.delivery USING btree (fingerprint, consumer_id, handler, dead_at DESC, id) WHERE ((status = 'failed'::text) AND (deleted_at IS NULL));

CREATE INDEX delivery_failed_handler_idx ON postrider.delivery USING btree (consumer_id, handler, dead_at DESC, id) WHERE ((status = 'failed'::text) AND (deleted_at IS NULL));

CREATE INDEX delivery_failed_idx ON postrider.delivery USING btree (dead_at DESC, id) WHERE ((status = 'failed'::text) AND (deleted_at IS NULL));

CREATE INDEX delivery_failed_workspace_idx ON postrider.delivery USING btree (workspace_id, dead_at DESC, id) WHERE ((status = 'failed'::text) AND (deleted_at IS NULL) AND (workspace_id IS NOT NULL));

CREATE INDEX delivery_held_idx ON postrider.delivery USING btree (consumer_id, dead_at) WHERE (heads AND (status = 'failed'::text) AND (deleted_at IS NULL));

CREATE INDEX delivery_idempotency_key_idx ON postrider.delivery USING btree (idempotency_key) WHERE (idempotency_key <> (message_id)::text);

CREATE INDEX delivery_in_flight_idx ON postrider.delivery USING btree (worker_id, deadline) WHERE (status = 'in_flight'::text);

CREATE INDEX delivery_message_id_idx ON postrider.delivery USING btree (message_id);

CREATE INDEX delivery_ordered_idx ON postrider.delivery USING btree (consumer_id, ordering_key, seq) WHERE ((heads IS NOT NULL) AND (status <> 'delivered'::text) AND (deleted_at IS NULL));

CREATE UNIQUE INDEX deployment_one_row_key ON postrider.deployment USING btree ((true));

CREATE UNIQUE INDEX follower_key ON postrider.follower USING btree (consumer_id, key, seq);

ALTER TABLE ONLY postrider.follower REPLICA IDENTITY USING INDEX follower_key;

CREATE INDEX follower_ready_idx ON postrider.follower USING btree (consumer_id, segment, seq) WHERE ready;

CREATE UNIQUE INDEX handler_active_key ON postrider.handler USING btree (consumer_id, name) WHERE (retired_at IS NULL);

CREATE INDEX job_progress_created_at_idx ON postrider.job_progress USING btree (created_at);

CREATE INDEX job_set_completed_at_idx ON postrider.job_set USING btree (completed_at) WHERE (completed_at IS NOT NULL);

CREATE UNIQUE INDEX job_set_name_key ON postrider.job_set USING btree (name) WHERE (completed_at IS NULL);

CREATE INDEX lease_open_idx ON postrider.lease USING btree (consumer_id, id) WHERE (finished_at IS NULL);

CREATE INDEX message_channel_xid_seq_idx ON ONLY postrider.message USING btree (channel, xid, seq) WITH (fillfactor='40', deduplicate_items=off);

CREATE INDEX message_id_idx ON ONLY postrider.message USING brin (id uuid_minmax_multi_ops);

CREATE INDEX message_tail_next_channel_xid_seq_idx ON postrider.message_tail USING btree (channel, xid, seq) WITH (fillfactor='40', deduplicate_items=off);

CREATE INDEX message_waiting_idx ON ONLY postrider.message USING btree ((((channel)::text || ''::text)), xid, seq) WHERE (((priority)::smallint <> 0) OR (available_at IS NOT NULL));

CREATE INDEX message_tail_next_expr_xid_seq_idx ON postrider.message_tail USING btree ((((channel)::text || ''::text)), xid, seq) WHERE (((priority)::smallint <> 0) OR (available_at IS NOT NULL));

CREATE INDEX message_tail_next_id_idx ON postrider.message_tail USING brin (id uuid_minmax_multi_ops);

CREATE INDEX pgmq_copy_msg_id_idx ON postrider.pgmq_copy USING btree (queue, msg_id);

CREATE INDEX replay_active_idx ON postrider.replay USING btree (id) WHERE (phase = ANY (ARRAY['canary'::text, 'running'::text]));

CREATE INDEX replay_item_moved_idx ON postrider.replay_item USING btree (replay_id, number) WHERE (outcome = 'moved'::text);

CREATE UNIQUE INDEX replay_item_number_key ON postrider.replay_item USING btree (replay_id, number);

CREATE INDEX replay_proposed_idx ON postrider.replay USING btree (expires_at) WHERE (phase = 'proposed'::text);

CREATE INDEX schedule_next_at_idx ON postrider.schedule USING btree (next_at) WHERE (NOT paused);

CREATE INDEX set_mark_set_id_idx ON postrider.set_mark USING btree (set_id);

CREATE INDEX set_member_set_id_seq_idx ON postrider.set_member USING btree (set_id, seq);

CREATE INDEX unique_job_expires_at_idx ON postrider.unique_job USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX unique_job_seq_idx ON postrider.unique_job USING btree (seq);

CREATE UNIQUE INDEX waiting_key ON postrider.waiting USING btree (consumer_id, priority DESC, due_at, seq);

ALTER TABLE ONLY postrider.waiting REPLICA IDENTITY USING INDEX waiting_key;

CREATE INDEX waiting_limited_idx ON postrider.waiting USING btree (consumer_id, limit_key, priority DESC, seq) WHERE (limit_key IS NOT NULL);

ALTER INDEX postrider.message_channel_xid_seq_idx ATTACH PARTITION postrider.message_tail_next_channel_xid_seq_idx;

ALTER INDEX postrider.message_waiting_idx ATTACH PARTITION postrider.message_tail_next_expr_xid_seq_idx;

ALTER INDEX postrider.message_id_idx ATTACH PARTITION postrider.message_tail_next_id_idx;

CREATE TRIGGER delivery_tally_delete AFTER DELETE ON postrider.delivery FOR EACH ROW WHEN ((old.dead_at IS NOT NULL)) EXECUTE FUNCTION postrider.tally_dead();

CREATE TRIGGER delivery_tally_insert AFTER INSERT ON postrider.delivery FOR EACH ROW WHEN ((new.dead_at IS NOT NULL)) EXECUTE FUNCTION postrider.tally_dead();

CREATE TRIGGER delivery_tally_truncate AFTER TRUNCATE ON postrider.delivery FOR EACH STATEMENT EXECUTE FUNCTION postrider.tally_dead();

CREATE TRIGGER delivery_tally_update AFTER UPDATE ON postrider.delivery FOR EACH ROW WHEN ((COALESCE(old.dead_at, new.dead_at) IS NOT NULL)) EXECUTE FUNCTION postrider.tally_dead();

CREATE TRIGGER outbox_insert INSTEAD OF INSERT ON postrider.outbox FOR EACH ROW EXECUTE FUNCTION postrider.outbox_insert();

CREATE CONSTRAINT TRIGGER retention_policy_check AFTER INSERT OR DELETE OR UPDATE ON postrider.retention_policy DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION postrider.retention_policy_check();

CREATE TRIGGER retention_policy_truncate AFTER TRUNCATE ON postrider.retention_policy FOR EACH STATEMENT EXECUTE FUNCTION postrider.retention_policy_check();

ALTER TABLE ONLY postrider.handler
    ADD CONSTRAINT handler_consumer_id_fkey FOREIGN KEY (consumer_id) REFERENCES postrider.consumer(id) ON DELETE CASCADE;

GRANT USAGE ON SCHEMA postrider TO postrider_producer;
GRANT USAGE ON SCHEMA postrider TO postrider_worker;
GRANT USAGE ON SCHEMA postrider TO postrider_operator;
GRANT USAGE ON SCHEMA postrider TO postrider_viewer;
GRANT USAGE ON SCHEMA postrider TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.enter_channel(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.enter_channel(p_channel text) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.add_alert_target(p_target text, p_configuration text, p_started boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.add_alert_target(p_target text, p_configuration text, p_started boolean) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.add_alert_target(p_target text, p_configuration text, p_started boolean) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.add_taken(p_taken postrider.taken, p_more postrider.taken) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.add_to_set(p_name text, p_members jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.add_to_set(p_name text, p_members jsonb) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.admit_due(p_consumer_id integer, p_deliveries bigint[], p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.adopt(p_name text, p_actor text, p_reason text, p_drop_owed boolean, OUT deliveries bigint, OUT consumers bigint, OUT schedules bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.adopter(p_consumer_id integer, p_event_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.advance_sequences() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.alert_backlogs() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.attempt_entry(p_outcome text, p_cycle integer, p_attempt integer, p_at timestamp with time zone, p_error_class text, p_error text, p_duration_ms double precision, p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.audit_document(p_document jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.audit_floor() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.audit_handler(p_before postrider.handler, p_action text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.audit_schedule(p_action text, p_actor text, p_reason text, p_name text, p_before postrider.schedule, p_after postrider.schedule) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.audit_value(p_value jsonb, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.backfill_schedule(p_name text, p_from timestamp with time zone, p_to timestamp with time zone, p_limit integer, p_actor text, p_reason text, OUT fired integer, OUT next_from timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.backfill_schedule(p_name text, p_from timestamp with time zone, p_to timestamp with time zone, p_limit integer, p_actor text, p_reason text, OUT fired integer, OUT next_from timestamp with time zone) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.backfill_schedule(p_name text, p_from timestamp with time zone, p_to timestamp with time zone, p_limit integer, p_actor text, p_reason text, OUT fired integer, OUT next_from timestamp with time zone) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.behind(p_at postrider."position") FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.behind(p_at postrider."position") TO postrider_operator;
GRANT ALL ON FUNCTION postrider.behind(p_at postrider."position") TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.behind(p_at postrider."position") TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.insertion_time() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.insertion_time() TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.uuid_v7() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.uuid_v7() TO postrider_producer;

GRANT INSERT(id) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(channel) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(event_type) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(event_version) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(occurred_at) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(source) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(target) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(content_class) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(generation) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(workspace_id) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(payload) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(headers) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(metadata) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(idempotency_key) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(ordering_key) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(partition_key) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(trace_context) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(available_at) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(priority) ON TABLE postrider.message TO postrider_producer;

GRANT INSERT(max_attempts) ON TABLE postrider.message TO postrider_producer;

GRANT SELECT ON TABLE postrider.setting TO postrider_producer;
GRANT SELECT ON TABLE postrider.setting TO postrider_worker;
GRANT SELECT ON TABLE postrider.setting TO postrider_operator;
GRANT SELECT ON TABLE postrider.setting TO postrider_viewer;
GRANT SELECT ON TABLE postrider.setting TO postrider_agent;

GRANT SELECT ON TABLE postrider.blocked_keys TO postrider_operator;
GRANT SELECT ON TABLE postrider.blocked_keys TO postrider_viewer;
GRANT SELECT ON TABLE postrider.blocked_keys TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.blocked_page(p_consumer text, p_limit integer, p_after jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.blocked_page(p_consumer text, p_limit integer, p_after jsonb) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.blocked_page(p_consumer text, p_limit integer, p_after jsonb) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.blocked_page(p_consumer text, p_limit integer, p_after jsonb) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.bury(p_deliveries bigint[], p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.bury(p_deliveries bigint[], p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.busy_keys(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.busy_list(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.cancel(p_filter jsonb, p_actor text, p_reason text, p_limit integer, p_dry_run boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.cancel(p_filter jsonb, p_actor text, p_reason text, p_limit integer, p_dry_run boolean) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.cancel(p_filter jsonb, p_actor text, p_reason text, p_limit integer, p_dry_run boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.cancellable(p_filter jsonb, p_limit integer, p_begun boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.cancelled_jobs(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.cancelled_jobs(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.carry_waiting(p_partition text, p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.changed_handlers(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.changed_handlers(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.check_claim(p_worker uuid, p_limit integer, p_deadline interval, p_keep boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.choose_due(p_consumer_id integer, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.choose_limited(p_consumer_id integer, p_worker uuid, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_admit(p_consumer_id integer, p_handlers text[], p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_after(p_runs postrider.circuit_runs) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_count(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_events(p_consumer text, p_channel text, p_handler text, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.circuit_events(p_consumer text, p_channel text, p_handler text, p_limit integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.circuit_events(p_consumer text, p_channel text, p_handler text, p_limit integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.circuit_events(p_consumer text, p_channel text, p_handler text, p_limit integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.circuit_next(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_runs postrider.circuit_runs, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_probes(p_consumer_id integer, p_handlers text[], p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_report(p_runs postrider.circuit_runs[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_successes(p_lease postrider.lease, p_seqs bigint[], p_failed text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_trial(p_circuit postrider.circuit, p_policy postrider.circuit_policy, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.circuit_wait(p_circuit postrider.circuit, p_policy postrider.circuit_policy) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.claim(p_worker uuid, p_limit integer, p_deadline interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.claim(p_worker uuid, p_limit integer, p_deadline interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.claim_alerts(p_target text, p_limit integer, p_lease interval, p_configuration text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.claim_alerts(p_target text, p_limit integer, p_lease interval, p_configuration text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.claim_alerts(p_target text, p_limit integer, p_lease interval, p_configuration text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.claim_due(p_worker uuid, p_limit integer, p_deadline interval, p_alone boolean, p_batches jsonb, p_hold integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.claim_due(p_worker uuid, p_limit integer, p_deadline interval, p_alone boolean, p_batches jsonb, p_hold integer) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.class_list(p_error_class text, p_classes jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.classify(p_outcome text, p_error_class text, p_classes jsonb, p_honour_terminal boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.classify(p_outcome text, p_error_class text, p_classes jsonb, p_honour_terminal boolean) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.classify(p_outcome text, p_error_class text, p_classes jsonb, p_honour_terminal boolean) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.closest(p_word text, p_words text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.closest(p_word text, p_words text[]) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.complete_set(p_set_id bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.complete_sets() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.conclude(p_outcomes jsonb, p_worker uuid, p_bury boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.conclude_delivered(p_outcomes jsonb, p_worker uuid, p_now timestamp with time zone, OUT delivered bigint[], OUT ended postrider.ended_run[], OUT keyed bigint[], OUT ordered bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.conclude_others(p_outcomes jsonb, p_worker uuid, p_bury boolean, p_delivered bigint[], p_now timestamp with time zone, OUT ids bigint[], OUT results text[], OUT ended postrider.ended_run[], OUT keyed bigint[], OUT ordered bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.consumer_backlog(p_consumer postrider.consumer, p_place postrider.place, p_most integer, p_soon timestamp with time zone, OUT backlog bigint, OUT exact boolean, OUT since timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.consumer_figures(p_since jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.consumer_passed(p_consumer postrider.consumer, p_from postrider.place, p_to postrider.place, OUT passed bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.consumer_rates(p_since jsonb, p_now timestamp with time zone, p_seconds double precision) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.consumers_of_owner(p_consumer_id integer, OUT role text, OUT ids integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.count_replays() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.count_seek(p_consumer postrider.consumer, p_at pg_snapshot, p_to timestamp with time zone, OUT skipped bigint, OUT waiting bigint, OUT again bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean, p_owner text, p_ordering text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean, p_owner text, p_ordering text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean, p_owner text, p_ordering text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.create_token(p_name text, p_sha256 bytea, p_role text, p_workspace uuid, p_expires_at timestamp with time zone, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.create_token(p_name text, p_sha256 bytea, p_role text, p_workspace uuid, p_expires_at timestamp with time zone, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.cron_field(p_text text, p_low integer, p_high integer, p_names text[], p_field text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.current_snapshot() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.cursor_of(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.cut_chains(p_cursor postrider.claim_cursor, p_taken postrider.taken) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.cycles(p_history jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.cycles(p_history jsonb) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.cycles(p_history jsonb) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.cycles(p_history jsonb) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.cycles_of(p_delivery bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.cycles_of(p_delivery bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.cycles_of(p_delivery bigint) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.dead_groups(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_skip integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.dead_groups(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_skip integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.dead_groups(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_skip integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.dead_letter_shown(p_id text, p_workspace uuid, p_hidden text[], p_viewer boolean, p_ids_as_text boolean, p_cycles boolean, p_similar integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.dead_letter_shown(p_id text, p_workspace uuid, p_hidden text[], p_viewer boolean, p_ids_as_text boolean, p_cycles boolean, p_similar integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.dead_letter_shown(p_id text, p_workspace uuid, p_hidden text[], p_viewer boolean, p_ids_as_text boolean, p_cycles boolean, p_similar integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.dead_letter_shown(p_id text, p_workspace uuid, p_hidden text[], p_viewer boolean, p_ids_as_text boolean, p_cycles boolean, p_similar integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.readable(p_document json) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.readable(p_document json) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.readable(p_document json) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.readable(p_document json) TO postrider_agent;

GRANT SELECT ON TABLE postrider.dead_letters TO postrider_operator;

GRANT SELECT(delivery_id) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(id) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(id) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(event_version) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(event_version) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(source) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(source) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(target) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(target) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(workspace_id) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(workspace_id) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(content_class) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(content_class) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(generation) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(generation) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(dead_at) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(dead_at) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(outcome) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(outcome) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(fingerprint) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(fingerprint) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(last_error) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(attempts) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(attempts) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(attempts_total) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(attempts_total) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(failures) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(failures) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(crashes) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(crashes) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(interruptions) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(interruptions) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(max_attempts) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(max_attempts) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(cycle) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(cycle) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(first_failed_at) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(first_failed_at) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(published_at) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(published_at) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(occurred_at) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(occurred_at) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(idempotency_key) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(idempotency_key) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(ordering_key) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(ordering_key) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(partition_key) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(partition_key) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(trace_context) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(trace_context) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(priority) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(priority) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(seq) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(seq) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(replay_id) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(replay_id) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(failure_history) ON TABLE postrider.dead_letters TO postrider_agent;

GRANT SELECT(history_dropped) ON TABLE postrider.dead_letters TO postrider_viewer;
GRANT SELECT(history_dropped) ON TABLE postrider.dead_letters TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.dead_list(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.dead_list(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.dead_list(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.dead_page(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.dead_page(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.dead_query(p_columns text, p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint, p_to_dead_at timestamp with time zone, p_to_delivery bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.dead_reach(p_filter jsonb, p_reach integer, p_dead_at timestamp with time zone, p_delivery bigint, p_counting boolean, OUT dead_at timestamp with time zone, OUT delivery_id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.dead_reach(p_filter jsonb, p_reach integer, p_dead_at timestamp with time zone, p_delivery bigint, p_counting boolean, OUT dead_at timestamp with time zone, OUT delivery_id bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.dead_reach(p_filter jsonb, p_reach integer, p_dead_at timestamp with time zone, p_delivery bigint, p_counting boolean, OUT dead_at timestamp with time zone, OUT delivery_id bigint) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.dead_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer, p_error_length integer, p_ids_as_text boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.dead_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer, p_error_length integer, p_ids_as_text boolean) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.dead_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer, p_error_length integer, p_ids_as_text boolean) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.dead_where(p_filter jsonb, p_discarded boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.decide(p_run postrider.run, p_now timestamp with time zone, p_u double precision) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.declare_limits(p_consumer_id integer, p_handlers jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.define_pgmq_pipeline(p_queue text, p_consumer text, p_diagnostics text, p_actor text, p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.define_schedule(p_name text, p_definition jsonb, p_actor text, p_reason text, p_consumer text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.define_schedule(p_name text, p_definition jsonb, p_actor text, p_reason text, p_consumer text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.define_schedule(p_name text, p_definition jsonb, p_actor text, p_reason text, p_consumer text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.delete_limit(p_consumer_id integer, p_handler text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.delivery_page(p_status text, p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_reach integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.delivery_page(p_status text, p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_reach integer) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.delivery_rows(p_status text, p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_errors boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.delivery_rows(p_status text, p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_errors boolean) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.deployment(OUT name text, OUT recorded_at timestamp with time zone, OUT port integer, OUT data_directory text, OUT timeline text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.deployment(OUT name text, OUT recorded_at timestamp with time zone, OUT port integer, OUT data_directory text, OUT timeline text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.deployment(OUT name text, OUT recorded_at timestamp with time zone, OUT port integer, OUT data_directory text, OUT timeline text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.deployment(OUT name text, OUT recorded_at timestamp with time zone, OUT port integer, OUT data_directory text, OUT timeline text) TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.direct_messages(p_cursor postrider.claim_cursor, p_blocked text[], p_room integer, p_chain integer, p_native boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.discard(p_filter jsonb, p_actor text, p_reason text, p_expected bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.discard(p_filter jsonb, p_actor text, p_reason text, p_expected bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.discarded_page(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.discarded_page(p_filter jsonb, p_limit integer, p_dead_at timestamp with time zone, p_delivery bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.discarded_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_error_length integer, p_ids_as_text boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.discarded_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_error_length integer, p_ids_as_text boolean) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.doorbell_figures(p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.doorbell_hold(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_hold(p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.doorbell_keep(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_keep(p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.doorbell_relay(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_relay(p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.doorbell_release(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_release(p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.doorbell_state(p_channel text, OUT state text, OUT holder text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_state(p_channel text, OUT state text, OUT holder text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.doorbell_watch(p_channel text, OUT wake text, OUT silent text[], OUT commit_waiters integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_watch(p_channel text, OUT wake text, OUT silent text[], OUT commit_waiters integer) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.drop_partitions(p_before timestamp with time zone, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.drop_partitions(p_before timestamp with time zone, p_limit integer) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.drop_pgmq_copies(p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.drop_pgmq_copy(p_delivery_id bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.due_shares(p_consumer_id integer, p_handlers text[], p_want postrider.due_want, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.earlier_entries(p_earlier jsonb, p_now timestamp with time zone, p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.edit_and_replay(p_delivery bigint, p_payload jsonb, p_headers jsonb, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.edit_and_replay(p_delivery bigint, p_payload jsonb, p_headers jsonb, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.edit_with(p_delivery bigint, p_change jsonb, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.edit_with(p_delivery bigint, p_change jsonb, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.end_cancelled(p_jobs postrider.cancel_job[], p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.end_holds(p_busy integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.end_lost_lease(p_lease postrider.lease, p_left bigint[], p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.end_members(p_seqs bigint[], p_lost boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.end_soon() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.end_trials(p_consumer_id integer, p_handlers text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.ensure_partitions() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.enter_cluster() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.erasable(p_filter jsonb, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.erase(p_filter jsonb, p_actor text, p_reason text, p_dry_run boolean, OUT messages bigint, OUT deliveries bigint, OUT jobs bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.erase_content(p_ids uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.erase_jobs(p_ids uuid[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.erase_ordered(p_ids uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.error_excerpt(p_text text, p_length integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.error_excerpt(p_text text, p_length integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.error_excerpt(p_text text, p_length integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.exchange(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.exchange(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.exchange_again(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_keep boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.exchange_ordered(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_chain integer, p_native boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.exchange_ordered(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_chain integer, p_native boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.exchange_packed(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_keep boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.exchange_packed(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_keep boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.exchange_waiting(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_idle boolean, p_chain integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.exchange_waiting(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval, p_idle boolean, p_chain integer) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.expire_keys() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.figures(p_since jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.figures(p_since jsonb) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.figures(p_since jsonb) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.figures(p_since jsonb) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.find_token(p_sha256 bytea, OUT name text, OUT role text, OUT workspace_id uuid, OUT expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.find_token(p_sha256 bytea, OUT name text, OUT role text, OUT workspace_id uuid, OUT expires_at timestamp with time zone) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.find_token(p_sha256 bytea, OUT name text, OUT role text, OUT workspace_id uuid, OUT expires_at timestamp with time zone) TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.fingerprint(p_error_class text, p_error text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.fingerprint(p_error_class text, p_error text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.fingerprint(p_error_class text, p_error text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.fingerprint(p_error_class text, p_error text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.fingerprint(p_error_class text, p_error text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.finish_ordered(p_worker uuid, p_consumer_id integer, p_lease bigint, p_token uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.fire_due(p_limit integer, OUT schedules integer, OUT fired integer, OUT skipped integer, OUT again_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.fire_due(p_limit integer, OUT schedules integer, OUT fired integer, OUT skipped integer, OUT again_at timestamp with time zone) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.fire_due(p_limit integer, OUT schedules integer, OUT fired integer, OUT skipped integer, OUT again_at timestamp with time zone) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.fire_schedules(p_schedules text[], p_now timestamp with time zone, p_limit integer, OUT fired integer, OUT skipped integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.force_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.force_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.forget_cancelled(p_consumer_id integer, p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.forget_idle_workers(p_consumer_ids integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.forget_workers() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.free_keys(p_consumer_id integer, p_keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.free_periods(p_filter jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.full_handlers(p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.group_fields(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.group_fields(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.group_rows(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_error_length integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.group_rows(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_error_length integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.group_rows(p_consumer text, p_handler text, p_workspace uuid, p_limit integer, p_after jsonb, p_error_length integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.group_shown(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_span text, p_viewer boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.group_shown(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_span text, p_viewer boolean) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.group_shown(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_span text, p_viewer boolean) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.group_shown(p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_span text, p_viewer boolean) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.hand_out_limited(p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_batch postrider.claim_batch, p_limit integer, OUT taken postrider.taken, OUT batch postrider.claim_batch, OUT throttled integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.hand_out_waiting(p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_places tid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.hand_over(p_consumer text, p_handler text, p_message json, p_error text, p_error_class text, p_outcome text, p_delay_ms double precision, p_succeeded boolean, OUT delivery_id bigint, OUT status text, OUT available_at timestamp with time zone, OUT repeated boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.hand_over(p_consumer text, p_handler text, p_message json, p_error text, p_error_class text, p_outcome text, p_delay_ms double precision, p_succeeded boolean, OUT delivery_id bigint, OUT status text, OUT available_at timestamp with time zone, OUT repeated boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.hand_over_many(p_worker uuid, p_failures json, p_succeeded text[], OUT paused boolean, OUT held text[], OUT probe boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.hand_over_many(p_worker uuid, p_failures json, p_succeeded text[], OUT paused boolean, OUT held text[], OUT probe boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.handle_once(p_key postrider.inbox_key) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.handle_once(p_key postrider.inbox_key) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.handler_policies(p_consumer_id integer, p_names jsonb, p_all boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.handler_shown(p_consumer text, p_channel text, p_handler text, p_span text, p_viewer boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.handler_shown(p_consumer text, p_channel text, p_handler text, p_span text, p_viewer boolean) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.handler_shown(p_consumer text, p_channel text, p_handler text, p_span text, p_viewer boolean) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.handler_shown(p_consumer text, p_channel text, p_handler text, p_span text, p_viewer boolean) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.handlers_for(p_consumer_id integer, p_event_type text, p_xid xid8, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.has_heads(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.has_peer(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.has_peer(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.heads_ended(p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[], p_alive_for interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[], p_alive_for interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.history_span(p_span text, OUT width integer, OUT from_at timestamp with time zone, OUT to_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.history_span(p_span text, OUT width integer, OUT from_at timestamp with time zone, OUT to_at timestamp with time zone) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.history_span(p_span text, OUT width integer, OUT from_at timestamp with time zone, OUT to_at timestamp with time zone) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.history_span(p_span text, OUT width integer, OUT from_at timestamp with time zone, OUT to_at timestamp with time zone) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.hold_back(p_cursor postrider.claim_cursor, p_taken postrider.taken) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.hold_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.hold_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.hold_jobs(p_filter jsonb, p_limit integer, p_begun boolean, p_consumers integer[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.immediate_retries(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.immediate_retries(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.indented(p_document jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.indented(p_document jsonb) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.indented(p_document jsonb) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.indented(p_document jsonb) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.insert_member(p_set_id bigint, p_number bigint, p_message jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.instant_ago(p_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.instant_ago(p_text text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.instant_ago(p_text text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.instant_ago(p_text text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.intake(p_worker uuid, OUT paused boolean, OUT held text[], OUT probe boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.intake(p_worker uuid, OUT paused boolean, OUT held text[], OUT probe boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.is_for(p_cursor postrider.claim_cursor, p_message postrider.message) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.is_home() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.is_home() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.is_home() TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.is_member(p_role text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.job_figures() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.job_figures() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.job_figures() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.job_figures() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.job_places(p_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.job_places(p_id uuid) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.job_places(p_id uuid) TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.jobs_leases(p_jobs postrider.cancel_job[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.keep_owner(p_consumer text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.keep_pgmq_copies(p_limit integer, p_time interval, OUT written bigint, OUT removed bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lease_has_type(p_lease postrider.lease, p_channel text, p_types text[], p_prefixes text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lease_log(p_channel text, p_lease postrider.lease) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lease_messages(p_lease postrider.lease) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lease_successes(p_lease postrider.lease, p_handlers text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.leaves(p_document jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limit_binds(p_limit postrider.handler_limit) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limit_due(p_consumer_id integer, p_worker uuid, p_handlers text[], p_slots integer[], p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limit_figures() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limit_json(p_limit postrider.handler_limit) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.limit_json(p_limit postrider.handler_limit) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.limit_json(p_limit postrider.handler_limit) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.limit_json(p_limit postrider.handler_limit) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.limit_key(p_handler text, p_field text, p_workspace_id uuid, p_ordering_key text, p_partition_key text, p_source text, p_event_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limit_preview(p_consumer text, p_handler text, p_limit jsonb, p_channel text, OUT result text, OUT before jsonb, OUT declared boolean, OUT binds boolean, OUT workers bigint, OUT threads bigint, OUT held bigint, OUT throttled bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.limit_preview(p_consumer text, p_handler text, p_limit jsonb, p_channel text, OUT result text, OUT before jsonb, OUT declared boolean, OUT binds boolean, OUT workers bigint, OUT threads bigint, OUT held bigint, OUT throttled bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.limit_preview(p_consumer text, p_handler text, p_limit jsonb, p_channel text, OUT result text, OUT before jsonb, OUT declared boolean, OUT binds boolean, OUT workers bigint, OUT threads bigint, OUT held bigint, OUT throttled bigint) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.limit_room(p_limit postrider.handler_limit, p_worker uuid, p_threads integer, p_use postrider.limit_held[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limit_running(p_consumer_id integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.limit_running(p_consumer_id integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.limit_running(p_consumer_id integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.limit_running(p_consumer_id integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.limit_use(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limited_consumer(p_consumer text, p_channel text, p_function text, p_lock boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.limited_keys(p_consumer_id integer, p_handler text, p_turn text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.load_cursor(p_worker uuid, p_consumer_id integer, p_lease bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.locate(p_lease postrider.lease, p_channel text, p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_circuits(p_consumer_ids integer[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_claims() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.lock_claims() TO postrider_producer;
GRANT ALL ON FUNCTION postrider.lock_claims() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.lock_claims() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.lock_claims() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.lock_claims() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.lock_claims_of(p_ids uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_consumers(p_consumer_ids integer[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_deliveries(p_deliveries bigint[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_doorbell() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.lock_doorbell() TO postrider_producer;
GRANT ALL ON FUNCTION postrider.lock_doorbell() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.lock_doorbell() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.lock_doorbell() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.lock_doorbell() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.lock_holder(p_class integer, p_key integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.lock_holder(p_class integer, p_key integer) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.lock_holder(p_class integer, p_key integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.lock_holder(p_class integer, p_key integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.lock_holder(p_class integer, p_key integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.lock_idle_ordered() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_jobs(p_jobs postrider.cancel_job[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_keeper() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.lock_keeper() TO postrider_producer;
GRANT ALL ON FUNCTION postrider.lock_keeper() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.lock_keeper() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.lock_keeper() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.lock_keeper() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.lock_keys(p_seqs bigint[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_members(p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_ordered(p_deliveries bigint[], p_wait interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.lock_partitions() TO postrider_producer;
GRANT ALL ON FUNCTION postrider.lock_partitions() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.lock_partitions() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.lock_partitions() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.lock_partitions() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.lock_pgmq(p_queue text, p_diagnostics text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_progress(p_ids uuid[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_proposals() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_quota(p_role text, p_things text, p_wait text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_quotas() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_retention() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.lock_retention() TO postrider_producer;
GRANT ALL ON FUNCTION postrider.lock_retention() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.lock_retention() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.lock_retention() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.lock_retention() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.lock_set(p_set_id bigint, p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lock_tally() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.lock_tally() TO postrider_producer;
GRANT ALL ON FUNCTION postrider.lock_tally() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.lock_tally() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.lock_tally() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.lock_tally() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.lock_workers(p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.log_bounds(p_channel text, p_done pg_snapshot, OUT floor_at timestamp with time zone, OUT ceiling_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.log_is_ahead() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.log_is_ahead() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.log_is_ahead() TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.log_late(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_to_xid xid8, p_to_seq bigint, p_low timestamp with time zone, p_high timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.log_range(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_before xid8, p_low timestamp with time zone, p_high timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.long_queues(p_consumer_id integer, p_most integer, OUT key text, OUT followers bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.look_ahead(p_cursor postrider.claim_cursor, p_native boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lost_deliveries(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.lost_leases(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.maintain() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.maintain() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.maintain() TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.mark_held(p_consumer_id integer, p_handler text, p_held boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.mark_leases(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.matches(p_event_type text, p_patterns text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.matches(p_event_type text, p_patterns text[]) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.matches(p_event_type text, p_patterns text[]) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.matches(p_event_type text, p_patterns text[]) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.materialise_waiting(p_consumer_id integer, p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.may_change_schedules(p_owner text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.may_have_followers(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.may_send_alerts(p_target text, p_configuration text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.may_send_alerts(p_target text, p_configuration text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.may_send_alerts(p_target text, p_configuration text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.may_use_target(p_target text, p_configuration text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.may_work_for(p_consumer text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.members_left(p_lease postrider.lease, p_owed bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.message_before(p_channel text, p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.message_keys() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.message_keys() TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.message_page(p_filter jsonb, p_limit integer, p_xid xid8, p_seq bigint, p_reach integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.message_page(p_filter jsonb, p_limit integer, p_xid xid8, p_seq bigint, p_reach integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.message_page(p_filter jsonb, p_limit integer, p_xid xid8, p_seq bigint, p_reach integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.message_page(p_filter jsonb, p_limit integer, p_xid xid8, p_seq bigint, p_reach integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.message_range(p_filter jsonb, p_xid xid8, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.message_reach(p_filter jsonb, p_reach integer, p_xid xid8, p_seq bigint, OUT xid xid8, OUT seq bigint, OUT published_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.message_reach(p_filter jsonb, p_reach integer, p_xid xid8, p_seq bigint, OUT xid xid8, OUT seq bigint, OUT published_at timestamp with time zone) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.message_reach(p_filter jsonb, p_reach integer, p_xid xid8, p_seq bigint, OUT xid xid8, OUT seq bigint, OUT published_at timestamp with time zone) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.message_reach(p_filter jsonb, p_reach integer, p_xid xid8, p_seq bigint, OUT xid xid8, OUT seq bigint, OUT published_at timestamp with time zone) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.message_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.message_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.message_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.message_rows(p_filter jsonb, p_limit integer, p_after jsonb, p_reach integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.message_shown(p_id uuid, p_workspace uuid, p_errors boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.message_shown(p_id uuid, p_workspace uuid, p_errors boolean) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.message_uuid(p_id text, p_source text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.move_cursor(p_cursor postrider.claim_cursor) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.move_to(p_consumer_id integer, p_at pg_snapshot) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.native_protocol() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.native_status(OUT made boolean, OUT wanted boolean, OUT trouble text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.native_status(OUT made boolean, OUT wanted boolean, OUT trouble text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.native_status(OUT made boolean, OUT wanted boolean, OUT trouble text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.native_status(OUT made boolean, OUT wanted boolean, OUT trouble text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.native_status(OUT made boolean, OUT wanted boolean, OUT trouble text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.next_alerts(p_target text, p_now timestamp with time zone, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.next_due(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.next_due(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.next_followers(p_consumer_id integer, p_keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.next_local(p_cron postrider.cron, p_from timestamp without time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.next_slot(p_cron postrider.cron, p_time_zone text, p_after timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.next_slots(p_cron text, p_time_zone text, p_from timestamp with time zone, p_count integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.next_slots(p_cron text, p_time_zone text, p_from timestamp with time zone, p_count integer) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.next_slots(p_cron text, p_time_zone text, p_from timestamp with time zone, p_count integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.next_slots(p_cron text, p_time_zone text, p_from timestamp with time zone, p_count integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.next_slots(p_cron text, p_time_zone text, p_from timestamp with time zone, p_count integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.next_throttled(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.next_times(p_worker uuid, OUT delivery_at timestamp with time zone, OUT waiting_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.next_times(p_worker uuid, OUT delivery_at timestamp with time zone, OUT waiting_at timestamp with time zone) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.next_waiting(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_all_waiting(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_brokers(p_consumer_id integer, p_handlers jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_followers(p_cursor postrider.claim_cursor, p_piece postrider.ordered_piece, p_to_xid xid8, p_to_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_next_waiting(p_cursor postrider.claim_cursor, OUT at postrider.claim_cursor, OUT waiting integer, OUT more boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_published(p_schedules text[], p_since timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_rollout(p_consumer integer, p_generation bigint, p_version text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_throttled(p_messages postrider.waiting[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.note_waiting(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer, OUT read integer, OUT noted integer, OUT xid xid8, OUT seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.noted_before(p_consumer_id integer, OUT segment xid8, OUT seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.notify_workers(p_note text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.one_handler(p_target text, p_channel text, p_event_type text, OUT consumer_id integer, OUT handler text, OUT wait text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.open_log(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.open_segment(p_cursor postrider.claim_cursor) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.ordering_figures() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.ordering_shown(p_ordered boolean, p_hold_for interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.ordering_shown(p_ordered boolean, p_hold_for interval) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.ordering_shown(p_ordered boolean, p_hold_for interval) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.ordering_shown(p_ordered boolean, p_hold_for interval) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.outage_listed(p_error_class text, p_entries jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.outbox_insert() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.outbox_notify() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.outbox_replay(event_id uuid, p_new_generation bigint, p_replayed_by text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.outbox_replay(event_id uuid, p_new_generation bigint, p_replayed_by text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.override_circuit(p_action text, p_mode text, p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.own_consumer(p_consumer text, p_owner text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.pace(p_window interval, p_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.pace(p_window interval, p_max integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.pace(p_window interval, p_max integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.pace(p_window interval, p_max integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.packed(p_message postrider.message) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.packed_if_small(p_cursor postrider.claim_cursor, p_message postrider.message) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.packed_if_usual(p_cursor postrider.claim_cursor, p_message postrider.message) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park(p_consumer_id integer, p_channel text, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park_ended(p_place postrider.ended_place, p_outcomes jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park_failures(p_lease postrider.lease, p_failures jsonb, OUT failed bigint[], OUT runs postrider.ended_run[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park_ordered(p_lease postrider.lease, p_delivered bigint[], p_failures jsonb, OUT failed bigint[], OUT runs postrider.ended_run[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park_picked(p_cursor postrider.claim_cursor, p_xids xid8[], p_seqs bigint[], p_handlers text[], p_large bigint[], p_throttled postrider.waiting[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park_step(p_lease postrider.lease) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.parse_cron(p_cron text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.partition_holder(p_partition text, p_but_waiting boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.partitions() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.partitions() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.partitions() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.pass_segment(p_cursor postrider.claim_cursor) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.patterns_of(p_event_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean, p_channel text, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean, p_channel text, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.pause_schedule(p_name text, p_paused boolean, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.pause_schedule(p_name text, p_paused boolean, p_actor text, p_reason text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.pause_schedule(p_name text, p_paused boolean, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.pending_deliveries(p_messages uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.pending_deliveries(p_messages uuid[]) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.pgmq_copy_left() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.pgmq_headers(p_delivery postrider.delivery) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.pick(p_cursor postrider.claim_cursor, p_worker uuid, p_log refcursor, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.pick_ordered(p_cursor postrider.claim_cursor, p_worker uuid, p_late boolean, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.pin_plans() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.place_of(p_consumer_id integer, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.placed_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken, p_places tid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.policy_number(p_value jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.policy_number(p_value jsonb) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.policy_number(p_value jsonb) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.postpone_failed(p_consumer_id integer, p_handler text, p_until timestamp with time zone, p_behind boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.postpone_throttled(p_consumer_id integer, p_handlers text[], p_admitted bigint[], p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.preview_rows(p_preview jsonb, p_part text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.preview_rows(p_preview jsonb, p_part text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.preview_rows(p_preview jsonb, p_part text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.preview_shown(p_filter jsonb, p_reach integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.preview_shown(p_filter jsonb, p_reach integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.preview_shown(p_filter jsonb, p_reach integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.problem_passes(p_sqlstate text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.profile(p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.profile(p_name text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.profile(p_name text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.profile(p_name text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.profile(p_name text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.publish(p_event_type text, p_payload jsonb, p_source text, p_target text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.publish(p_event_type text, p_payload jsonb, p_source text, p_target text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.publish_many(p_messages jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.publish_many(p_messages jsonb) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.publish_set(p_name text, p_members jsonb, p_message jsonb, p_dead text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.publish_set(p_name text, p_members jsonb, p_message jsonb, p_dead text) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.publish_unique(p_event_type text, p_target text, p_key text, p_scope text, p_payload jsonb, p_period interval, p_source text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer, OUT id uuid, OUT duplicate boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.publish_unique(p_event_type text, p_target text, p_key text, p_scope text, p_payload jsonb, p_period interval, p_source text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer, OUT id uuid, OUT duplicate boolean) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.put_back(p_consumer_id integer, p_taken postrider.taken, p_seqs bigint[], p_alone boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.put_probes_first(p_consumer_id integer, p_handler text, p_now timestamp with time zone, p_count integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.quantiles(p_counts bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.queue_heads(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.raise_alerts(p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.raise_backlog(p_consumer_id integer, p_key text, p_followers bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.rate_room(p_starts integer, p_period interval, p_burst integer, p_paid_at timestamp with time zone, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_direct(p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room integer, p_chain integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_limit(p_limit jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_on(p_cursor postrider.claim_cursor, p_batch postrider.claim_batch, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_ordered(p_cursor postrider.claim_cursor, p_late boolean, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_pgmq_copies(p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_piece(p_cursor postrider.claim_cursor, p_xid xid8, p_seq bigint, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_rate(p_rate jsonb, p_name text, OUT starts integer, OUT period interval, OUT burst integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_schedule(p_name text, p_definition jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.read_segment_piece(p_cursor postrider.claim_cursor, p_to_xid xid8, p_to_seq bigint, p_lowest bigint, p_blocked text[], p_room integer, p_chain integer, p_native boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.ready_keys(p_consumer_id integer, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.reap(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.reap(p_limit integer) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.reap(p_limit integer) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.reap_deliveries(p_dead uuid[], p_busy integer[], p_now timestamp with time zone, p_until timestamp with time zone, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.rebase() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.rebase_consumer(p_consumer_id integer, p_first_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.recent_types(p_reach integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.recheck_bounds(p_cursor postrider.claim_cursor, OUT looked boolean, OUT recheck_xid xid8, OUT floor_at timestamp with time zone, OUT ceiling_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.record_progress(p_worker uuid, p_reports json) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.record_progress(p_worker uuid, p_reports json) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.record_runs(p_worker uuid, p_runs jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.record_runs(p_worker uuid, p_runs jsonb) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.record_server() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.redeliver(p_message_id uuid, p_consumer text, p_handler text, p_clear_handled boolean, p_actor text, p_reason text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.redeliver(p_message_id uuid, p_consumer text, p_handler text, p_clear_handled boolean, p_actor text, p_reason text, p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.refresh_consumer(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.refresh_limits(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.refresh_some_limits() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.refuse_large(p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.refuse_unordered(p_cursor postrider.claim_cursor, p_taken postrider.taken) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.register_handler(p_consumer_id integer, p_handler text, p_event_types text[], p_retry jsonb, p_max_attempts integer, p_max_crashes integer, p_classes jsonb, p_honour_terminal boolean, p_circuit jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text, p_generation bigint, p_alive_for interval, p_host text, p_version text, p_from_beginning boolean, p_owner text, p_ordering text, p_threads integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text, p_generation bigint, p_alive_for interval, p_host text, p_version text, p_from_beginning boolean, p_owner text, p_ordering text, p_threads integer) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[]) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.release_backlog(p_consumer_id integer, p_key text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.release_failed(p_consumer_id integer, p_handler text, p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.release_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.release_handler(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.release_keys(p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.remove_alert_target(p_target text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.remove_alert_target(p_target text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.remove_consumer(p_consumer text, p_actor text, p_reason text, p_channel text, p_owed boolean, OUT pending bigint, OUT failed bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.remove_consumer(p_consumer text, p_actor text, p_reason text, p_channel text, p_owed boolean, OUT pending bigint, OUT failed bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.remove_limit(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.remove_limit(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.remove_limit(p_consumer text, p_handler text, p_actor text, p_reason text, p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.remove_paid_buckets(p_pages integer, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.remove_pgmq_pipeline(p_queue text, p_actor text, p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.remove_schedule(p_name text, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.remove_schedule(p_name text, p_actor text, p_reason text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.remove_schedule(p_name text, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.replay_again_at(p_replay postrider.replay, p_still interval, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.replay_approve(p_replay bigint, p_actor text, p_reason text, p_token bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_approve(p_replay bigint, p_actor text, p_reason text, p_token bytea) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.replay_cancel(p_replay bigint, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_cancel(p_replay bigint, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.replay_change(p_replay bigint, p_from text[], p_to text, p_action text, p_actor text, p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.replay_judge_canary(p_replay postrider.replay) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.replay_make(p_action text, p_phase text, p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.replay_movable(p_replay postrider.replay) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.replay_move(p_replay postrider.replay, p_limit integer, p_budget integer, p_now timestamp with time zone, OUT moved integer, OUT skipped integer, OUT last integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.replay_pause(p_replay bigint, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_pause(p_replay bigint, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.replay_preview(p_filter jsonb, p_samples integer, p_reach integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_preview(p_filter jsonb, p_samples integer, p_reach integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.replay_preview(p_filter jsonb, p_samples integer, p_reach integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.replay_proposal(p_replay bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_proposal(p_replay bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.replay_proposal(p_replay bigint) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.replay_propose(p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_propose(p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.replay_propose(p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.replay_resume(p_replay bigint, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_resume(p_replay bigint, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.replay_shown(p_replay bigint, p_workspace text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_shown(p_replay bigint, p_workspace text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.replay_shown(p_replay bigint, p_workspace text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.replay_shown(p_replay bigint, p_workspace text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.replay_start(p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_start(p_filter jsonb, p_actor text, p_reason text, p_canary integer, p_rate double precision, p_generation bigint, p_expected bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.replay_status(p_replay bigint, OUT phase text, OUT total integer, OUT waiting integer, OUT moved integer, OUT delivered integer, OUT failed integer, OUT skipped integer, OUT cancelled integer, OUT summary text, OUT notes text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_status(p_replay bigint, OUT phase text, OUT total integer, OUT waiting integer, OUT moved integer, OUT delivered integer, OUT failed integer, OUT skipped integer, OUT cancelled integer, OUT summary text, OUT notes text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.replay_status(p_replay bigint, OUT phase text, OUT total integer, OUT waiting integer, OUT moved integer, OUT delivered integer, OUT failed integer, OUT skipped integer, OUT cancelled integer, OUT summary text, OUT notes text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.replay_status(p_replay bigint, OUT phase text, OUT total integer, OUT waiting integer, OUT moved integer, OUT delivered integer, OUT failed integer, OUT skipped integer, OUT cancelled integer, OUT summary text, OUT notes text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.replay_step(p_limit integer, p_replay bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.replay_step(p_limit integer, p_replay bigint) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.replay_step(p_limit integer, p_replay bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.require_batches(p_batches jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_circuit(p_circuit jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_classes(p_classes jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_cluster() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_dead(p_operation text, p_filter jsonb, p_discarded boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_deployment(p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.require_deployment(p_name text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.require_diagnostics(p_table text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_earlier(p_failures jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_erase(p_filter jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_expected(p_action text, p_expected bigint, p_found bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_filter(p_filter jsonb, p_keys text[], p_subjects text[], p_caller text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_filter_size(p_filter jsonb, p_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_generation(p_deliveries bigint[], p_generation bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_handed_over(p_consumer_id integer, p_failures json) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_handler(p_handler text, p_event_types text[], p_max_attempts integer, p_max_crashes integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_handler_room(p_consumer_id integer, p_handler text, p_event_types text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_key(p_operation text, p_deliveries bigint[], p_channel text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_keys(p_document jsonb, p_allowed text[], p_subject text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_limitable(p_consumer postrider.consumer, p_handler text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_new_numbers(p_seq bigint, p_home boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_no_subscription() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_open(p_filter jsonb, p_found uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_outcomes(p_outcomes jsonb, p_names text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_own_pgmq(p_queue text, p_diagnostics text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_owner(p_consumer text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_pgmq(p_queue text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_progress(p_reports json) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_publishable(p_call text, p_message jsonb, p_fixed text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_quota(p_role text, p_quota text, p_count bigint, p_things text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_read_committed(p_operation text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_retry(p_retry jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_schedule(p_name text, p_call text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_scope(p_key text, p_scope text, p_period interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_status(p_operation text, p_deliveries bigint[], p_status text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_time_zone(p_time_zone text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_unread_copy(p_operation text, p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_worker(p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_worker_room(p_consumer_id integer, p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.reschedule(p_deliveries bigint[], p_available_at timestamp with time zone, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.reschedule(p_deliveries bigint[], p_available_at timestamp with time zone, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.restore(p_filter jsonb, p_actor text, p_reason text, p_expected bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.restore(p_filter jsonb, p_actor text, p_reason text, p_expected bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.resume_worker(p_worker uuid, p_leases bigint[], p_deliveries bigint[], OUT leases integer, OUT deliveries integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.resume_worker(p_worker uuid, p_leases bigint[], p_deliveries bigint[], OUT leases integer, OUT deliveries integer) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.retake_keys(p_deliveries bigint[], p_from text, p_channel text, p_raise boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_alerts(p_limit integer, p_dry_run boolean, p_before timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_dead(p_limit integer, p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_deleted(p_limit integer, p_dry_run boolean, OUT delivered bigint, OUT dead bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_delivered(p_limit integer, p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_handled(p_limit integer, p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_jobs(p_limit integer, p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_leases(p_limit integer, p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_note(p_step text, p_place bigint, p_removed bigint) FROM PUBLIC;

GRANT SELECT ON TABLE postrider.retention_policy TO postrider_producer;
GRANT SELECT ON TABLE postrider.retention_policy TO postrider_worker;
GRANT SELECT ON TABLE postrider.retention_policy TO postrider_operator;
GRANT SELECT ON TABLE postrider.retention_policy TO postrider_viewer;
GRANT SELECT ON TABLE postrider.retention_policy TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.retention_of(p_entity text, p_class text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_partitions(p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_policy_check() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_records(p_limit integer, p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_replays(p_limit integer, p_dry_run boolean, p_before timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_rows(p_limit integer, p_dry_run boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_run(p_limit integer, p_dry_run boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.retention_run(p_limit integer, p_dry_run boolean) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.retention_run(p_limit integer, p_dry_run boolean) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.retention_status() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.retention_status() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.retention_status() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.retention_status() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.retention_targets(p_before timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retention_things(p_now timestamp with time zone, p_most integer, p_delivered double precision, p_handled double precision) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.retry_lock(p_until timestamp with time zone, p_rows text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retry_policy(p_retry jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.reveal(p_message uuid, p_delivery bigint, p_workspace uuid, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.reveal(p_message uuid, p_delivery bigint, p_workspace uuid, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.revive(p_deliveries bigint[], p_from text, p_generation bigint, p_actor text, p_replay bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.revoke_token(p_name text, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.revoke_token(p_name text, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.ring(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.ring(p_channel text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.ring(p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.route(p_consumer_id integer, p_event_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.rows_counted(p_counts bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.run_ended(p_runs postrider.ended_run[], p_succeeded text[], p_watch boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.run_history(p_span text, p_consumer text, p_channel text, p_handler text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.run_history(p_span text, p_consumer text, p_channel text, p_handler text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.run_history(p_span text, p_consumer text, p_channel text, p_handler text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.run_history(p_span text, p_consumer text, p_channel text, p_handler text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.run_schedule(p_name text, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.run_schedule(p_name text, p_actor text, p_reason text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.run_schedule(p_name text, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.scan_time() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.schedule_figures(p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.seek_consumer(p_consumer text, p_to timestamp with time zone, p_actor text, p_reason text, p_channel text, p_dry_run boolean, OUT skipped bigint, OUT waiting bigint, OUT again bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.seek_consumer(p_consumer text, p_to timestamp with time zone, p_actor text, p_reason text, p_channel text, p_dry_run boolean, OUT skipped bigint, OUT waiting bigint, OUT again bigint) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.send_alerts(p_alerts bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.send_pgmq_copy(p_delivery postrider.delivery) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.server_mismatch() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.server_mismatch() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.server_mismatch() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.server_mismatch() TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.set_aside(p_consumer postrider.consumer, p_mine text[], p_event_type text, p_xid xid8, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.set_followers_alert(p_consumer text, p_followers integer, p_actor text, p_reason text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.set_followers_alert(p_consumer text, p_followers integer, p_actor text, p_reason text, p_channel text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.set_followers_alert(p_consumer text, p_followers integer, p_actor text, p_reason text, p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.set_limit(p_consumer text, p_handler text, p_limit jsonb, p_actor text, p_reason text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.set_limit(p_consumer text, p_handler text, p_limit jsonb, p_actor text, p_reason text, p_channel text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.set_limit(p_consumer text, p_handler text, p_limit jsonb, p_actor text, p_reason text, p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.set_message(p_name text, p_message jsonb, p_members bigint, p_failed bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.set_ordering(p_consumer_id integer, p_ordering text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.set_retention(p_entity text, p_active_ttl interval, p_grace interval, p_disposal text, p_class text, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.set_retention(p_entity text, p_active_ttl interval, p_grace interval, p_disposal text, p_class text, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.set_wake(p_channel text, p_wake text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.set_wake(p_channel text, p_wake text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.settle(p_worker uuid, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.settle(p_worker uuid, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.settle_alerts(p_target text, p_results jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.settle_alerts(p_target text, p_results jsonb) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.settle_alerts(p_target text, p_results jsonb) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.settle_whole(p_worker uuid, p_consumer_id integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.shown(p_row json, p_ids_as_text boolean, p_hidden text[], p_only text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.shown(p_row json, p_ids_as_text boolean, p_hidden text[], p_only text[]) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.shown(p_row json, p_ids_as_text boolean, p_hidden text[], p_only text[]) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.shown(p_row json, p_ids_as_text boolean, p_hidden text[], p_only text[]) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.skip_followers(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.skip_missed(p_schedule postrider.schedule, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.skip_waiting(p_consumer_id integer, p_to timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.slot_at(p_schedule text, p_slot timestamp with time zone, p_jitter interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.slot_id(p_schedule text, p_slot timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.slot_message(p_schedule postrider.schedule, p_slot timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.slot_unfinished(p_schedule postrider.schedule) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.snapshot_at(p_channel text, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.spend_starts(p_consumer_id integer, p_limit postrider.handler_limit, p_keys text[], p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.start_cursors(p_consumer_id integer, p_at pg_snapshot, p_floor_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.start_due(p_consumer_id integer, p_deliveries bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.start_keys(p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.start_serial(p_consumer_id integer, p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.succeeded_since(p_consumer_id integer, p_handlers text[], p_since timestamp with time zone[], p_until timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.sum_counts(p_a bigint[], p_b bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.sum_tally() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.system_identifier() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.tail_bound(p_from timestamp with time zone, p_interval interval, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_chains(p_consumer_id integer, p_keys text[], p_taken postrider.taken, p_limit integer, p_chain integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_claim_locks(p_consumer_ids integer[], p_wait interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_key(p_job postrider.unique_job, p_wait text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_keys(p_consumer_id integer, p_limit postrider.handler_limit, p_use postrider.limit_held[], p_room integer, p_now timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_limited(p_cursor postrider.claim_cursor, p_worker uuid, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_lock(p_class integer, p_key integer, p_purpose text, p_wait text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_ordered(p_cursor postrider.claim_cursor, p_taken postrider.taken, p_limit integer, p_chain integer, p_keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_out(p_consumer_id integer, p_jobs postrider.cancel_job[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_over(p_consumer_id integer, p_failures json, p_succeeded text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_slots(p_schedule postrider.schedule, p_now timestamp with time zone, p_limit integer, OUT schedule postrider.schedule, OUT slots timestamp with time zone[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.take_waiting(p_consumer_id integer, p_limit integer, p_idle boolean, p_now timestamp with time zone, p_continue boolean, OUT taken postrider.taken, OUT places tid[], OUT up_to postrider.waiting_place) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.taken_batch(p_cursor postrider.claim_cursor, p_taken postrider.taken) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.taken_messages(p_channel text, p_taken postrider.taken) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.tally_dead() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.throttled_handlers(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.throttled_row(p_consumer_id integer, p_aside postrider.aside, p_message postrider.message) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.time_bound(p_n integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.time_bound(p_n integer) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.time_bound(p_n integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.time_bound(p_n integer) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.time_bound(p_n integer) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.time_bounds() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.too_large(p_payload json, p_headers json) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.transfer_consumer(p_consumer text, p_to_role text, p_actor text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.transfer_consumer(p_consumer text, p_to_role text, p_actor text, p_reason text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.unknown_key(p_object jsonb, p_allowed text[], p_subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.unknown_key(p_object jsonb, p_allowed text[], p_subject text) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.unmatched(p_reach integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.unmatched(p_reach integer) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.unmatched(p_reach integer) TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.unmatched_names(p_reach integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.unregister_worker(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.unregister_worker(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.unserving_keeper(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.unserving_keeper(p_channel text) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.unserving_keeper(p_channel text) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.unserving_keeper(p_channel text) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.untried(p_consumer_id integer, p_handler text, p_now timestamp with time zone, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.view_page(p_view text, p_filter jsonb, p_limit integer, p_after jsonb, p_hidden text[], p_viewer boolean, p_ids_as_text boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.view_page(p_view text, p_filter jsonb, p_limit integer, p_after jsonb, p_hidden text[], p_viewer boolean, p_ids_as_text boolean) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.view_page(p_view text, p_filter jsonb, p_limit integer, p_after jsonb, p_hidden text[], p_viewer boolean, p_ids_as_text boolean) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.view_page(p_view text, p_filter jsonb, p_limit integer, p_after jsonb, p_hidden text[], p_viewer boolean, p_ids_as_text boolean) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.visible_columns(p_view text, p_hidden text[], p_viewer boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.visible_columns(p_view text, p_hidden text[], p_viewer boolean) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.visible_columns(p_view text, p_hidden text[], p_viewer boolean) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.visible_columns(p_view text, p_hidden text[], p_viewer boolean) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.wait(p_policy postrider.retry_policy, p_attempt integer, p_u double precision) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.wait_to_claim(p_consumer_id integer, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.waiting_cursor(p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.waiting_keys(p_consumer_id integer, p_keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.waiting_late(p_cursor postrider.claim_cursor) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.waiting_levels(p_consumer_id integer, p_mark postrider.waiting_place) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.waiting_mark(p_consumer_id integer, p_continue boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.waiting_range(p_cursor postrider.claim_cursor) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.wants(p_consumer text, p_all_types boolean, p_exact_types text[], p_type_prefixes text[], p_target text, p_event_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.watch_pgmq_queue(p_queue text, p_diagnostics text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.write_audit(p_actor text, p_action text, p_reason text, p_filter jsonb, p_before jsonb, p_after jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.write_direct(p_cursor postrider.claim_cursor, p_waits postrider.claim_cursor, p_worker uuid, p_limit integer, p_taken postrider.taken, p_batch postrider.claim_batch, p_piece postrider.direct_piece, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid, OUT parked integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.write_lease(p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_to_xid xid8, p_to_seq bigint, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.write_limit(p_limit postrider.handler_limit, OUT before postrider.handler_limit, OUT result text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.write_waiting_lease(p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_taken postrider.taken, p_up_to postrider.waiting_place, p_moved boolean, p_deadline interval, OUT lease_id bigint, OUT lease_token uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.written_digits(p_document jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.written_digits(p_document jsonb) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.written_digits(p_document jsonb) TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.written_digits(p_document jsonb) TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.xmin_holder() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.xmin_holder() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.xmin_holder() TO postrider_viewer;
GRANT ALL ON FUNCTION postrider.xmin_holder() TO postrider_agent;

REVOKE ALL ON FUNCTION postrider.zone_change(p_time_zone text, p_from timestamp with time zone, p_to timestamp with time zone) FROM PUBLIC;

GRANT SELECT ON TABLE postrider.alerts TO postrider_operator;

GRANT SELECT(alert_id) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(alert_id) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(kind) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(kind) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(at) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(at) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(event_id) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(event_id) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(source) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(source) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(target) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(target) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(handler_name) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(handler_name) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(attempts) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(attempts) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(delivery_id) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(cycle) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(cycle) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(fingerprint) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(fingerprint) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT(unsent) ON TABLE postrider.alerts TO postrider_viewer;
GRANT SELECT(unsent) ON TABLE postrider.alerts TO postrider_agent;

GRANT SELECT ON TABLE postrider.attempts TO postrider_operator;

GRANT SELECT(delivery_id) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(id) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(id) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(workspace_id) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(workspace_id) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(cycle) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(cycle) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(attempt) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(attempt) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(at) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(at) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(outcome) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(outcome) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(error) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(duration_ms) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(duration_ms) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT(worker) ON TABLE postrider.attempts TO postrider_viewer;
GRANT SELECT(worker) ON TABLE postrider.attempts TO postrider_agent;

GRANT SELECT ON TABLE postrider.audits TO postrider_operator;

GRANT SELECT(audit) ON TABLE postrider.audits TO postrider_viewer;
GRANT SELECT(audit) ON TABLE postrider.audits TO postrider_agent;

GRANT SELECT(at) ON TABLE postrider.audits TO postrider_viewer;
GRANT SELECT(at) ON TABLE postrider.audits TO postrider_agent;

GRANT SELECT(actor) ON TABLE postrider.audits TO postrider_viewer;
GRANT SELECT(actor) ON TABLE postrider.audits TO postrider_agent;

GRANT SELECT(role) ON TABLE postrider.audits TO postrider_viewer;
GRANT SELECT(role) ON TABLE postrider.audits TO postrider_agent;

GRANT SELECT(action) ON TABLE postrider.audits TO postrider_viewer;
GRANT SELECT(action) ON TABLE postrider.audits TO postrider_agent;

GRANT SELECT(reason) ON TABLE postrider.audits TO postrider_viewer;
GRANT SELECT(reason) ON TABLE postrider.audits TO postrider_agent;

GRANT SELECT(filter) ON TABLE postrider.audits TO postrider_viewer;
GRANT SELECT(filter) ON TABLE postrider.audits TO postrider_agent;

GRANT SELECT ON TABLE postrider.consumers TO postrider_operator;
GRANT SELECT ON TABLE postrider.consumers TO postrider_viewer;
GRANT SELECT ON TABLE postrider.consumers TO postrider_agent;

GRANT SELECT ON TABLE postrider.handlers TO postrider_operator;

GRANT SELECT(consumer) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(event_types) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(event_types) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(retry) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(retry) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(max_attempts) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(max_attempts) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(max_crashes) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(max_crashes) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(classes) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(classes) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(honour_terminal) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(honour_terminal) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(circuit) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(circuit) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(circuit_state) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(circuit_state) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(circuit_mode) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(circuit_mode) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(failures_in_a_row) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(failures_in_a_row) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(circuit_openings) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(circuit_openings) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(opened_at) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(opened_at) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(probe_at) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(probe_at) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(probes_allowed) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(probes_allowed) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(probes_running) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(probes_running) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(circuit_error_class) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(circuit_error_class) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(circuit_error) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(registered_at) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(registered_at) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(workers) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(workers) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(pending) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(pending) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(failed) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(failed) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(next_due_at) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(next_due_at) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(mode_by) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(mode_by) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT(mode_reason) ON TABLE postrider.handlers TO postrider_viewer;
GRANT SELECT(mode_reason) ON TABLE postrider.handlers TO postrider_agent;

GRANT SELECT ON TABLE postrider.brokers TO postrider_operator;

GRANT SELECT(consumer) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(direction) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(direction) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(address) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(address) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(name) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(name) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(event_types) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(event_types) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(workers) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(workers) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(behind_since) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(behind_since) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(pending) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(pending) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(failed) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(failed) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(circuit_state) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(circuit_state) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(circuit_mode) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(circuit_mode) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(opened_at) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(opened_at) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(probe_at) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(probe_at) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.brokers TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.brokers TO postrider_agent;

GRANT SELECT ON TABLE postrider.channel TO postrider_producer;
GRANT SELECT ON TABLE postrider.channel TO postrider_worker;
GRANT SELECT ON TABLE postrider.channel TO postrider_operator;
GRANT SELECT ON TABLE postrider.channel TO postrider_viewer;
GRANT SELECT ON TABLE postrider.channel TO postrider_agent;

GRANT SELECT ON TABLE postrider.channel_names TO postrider_operator;
GRANT SELECT ON TABLE postrider.channel_names TO postrider_viewer;
GRANT SELECT ON TABLE postrider.channel_names TO postrider_agent;

GRANT SELECT ON TABLE postrider.channels TO postrider_operator;
GRANT SELECT ON TABLE postrider.channels TO postrider_viewer;
GRANT SELECT ON TABLE postrider.channels TO postrider_agent;

GRANT SELECT ON TABLE postrider.dead_letter_groups TO postrider_operator;

GRANT SELECT(consumer) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(fingerprint) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(fingerprint) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(count) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(count) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(first_seen) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(first_seen) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(last_seen) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(last_seen) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(sample_delivery_id) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(sample_delivery_id) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(sample_id) ON TABLE postrider.dead_letter_groups TO postrider_viewer;
GRANT SELECT(sample_id) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT(sample_error) ON TABLE postrider.dead_letter_groups TO postrider_agent;

GRANT SELECT ON TABLE postrider.epochs TO postrider_operator;
GRANT SELECT ON TABLE postrider.epochs TO postrider_viewer;
GRANT SELECT ON TABLE postrider.epochs TO postrider_agent;

GRANT SELECT ON TABLE postrider.function_set TO postrider_producer;
GRANT SELECT ON TABLE postrider.function_set TO postrider_worker;
GRANT SELECT ON TABLE postrider.function_set TO postrider_operator;
GRANT SELECT ON TABLE postrider.function_set TO postrider_viewer;
GRANT SELECT ON TABLE postrider.function_set TO postrider_agent;

GRANT SELECT ON TABLE postrider.job_sets TO postrider_operator;

GRANT SELECT(set_id) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(set_id) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(name) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(name) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(dead) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(dead) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(created_at) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(created_at) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(created_by) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(created_by) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(open) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(open) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(ended) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(ended) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(failed) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(failed) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(completed_at) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(completed_at) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(message_id) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(message_id) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT(target) ON TABLE postrider.job_sets TO postrider_viewer;
GRANT SELECT(target) ON TABLE postrider.job_sets TO postrider_agent;

GRANT SELECT ON TABLE postrider.leases TO postrider_operator;
GRANT SELECT ON TABLE postrider.leases TO postrider_viewer;
GRANT SELECT ON TABLE postrider.leases TO postrider_agent;

GRANT SELECT ON TABLE postrider.limits TO postrider_operator;
GRANT SELECT ON TABLE postrider.limits TO postrider_viewer;
GRANT SELECT ON TABLE postrider.limits TO postrider_agent;

GRANT SELECT ON TABLE postrider.migration TO postrider_producer;
GRANT SELECT ON TABLE postrider.migration TO postrider_worker;
GRANT SELECT ON TABLE postrider.migration TO postrider_operator;
GRANT SELECT ON TABLE postrider.migration TO postrider_viewer;
GRANT SELECT ON TABLE postrider.migration TO postrider_agent;

GRANT SELECT ON TABLE postrider.outbox TO postrider_operator;

GRANT INSERT(id) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(id) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(id) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(channel) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(channel) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(event_type) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(event_type) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(event_version) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(event_version) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(event_version) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(occurred_at) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(occurred_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(occurred_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(source) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(source) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(source) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(target) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(target) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(target) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(content_class) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(content_class) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(content_class) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(generation) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(generation) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(generation) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(workspace_id) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(workspace_id) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(workspace_id) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(payload) ON TABLE postrider.outbox TO postrider_producer;

GRANT INSERT(headers) ON TABLE postrider.outbox TO postrider_producer;

GRANT INSERT(metadata) ON TABLE postrider.outbox TO postrider_producer;

GRANT INSERT(idempotency_key) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(idempotency_key) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(idempotency_key) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(ordering_key) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(ordering_key) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(ordering_key) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(partition_key) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(partition_key) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(partition_key) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(trace_context) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(trace_context) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(trace_context) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(priority) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(priority) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(priority) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(seq) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(seq) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(published_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(published_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(status) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(status) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(attempts) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(attempts) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(attempts_total) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(attempts_total) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(failures) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(failures) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(crashes) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(crashes) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(interruptions) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(interruptions) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(cycle) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(cycle) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(max_attempts) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(max_attempts) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(max_attempts) ON TABLE postrider.outbox TO postrider_agent;

GRANT INSERT(available_at) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(available_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(available_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(claimed_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(claimed_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(worker_id) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(worker_id) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(deadline) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(deadline) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(first_failed_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(first_failed_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(fingerprint) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(fingerprint) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(dead_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(dead_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(delivered_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(delivered_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(deleted_at) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(deleted_at) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT(delivery_id) ON TABLE postrider.outbox TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.outbox TO postrider_agent;

GRANT SELECT ON TABLE postrider.pgmq_pipelines TO postrider_operator;

GRANT SELECT(queue) ON TABLE postrider.pgmq_pipelines TO postrider_viewer;
GRANT SELECT(queue) ON TABLE postrider.pgmq_pipelines TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.pgmq_pipelines TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.pgmq_pipelines TO postrider_agent;

GRANT SELECT(diagnostics) ON TABLE postrider.pgmq_pipelines TO postrider_viewer;
GRANT SELECT(diagnostics) ON TABLE postrider.pgmq_pipelines TO postrider_agent;

GRANT SELECT(defined_at) ON TABLE postrider.pgmq_pipelines TO postrider_viewer;
GRANT SELECT(defined_at) ON TABLE postrider.pgmq_pipelines TO postrider_agent;

GRANT SELECT(defined_by) ON TABLE postrider.pgmq_pipelines TO postrider_viewer;
GRANT SELECT(defined_by) ON TABLE postrider.pgmq_pipelines TO postrider_agent;

GRANT SELECT(copies) ON TABLE postrider.pgmq_pipelines TO postrider_viewer;
GRANT SELECT(copies) ON TABLE postrider.pgmq_pipelines TO postrider_agent;

GRANT SELECT(missing) ON TABLE postrider.pgmq_pipelines TO postrider_viewer;
GRANT SELECT(missing) ON TABLE postrider.pgmq_pipelines TO postrider_agent;

GRANT SELECT ON TABLE postrider.progress TO postrider_operator;

GRANT SELECT(id) ON TABLE postrider.progress TO postrider_viewer;
GRANT SELECT(id) ON TABLE postrider.progress TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.progress TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.progress TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.progress TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.progress TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.progress TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.progress TO postrider_agent;

GRANT SELECT(fraction) ON TABLE postrider.progress TO postrider_viewer;
GRANT SELECT(fraction) ON TABLE postrider.progress TO postrider_agent;

GRANT SELECT(recorded_at) ON TABLE postrider.progress TO postrider_viewer;
GRANT SELECT(recorded_at) ON TABLE postrider.progress TO postrider_agent;

GRANT SELECT ON TABLE postrider.replay_items TO postrider_operator;

GRANT SELECT(replay) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(replay) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(number) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(number) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(delivery_id) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(id) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(id) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(outcome) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(outcome) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(note) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(note) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(moved_at) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(moved_at) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(ended_at) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(ended_at) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.replay_items TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT(last_error) ON TABLE postrider.replay_items TO postrider_agent;

GRANT SELECT ON TABLE postrider.replays TO postrider_operator;
GRANT SELECT ON TABLE postrider.replays TO postrider_viewer;
GRANT SELECT ON TABLE postrider.replays TO postrider_agent;

GRANT SELECT ON TABLE postrider.rollouts TO postrider_operator;
GRANT SELECT ON TABLE postrider.rollouts TO postrider_viewer;
GRANT SELECT ON TABLE postrider.rollouts TO postrider_agent;

GRANT SELECT ON TABLE postrider.schedules TO postrider_operator;

GRANT SELECT(schedule) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(schedule) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(cron) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(cron) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(time_zone) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(time_zone) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(target) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(target) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(workspace_id) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(workspace_id) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(overlap) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(overlap) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(catch_up) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(catch_up) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(jitter) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(jitter) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(paused) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(paused) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(next_slot) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(next_slot) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(queued_slot) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(queued_slot) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(last_slot) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(last_slot) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(last_fired_at) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(last_fired_at) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(last_message_id) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(last_message_id) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(fired) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(fired) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(late) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(late) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(skipped) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(skipped) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(owner) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(owner) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(created_at) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(created_at) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT(changed_at) ON TABLE postrider.schedules TO postrider_viewer;
GRANT SELECT(changed_at) ON TABLE postrider.schedules TO postrider_agent;

GRANT SELECT ON TABLE postrider.unsent_alerts TO postrider_operator;

GRANT SELECT(alert_id) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(alert_id) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(kind) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(kind) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(at) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(at) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(event_id) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(event_id) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(source) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(source) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(target) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(target) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(handler_name) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(handler_name) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(attempts) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(attempts) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(channel) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(channel) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(delivery_id) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(cycle) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(cycle) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(fingerprint) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(fingerprint) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(error_class) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(error_class) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT(unsent) ON TABLE postrider.unsent_alerts TO postrider_viewer;
GRANT SELECT(unsent) ON TABLE postrider.unsent_alerts TO postrider_agent;

GRANT SELECT ON TABLE postrider.stats TO postrider_operator;
GRANT SELECT ON TABLE postrider.stats TO postrider_viewer;
GRANT SELECT ON TABLE postrider.stats TO postrider_agent;

GRANT SELECT ON TABLE postrider.tokens TO postrider_operator;

GRANT SELECT(in_use) ON TABLE postrider.tokens TO postrider_viewer;

GRANT SELECT ON TABLE postrider.top_consumers TO postrider_operator;
GRANT SELECT ON TABLE postrider.top_consumers TO postrider_viewer;
GRANT SELECT ON TABLE postrider.top_consumers TO postrider_agent;

GRANT SELECT ON TABLE postrider.top_handlers TO postrider_operator;
GRANT SELECT ON TABLE postrider.top_handlers TO postrider_viewer;
GRANT SELECT ON TABLE postrider.top_handlers TO postrider_agent;

GRANT SELECT ON TABLE postrider.top_replays TO postrider_operator;
GRANT SELECT ON TABLE postrider.top_replays TO postrider_viewer;
GRANT SELECT ON TABLE postrider.top_replays TO postrider_agent;

GRANT SELECT ON TABLE postrider.top_totals TO postrider_operator;
GRANT SELECT ON TABLE postrider.top_totals TO postrider_viewer;
GRANT SELECT ON TABLE postrider.top_totals TO postrider_agent;

GRANT SELECT ON TABLE postrider.workers TO postrider_operator;
GRANT SELECT ON TABLE postrider.workers TO postrider_viewer;
GRANT SELECT ON TABLE postrider.workers TO postrider_agent;

GRANT SELECT ON TABLE postrider.top_workers TO postrider_operator;
GRANT SELECT ON TABLE postrider.top_workers TO postrider_viewer;
GRANT SELECT ON TABLE postrider.top_workers TO postrider_agent;

GRANT SELECT ON TABLE postrider.unique_keys TO postrider_operator;
GRANT SELECT ON TABLE postrider.unique_keys TO postrider_viewer;
GRANT SELECT ON TABLE postrider.unique_keys TO postrider_agent;

GRANT SELECT ON TABLE postrider.v_open_outbox TO postrider_operator;

GRANT SELECT(event_id) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(event_id) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(state) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(state) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(created_at) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(created_at) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(partition_key) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(partition_key) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(ordering_key) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(ordering_key) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(attempts) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(attempts) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(available_at) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(available_at) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(claimed_at) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(claimed_at) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(claimed_by) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(claimed_by) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(published_at) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(published_at) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(attempts_total) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(attempts_total) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(cycle) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(cycle) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT(delivery_id) ON TABLE postrider.v_open_outbox TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.v_open_outbox TO postrider_agent;

GRANT SELECT ON TABLE postrider.v_pgmq TO postrider_operator;

GRANT SELECT(queue_name) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(queue_name) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT(original_msg_id) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(original_msg_id) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT(step) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(step) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT(read_ct) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(read_ct) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT(first_seen) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(first_seen) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT(dead_at) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(dead_at) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT(message_id) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(message_id) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT(delivery_id) ON TABLE postrider.v_pgmq TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.v_pgmq TO postrider_agent;

GRANT SELECT ON TABLE postrider.v_pgmq_queue TO postrider_operator;

GRANT SELECT(queue_name) ON TABLE postrider.v_pgmq_queue TO postrider_viewer;
GRANT SELECT(queue_name) ON TABLE postrider.v_pgmq_queue TO postrider_agent;

GRANT SELECT(msg_id) ON TABLE postrider.v_pgmq_queue TO postrider_viewer;
GRANT SELECT(msg_id) ON TABLE postrider.v_pgmq_queue TO postrider_agent;

GRANT SELECT(read_ct) ON TABLE postrider.v_pgmq_queue TO postrider_viewer;
GRANT SELECT(read_ct) ON TABLE postrider.v_pgmq_queue TO postrider_agent;

GRANT SELECT(enqueued_at) ON TABLE postrider.v_pgmq_queue TO postrider_viewer;
GRANT SELECT(enqueued_at) ON TABLE postrider.v_pgmq_queue TO postrider_agent;

GRANT SELECT(vt) ON TABLE postrider.v_pgmq_queue TO postrider_viewer;
GRANT SELECT(vt) ON TABLE postrider.v_pgmq_queue TO postrider_agent;

GRANT SELECT(message_id) ON TABLE postrider.v_pgmq_queue TO postrider_viewer;
GRANT SELECT(message_id) ON TABLE postrider.v_pgmq_queue TO postrider_agent;

GRANT SELECT(step) ON TABLE postrider.v_pgmq_queue TO postrider_viewer;
GRANT SELECT(step) ON TABLE postrider.v_pgmq_queue TO postrider_agent;

GRANT SELECT ON TABLE postrider.v_pulse TO postrider_operator;

GRANT SELECT(id) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(id) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(event_type) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(event_type) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(status) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(status) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(priority) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(priority) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(attempts) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(attempts) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(max_attempts) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(max_attempts) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(next_run_at) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(next_run_at) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(locked_by) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(locked_by) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(locked_at) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(locked_at) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(lease_until) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(lease_until) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(created_at) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(created_at) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(completed_at) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(completed_at) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(consumer) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(consumer) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(handler) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(handler) ON TABLE postrider.v_pulse TO postrider_agent;

GRANT SELECT(delivery_id) ON TABLE postrider.v_pulse TO postrider_viewer;
GRANT SELECT(delivery_id) ON TABLE postrider.v_pulse TO postrider_agent;

