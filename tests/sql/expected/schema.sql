
CREATE SCHEMA postrider;

ALTER SCHEMA postrider OWNER TO postrider_owner;

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
    payload jsonb,
    headers jsonb,
    idempotency_key text,
    ordering_key text,
    partition_key text,
    trace_context text,
    content_class text,
    generation bigint,
    xid xid8
);

ALTER TYPE postrider.claimed OWNER TO postrider_owner;

CREATE TYPE postrider."position" AS (
    done pg_snapshot,
    open pg_snapshot,
    xid xid8,
    seq bigint
);

ALTER TYPE postrider."position" OWNER TO postrider_owner;

CREATE FUNCTION postrider.claim(p_worker uuid, p_limit integer DEFAULT 10, p_deadline interval DEFAULT NULL::interval) RETURNS TABLE(lease_id bigint, lease_token uuid, seq bigint, id uuid, event_type text, event_version integer, occurred_at timestamp with time zone, source text, target text, workspace_id uuid, payload jsonb, headers jsonb, idempotency_key text, ordering_key text, partition_key text, trace_context text, content_class text, generation bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.claim(p_worker uuid, p_limit integer, p_deadline interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.claim_due(p_worker uuid, p_limit integer DEFAULT 10, p_deadline interval DEFAULT NULL::interval, p_alone boolean DEFAULT true) RETURNS TABLE(delivery_id bigint, lease_token uuid, lease_until timestamp with time zone, handler text, attempts integer, cycle integer, alone boolean, id uuid, event_type text, event_version integer, occurred_at timestamp with time zone, source text, target text, workspace_id uuid, payload jsonb, headers jsonb, idempotency_key text, ordering_key text, partition_key text, trace_context text, content_class text, generation bigint)
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

ALTER FUNCTION postrider.claim_due(p_worker uuid, p_limit integer, p_deadline interval, p_alone boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.conclude(p_outcomes jsonb, p_worker uuid DEFAULT NULL::uuid) RETURNS TABLE(delivery_id bigint, result text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.conclude(p_outcomes jsonb, p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.create_consumer(p_consumer text, p_channel text DEFAULT 'outbox_default'::text, p_from_beginning boolean DEFAULT false) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.current_snapshot() RETURNS pg_snapshot
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.current_snapshot() OWNER TO postrider_owner;

CREATE FUNCTION postrider.cursor_of(p_consumer_id integer) RETURNS postrider."position"
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.cursor_of(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_keep(p_channel text) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_keep(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_sleep(p_channel text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.doorbell_sleep(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.doorbell_wake(p_channel text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET client_min_messages TO 'error'
    AS ...;

ALTER FUNCTION postrider.doorbell_wake(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.drop_partitions(p_before timestamp with time zone) RETURNS TABLE(partition text, dropped boolean, held_by text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.drop_partitions(p_before timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.ensure_partitions() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    SET lock_timeout TO '100ms'
    AS ...;

ALTER FUNCTION postrider.ensure_partitions() OWNER TO postrider_owner;

CREATE FUNCTION postrider.enter_cluster() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.enter_cluster() OWNER TO postrider_owner;

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

CREATE FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.handlers_for(p_consumer_id integer, p_event_type text, p_xid xid8, p_seq bigint) RETURNS text[]
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.handlers_for(p_consumer_id integer, p_event_type text, p_xid xid8, p_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[] DEFAULT '{}'::bigint[], p_alive_for interval DEFAULT NULL::interval) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[], p_alive_for interval) OWNER TO postrider_owner;

CREATE FUNCTION postrider.insertion_time() RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.insertion_time() OWNER TO postrider_owner;

CREATE FUNCTION postrider.is_home() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.is_home() OWNER TO postrider_owner;

CREATE FUNCTION postrider.uuid_v7() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.uuid_v7() OWNER TO postrider_owner;

CREATE TABLE postrider.message (
    seq bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    published_at timestamp with time zone DEFAULT postrider.insertion_time() NOT NULL,
    id uuid DEFAULT postrider.uuid_v7() NOT NULL,
    channel text DEFAULT 'outbox_default'::text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL COLLATE pg_catalog."C",
    event_version integer DEFAULT 1 NOT NULL,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    source text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    target text COLLATE pg_catalog."C",
    content_class text COLLATE pg_catalog."C",
    generation bigint,
    workspace_id uuid,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    headers jsonb,
    metadata jsonb,
    idempotency_key text COLLATE pg_catalog."C",
    ordering_key text COLLATE pg_catalog."C",
    partition_key text COLLATE pg_catalog."C",
    trace_context text COLLATE pg_catalog."C",
    available_at timestamp with time zone,
    priority smallint DEFAULT 0 NOT NULL,
    max_attempts smallint,
    CONSTRAINT message_channel_check CHECK (((octet_length(channel) >= 1) AND (octet_length(channel) <= 63))),
    CONSTRAINT message_doorbell CHECK ((pg_try_advisory_xact_lock_shared(1886351201, hashtext(channel)) OR (pg_notify(channel, ''::text) IS NOT NULL))),
    CONSTRAINT message_event_type_check CHECK (((octet_length(event_type) >= 1) AND (octet_length(event_type) <= 255))),
    CONSTRAINT message_headers_check CHECK ((pg_column_size(headers) <= 65536)),
    CONSTRAINT message_keys_check CHECK (((octet_length(idempotency_key) <= 255) AND (octet_length(ordering_key) <= 255) AND (octet_length(partition_key) <= 255) AND (octet_length(trace_context) <= 255) AND (octet_length(content_class) <= 255))),
    CONSTRAINT message_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 1000))),
    CONSTRAINT message_metadata_check CHECK ((pg_column_size(metadata) <= 65536)),
    CONSTRAINT message_payload_check CHECK ((pg_column_size(payload) <= 1048576)),
    CONSTRAINT message_source_check CHECK ((octet_length(source) <= 255)),
    CONSTRAINT message_target_check CHECK (((octet_length(target) >= 1) AND (octet_length(target) <= 255)))
)
PARTITION BY RANGE (published_at);

ALTER TABLE postrider.message OWNER TO postrider_owner;

CREATE FUNCTION postrider.log_late(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_to_xid xid8, p_to_seq bigint, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) RETURNS SETOF postrider.message
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.log_late(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_to_xid xid8, p_to_seq bigint, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.log_range(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_before xid8, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) RETURNS SETOF postrider.message
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.log_range(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_before xid8, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.maintain() RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.maintain() OWNER TO postrider_owner;

CREATE FUNCTION postrider.matches(p_event_type text, p_patterns text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.matches(p_event_type text, p_patterns text[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.move_cursor(p_consumer_id integer, p_done pg_snapshot, p_open pg_snapshot, p_done_xid xid8, p_open_xid xid8, p_done_at timestamp with time zone, p_open_at timestamp with time zone, p_floor_at timestamp with time zone) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.move_cursor(p_consumer_id integer, p_done pg_snapshot, p_open pg_snapshot, p_done_xid xid8, p_open_xid xid8, p_done_at timestamp with time zone, p_open_at timestamp with time zone, p_floor_at timestamp with time zone) OWNER TO postrider_owner;

CREATE FUNCTION postrider.next_due(p_worker uuid) RETURNS timestamp with time zone
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.next_due(p_worker uuid) OWNER TO postrider_owner;

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

CREATE FUNCTION postrider.park(p_consumer_id integer, p_message postrider.message, p_handlers text[], p_worker uuid DEFAULT NULL::uuid, p_token uuid DEFAULT NULL::uuid) RETURNS SETOF bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.park(p_consumer_id integer, p_message postrider.message, p_handlers text[], p_worker uuid, p_token uuid) OWNER TO postrider_owner;

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
    reaped_at timestamp with time zone
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY postrider.lease ALTER COLUMN members SET STORAGE EXTERNAL;

ALTER TABLE postrider.lease OWNER TO postrider_owner;

CREATE FUNCTION postrider.park_failures(p_lease postrider.lease, p_seqs bigint[], p_failures jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.park_failures(p_lease postrider.lease, p_seqs bigint[], p_failures jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.partitions() RETURNS TABLE(name text, from_at timestamp with time zone, to_at timestamp with time zone)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    AS ...;

ALTER FUNCTION postrider.partitions() OWNER TO postrider_owner;

CREATE FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean DEFAULT true, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean, p_channel text) OWNER TO postrider_owner;

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

CREATE FUNCTION postrider.reap(p_limit integer DEFAULT 100) RETURNS TABLE(leases integer, deliveries integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.reap(p_limit integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.rebase() RETURNS TABLE(consumer text, channel text, deliveries bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.rebase() OWNER TO postrider_owner;

CREATE FUNCTION postrider.rebase_consumer(p_consumer_id integer, p_first_seq bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.rebase_consumer(p_consumer_id integer, p_first_seq bigint) OWNER TO postrider_owner;

CREATE FUNCTION postrider.refresh_consumer(p_consumer_id integer) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.refresh_consumer(p_consumer_id integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.register_handler(p_consumer_id integer, p_handler text, p_event_types text[], p_retry jsonb DEFAULT '{}'::jsonb, p_max_attempts integer DEFAULT 5, p_crashes_max integer DEFAULT 3) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.register_handler(p_consumer_id integer, p_handler text, p_event_types text[], p_retry jsonb, p_max_attempts integer, p_crashes_max integer) OWNER TO postrider_owner;

CREATE FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text DEFAULT 'outbox_default'::text, p_generation bigint DEFAULT NULL::bigint, p_alive_for interval DEFAULT '00:00:30'::interval, p_host text DEFAULT ''::text, p_version text DEFAULT ''::text, p_from_beginning boolean DEFAULT false) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text, p_generation bigint, p_alive_for interval, p_host text, p_version text, p_from_beginning boolean) OWNER TO postrider_owner;

CREATE FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[] DEFAULT NULL::bigint[]) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[]) OWNER TO postrider_owner;

CREATE FUNCTION postrider.require_cluster() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_cluster() OWNER TO postrider_owner;

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

CREATE FUNCTION postrider.require_worker(p_worker uuid) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.require_worker(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text DEFAULT 'outbox_default'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.ring(p_channel text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.ring(p_channel text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.route(p_consumer_id integer, p_event_type text) RETURNS text[]
    LANGUAGE sql STABLE
    AS ...;

ALTER FUNCTION postrider.route(p_consumer_id integer, p_event_type text) OWNER TO postrider_owner;

CREATE FUNCTION postrider.segment(p_lease postrider.lease) RETURNS SETOF postrider.message
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

ALTER FUNCTION postrider.segment(p_lease postrider.lease) OWNER TO postrider_owner;

CREATE FUNCTION postrider.set_aside(p_consumer_id integer, p_mine text[], p_channel text, p_xid xid8, p_seq bigint, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone, OUT ours boolean, OUT parked integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.set_aside(p_consumer_id integer, p_mine text[], p_channel text, p_xid xid8, p_seq bigint, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone, OUT ours boolean, OUT parked integer) OWNER TO postrider_owner;

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

CREATE FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) RETURNS TABLE(delivery_id bigint, result text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) OWNER TO postrider_owner;

CREATE FUNCTION postrider.system_identifier() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.system_identifier() OWNER TO postrider_owner;

CREATE FUNCTION postrider.unregister_worker(p_worker uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS ...;

ALTER FUNCTION postrider.unregister_worker(p_worker uuid) OWNER TO postrider_owner;

CREATE FUNCTION postrider.wants(p_consumer text, p_all_types boolean, p_exact_types text[], p_type_prefixes text[], p_target text, p_event_type text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS ...;

ALTER FUNCTION postrider.wants(p_consumer text, p_all_types boolean, p_exact_types text[], p_type_prefixes text[], p_target text, p_event_type text) OWNER TO postrider_owner;

CREATE TABLE postrider.channel (
    name text NOT NULL COLLATE pg_catalog."C",
    wake text DEFAULT 'doorbell'::text NOT NULL,
    CONSTRAINT channel_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 63))),
    CONSTRAINT channel_wake_check CHECK ((wake = ANY (ARRAY['doorbell'::text, 'always'::text, 'never'::text])))
);

ALTER TABLE postrider.channel OWNER TO postrider_owner;

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
    CONSTRAINT consumer_name_check CHECK ((name ~ '^[a-z0-9_][a-z0-9_.-]{0,62}$'::text))
);

ALTER TABLE postrider.consumer OWNER TO postrider_owner;

ALTER TABLE postrider.consumer ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.consumer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

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
    cycle integer DEFAULT 1 NOT NULL,
    max_attempts integer,
    crashes_max integer NOT NULL,
    retry jsonb DEFAULT '{}'::jsonb NOT NULL,
    available_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    claimed_by uuid,
    lease_token uuid,
    lease_until timestamp with time zone,
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
    payload jsonb NOT NULL,
    headers jsonb,
    metadata jsonb,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    ordering_key text COLLATE pg_catalog."C",
    partition_key text COLLATE pg_catalog."C",
    trace_context text COLLATE pg_catalog."C",
    priority smallint NOT NULL,
    CONSTRAINT delivery_claim_check CHECK ((((status = 'in_flight'::text) = (lease_token IS NOT NULL)) AND ((status = 'in_flight'::text) = (claimed_at IS NOT NULL)))),
    CONSTRAINT delivery_dead_check CHECK (((status = 'failed'::text) = (dead_at IS NOT NULL))),
    CONSTRAINT delivery_delivered_check CHECK (((status = 'delivered'::text) = (delivered_at IS NOT NULL))),
    CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'in_flight'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE postrider.delivery OWNER TO postrider_owner;

ALTER TABLE postrider.delivery ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postrider.epoch (
    system_identifier bigint NOT NULL,
    first_seq bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    rebased_at timestamp with time zone
);

ALTER TABLE postrider.epoch OWNER TO postrider_owner;

CREATE TABLE postrider.function_set (
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE postrider.function_set OWNER TO postrider_owner;

CREATE TABLE postrider.handler (
    consumer_id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    revision integer DEFAULT 1 NOT NULL,
    event_types text[] NOT NULL COLLATE pg_catalog."C",
    retry jsonb DEFAULT '{}'::jsonb NOT NULL,
    max_attempts smallint DEFAULT 5 NOT NULL,
    crashes_max smallint DEFAULT 3 NOT NULL,
    starts postrider."position" NOT NULL,
    ends postrider."position",
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT handler_crashes_max_check CHECK (((crashes_max >= 1) AND (crashes_max <= 1000))),
    CONSTRAINT handler_ends_check CHECK (((ends IS NULL) = (retired_at IS NULL))),
    CONSTRAINT handler_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 1000))),
    CONSTRAINT handler_name_check CHECK (((name ~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)+$'::text) AND (octet_length(name) <= 127)))
);

ALTER TABLE postrider.handler OWNER TO postrider_owner;

ALTER TABLE postrider.lease ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.lease_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE postrider.message ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postrider.message_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 64
);

CREATE TABLE postrider.message_tail (
    seq bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    published_at timestamp with time zone DEFAULT postrider.insertion_time() NOT NULL,
    id uuid DEFAULT postrider.uuid_v7() NOT NULL,
    channel text DEFAULT 'outbox_default'::text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL COLLATE pg_catalog."C",
    event_version integer DEFAULT 1 NOT NULL,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    source text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    target text COLLATE pg_catalog."C",
    content_class text COLLATE pg_catalog."C",
    generation bigint,
    workspace_id uuid,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    headers jsonb,
    metadata jsonb,
    idempotency_key text COLLATE pg_catalog."C",
    ordering_key text COLLATE pg_catalog."C",
    partition_key text COLLATE pg_catalog."C",
    trace_context text COLLATE pg_catalog."C",
    available_at timestamp with time zone,
    priority smallint DEFAULT 0 NOT NULL,
    max_attempts smallint,
    CONSTRAINT message_channel_check CHECK (((octet_length(channel) >= 1) AND (octet_length(channel) <= 63))),
    CONSTRAINT message_doorbell CHECK ((pg_try_advisory_xact_lock_shared(1886351201, hashtext(channel)) OR (pg_notify(channel, ''::text) IS NOT NULL))),
    CONSTRAINT message_event_type_check CHECK (((octet_length(event_type) >= 1) AND (octet_length(event_type) <= 255))),
    CONSTRAINT message_headers_check CHECK ((pg_column_size(headers) <= 65536)),
    CONSTRAINT message_keys_check CHECK (((octet_length(idempotency_key) <= 255) AND (octet_length(ordering_key) <= 255) AND (octet_length(partition_key) <= 255) AND (octet_length(trace_context) <= 255) AND (octet_length(content_class) <= 255))),
    CONSTRAINT message_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 1000))),
    CONSTRAINT message_metadata_check CHECK ((pg_column_size(metadata) <= 65536)),
    CONSTRAINT message_payload_check CHECK ((pg_column_size(payload) <= 1048576)),
    CONSTRAINT message_source_check CHECK ((octet_length(source) <= 255)),
    CONSTRAINT message_target_check CHECK (((octet_length(target) >= 1) AND (octet_length(target) <= 255)))
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
 SELECT m.id,
    m.channel,
    m.event_type,
    m.event_version,
    m.occurred_at,
    m.source,
    m.target,
    m.content_class,
    m.generation,
    m.workspace_id,
    m.payload,
    m.headers,
    m.metadata,
    COALESCE(m.idempotency_key, (m.id)::text) AS idempotency_key,
    m.ordering_key,
    m.partition_key,
    m.trace_context,
    (m.priority)::integer AS priority,
    m.seq,
    m.published_at,
    c.name AS consumer,
    h.name AS handler,
    'pending'::text AS status,
    0 AS attempts,
    0 AS attempts_total,
    0 AS failures,
    0 AS crashes,
    0 AS interruptions,
    1 AS cycle,
    (COALESCE(m.max_attempts, h.max_attempts))::integer AS max_attempts,
    COALESCE(m.available_at, m.published_at) AS available_at,
    NULL::timestamp with time zone AS claimed_at,
    NULL::uuid AS claimed_by,
    NULL::timestamp with time zone AS lease_until,
    NULL::timestamp with time zone AS first_failed_at,
    NULL::text AS last_error,
    NULL::text AS error_class,
    NULL::text AS fingerprint,
    '[]'::jsonb AS failure_history,
    NULL::timestamp with time zone AS dead_at,
    NULL::timestamp with time zone AS delivered_at,
    NULL::timestamp with time zone AS deleted_at,
    NULL::bigint AS delivery_id
   FROM (((postrider.consumer c
     CROSS JOIN LATERAL ( SELECT ROW(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider."position" AS at
           FROM postrider.lease l
          WHERE (l.consumer_id = c.id)
          ORDER BY l.id DESC
         LIMIT 1) cur)
     JOIN postrider.message m ON (((m.channel = c.channel) AND (m.xid >= pg_snapshot_xmin((cur.at).done)))))
     LEFT JOIN postrider.handler h ON (((h.consumer_id = c.id) AND (h.retired_at IS NULL) AND postrider.matches(m.event_type, h.event_types))))
  WHERE ((NOT postrider.covers(cur.at, m.xid, m.seq)) AND ((m.target IS NULL) OR (m.target = c.name)) AND ((h.name IS NOT NULL) OR (m.target IS NOT NULL)))
UNION ALL
 SELECT m.id,
    m.channel,
    m.event_type,
    m.event_version,
    m.occurred_at,
    m.source,
    m.target,
    m.content_class,
    m.generation,
    m.workspace_id,
    m.payload,
    m.headers,
    m.metadata,
    COALESCE(m.idempotency_key, (m.id)::text) AS idempotency_key,
    m.ordering_key,
    m.partition_key,
    m.trace_context,
    (m.priority)::integer AS priority,
    m.seq,
    m.published_at,
    c.name AS consumer,
    h.name AS handler,
    'in_flight'::text AS status,
    1 AS attempts,
    1 AS attempts_total,
    0 AS failures,
    0 AS crashes,
    0 AS interruptions,
    1 AS cycle,
    (COALESCE(m.max_attempts, h.max_attempts))::integer AS max_attempts,
    COALESCE(m.available_at, m.published_at) AS available_at,
    l.claimed_at,
    l.worker_id AS claimed_by,
    l.deadline AS lease_until,
    NULL::timestamp with time zone AS first_failed_at,
    NULL::text AS last_error,
    NULL::text AS error_class,
    NULL::text AS fingerprint,
    '[]'::jsonb AS failure_history,
    NULL::timestamp with time zone AS dead_at,
    NULL::timestamp with time zone AS delivered_at,
    NULL::timestamp with time zone AS deleted_at,
    NULL::bigint AS delivery_id
   FROM ((((postrider.lease l
     JOIN postrider.consumer c ON ((c.id = l.consumer_id)))
     CROSS JOIN LATERAL ( SELECT min(s.s) AS low,
            max(s.s) AS high
           FROM unnest(l.members) s(s)) bounds)
     CROSS JOIN LATERAL ( SELECT m_1.seq,
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
            m_1.max_attempts
           FROM (pg_snapshot_xip(l.done_snapshot) x(x)
             JOIN postrider.message m_1 ON (((m_1.channel = c.channel) AND (m_1.xid = x.x))))
          WHERE ((l.to_xid < pg_snapshot_xmax(l.done_snapshot)) AND ((x.x >= l.from_xid) AND (x.x <= l.to_xid)))
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
            m_1.max_attempts
           FROM postrider.message m_1
          WHERE ((m_1.channel = c.channel) AND (l.to_xid >= pg_snapshot_xmax(l.done_snapshot)) AND (m_1.xid >= GREATEST(l.from_xid, pg_snapshot_xmax(l.done_snapshot))) AND (m_1.xid <= l.to_xid) AND ((m_1.seq >= bounds.low) AND (m_1.seq <= bounds.high)))) m)
     JOIN postrider.handler h ON (((h.consumer_id = c.id) AND postrider.matches(m.event_type, h.event_types))))
  WHERE ((l.finished_at IS NULL) AND (m.seq = ANY (l.members)) AND (NOT postrider.covers(h.starts, m.xid, m.seq)) AND ((h.ends IS NULL) OR postrider.covers(h.ends, m.xid, m.seq)) AND (NOT (EXISTS ( SELECT
           FROM postrider.delivery d
          WHERE ((d.seq = m.seq) AND (d.consumer_id = c.id) AND (d.handler = h.name))))))
UNION ALL
 SELECT m.id,
    m.channel,
    m.event_type,
    m.event_version,
    m.occurred_at,
    m.source,
    m.target,
    m.content_class,
    m.generation,
    m.workspace_id,
    m.payload,
    m.headers,
    m.metadata,
    COALESCE(m.idempotency_key, (m.id)::text) AS idempotency_key,
    m.ordering_key,
    m.partition_key,
    m.trace_context,
    (m.priority)::integer AS priority,
    m.seq,
    m.published_at,
    c.name AS consumer,
    h.name AS handler,
    'delivered'::text AS status,
    1 AS attempts,
    1 AS attempts_total,
    0 AS failures,
    0 AS crashes,
    0 AS interruptions,
    1 AS cycle,
    (COALESCE(m.max_attempts, h.max_attempts))::integer AS max_attempts,
    COALESCE(m.available_at, m.published_at) AS available_at,
    NULL::timestamp with time zone AS claimed_at,
    NULL::uuid AS claimed_by,
    NULL::timestamp with time zone AS lease_until,
    NULL::timestamp with time zone AS first_failed_at,
    NULL::text AS last_error,
    NULL::text AS error_class,
    NULL::text AS fingerprint,
    '[]'::jsonb AS failure_history,
    NULL::timestamp with time zone AS dead_at,
    NULL::timestamp with time zone AS delivered_at,
    NULL::timestamp with time zone AS deleted_at,
    NULL::bigint AS delivery_id
   FROM (((postrider.consumer c
     CROSS JOIN LATERAL ( SELECT ROW(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider."position" AS at
           FROM postrider.lease l
          WHERE (l.consumer_id = c.id)
          ORDER BY l.id DESC
         LIMIT 1) cur)
     JOIN postrider.handler h ON ((h.consumer_id = c.id)))
     JOIN postrider.message m ON (((m.channel = c.channel) AND postrider.matches(m.event_type, h.event_types))))
  WHERE (postrider.covers(cur.at, m.xid, m.seq) AND ((m.target IS NULL) OR (m.target = c.name)) AND (NOT postrider.covers(h.starts, m.xid, m.seq)) AND ((h.ends IS NULL) OR postrider.covers(h.ends, m.xid, m.seq)) AND (NOT (EXISTS ( SELECT
           FROM postrider.lease l
          WHERE ((l.consumer_id = c.id) AND (l.finished_at IS NULL) AND (m.seq = ANY (l.members)))))) AND (NOT (EXISTS ( SELECT
           FROM postrider.delivery d
          WHERE ((d.seq = m.seq) AND (d.consumer_id = c.id) AND (d.handler = h.name))))))
UNION ALL
 SELECT d.message_id AS id,
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
    c.name AS consumer,
    NULLIF(d.handler, ''::text) AS handler,
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
    d.claimed_by,
    d.lease_until,
    d.first_failed_at,
    d.last_error,
    d.error_class,
    d.fingerprint,
    d.failure_history,
    d.dead_at,
    d.delivered_at,
    d.deleted_at,
    d.id AS delivery_id
   FROM (postrider.delivery d
     JOIN postrider.consumer c ON ((c.id = d.consumer_id)));

ALTER TABLE postrider.outbox OWNER TO postrider_owner;

CREATE TABLE postrider.setting (
    name text NOT NULL,
    value text NOT NULL,
    meaning text NOT NULL
);

ALTER TABLE postrider.setting OWNER TO postrider_owner;

CREATE TABLE postrider.worker (
    id uuid NOT NULL,
    consumer_id integer NOT NULL,
    handlers text[] NOT NULL COLLATE pg_catalog."C",
    generation bigint,
    host text DEFAULT ''::text NOT NULL,
    version text DEFAULT ''::text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    alive_for interval NOT NULL,
    alive_until timestamp with time zone NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE postrider.worker OWNER TO postrider_owner;

ALTER TABLE ONLY postrider.message ATTACH PARTITION postrider.message_tail FOR VALUES FROM ('(the first day without a partition)') TO (MAXVALUE);

ALTER TABLE ONLY postrider.channel
    ADD CONSTRAINT channel_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postrider.consumer
    ADD CONSTRAINT consumer_name_channel_key UNIQUE (name, channel);

ALTER TABLE ONLY postrider.consumer
    ADD CONSTRAINT consumer_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.delivery
    ADD CONSTRAINT delivery_message_handler_key UNIQUE (seq, consumer_id, handler);

ALTER TABLE ONLY postrider.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postrider.epoch
    ADD CONSTRAINT epoch_pkey PRIMARY KEY (system_identifier);

ALTER TABLE ONLY postrider.handler
    ADD CONSTRAINT handler_pkey PRIMARY KEY (consumer_id, name, revision);

ALTER TABLE ONLY postrider.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (consumer_id, id);

ALTER TABLE ONLY postrider.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY postrider.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postrider.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

CREATE INDEX delivery_due_idx ON postrider.delivery USING btree (consumer_id, handler, priority DESC, available_at, id) WHERE (status = 'pending'::text);

CREATE INDEX delivery_failed_idx ON postrider.delivery USING btree (dead_at DESC, id) WHERE ((status = 'failed'::text) AND (deleted_at IS NULL));

CREATE INDEX delivery_in_flight_idx ON postrider.delivery USING btree (claimed_by, lease_until) WHERE (status = 'in_flight'::text);

CREATE INDEX delivery_message_id_idx ON postrider.delivery USING btree (message_id);

CREATE UNIQUE INDEX handler_active_key ON postrider.handler USING btree (consumer_id, name) WHERE (retired_at IS NULL);

CREATE INDEX lease_open_idx ON postrider.lease USING btree (consumer_id, id) WHERE (finished_at IS NULL);

CREATE INDEX message_channel_xid_seq_idx ON ONLY postrider.message USING btree (channel, xid, seq);

CREATE INDEX message_id_idx ON ONLY postrider.message USING brin (id uuid_minmax_multi_ops);

CREATE INDEX message_tail_channel_xid_seq_idx1 ON postrider.message_tail USING btree (channel, xid, seq);

CREATE INDEX message_tail_id_idx1 ON postrider.message_tail USING brin (id uuid_minmax_multi_ops);

ALTER INDEX postrider.message_channel_xid_seq_idx ATTACH PARTITION postrider.message_tail_channel_xid_seq_idx1;

ALTER INDEX postrider.message_id_idx ATTACH PARTITION postrider.message_tail_id_idx1;

CREATE TRIGGER message_enter_cluster BEFORE INSERT ON postrider.message FOR EACH STATEMENT WHEN ((current_setting('postrider.cluster'::text, true) IS DISTINCT FROM 'known'::text)) EXECUTE FUNCTION postrider.enter_cluster();

CREATE TRIGGER outbox_insert INSTEAD OF INSERT ON postrider.outbox FOR EACH ROW EXECUTE FUNCTION postrider.outbox_insert();

ALTER TABLE ONLY postrider.consumer
    ADD CONSTRAINT consumer_channel_fkey FOREIGN KEY (channel) REFERENCES postrider.channel(name);

ALTER TABLE ONLY postrider.handler
    ADD CONSTRAINT handler_consumer_id_fkey FOREIGN KEY (consumer_id) REFERENCES postrider.consumer(id) ON DELETE CASCADE;

GRANT USAGE ON SCHEMA postrider TO postrider_producer;
GRANT USAGE ON SCHEMA postrider TO postrider_worker;
GRANT USAGE ON SCHEMA postrider TO postrider_operator;
GRANT USAGE ON SCHEMA postrider TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.claim(p_worker uuid, p_limit integer, p_deadline interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.claim(p_worker uuid, p_limit integer, p_deadline interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.claim_due(p_worker uuid, p_limit integer, p_deadline interval, p_alone boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.claim_due(p_worker uuid, p_limit integer, p_deadline interval, p_alone boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.conclude(p_outcomes jsonb, p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.covers(p_at postrider."position", p_xid xid8, p_seq bigint) TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.create_consumer(p_consumer text, p_channel text, p_from_beginning boolean) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.current_snapshot() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.cursor_of(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.delay(p_retry jsonb, p_attempt integer, p_u double precision) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.doorbell_keep(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_keep(p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.doorbell_sleep(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_sleep(p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.doorbell_wake(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.doorbell_wake(p_channel text) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.drop_partitions(p_before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.drop_partitions(p_before timestamp with time zone) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.ensure_partitions() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.enter_cluster() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.exchange(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.exchange(p_worker uuid, p_limit integer, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.extend(p_worker uuid, p_lease bigint, p_token uuid, p_deadline interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.handlers_for(p_consumer_id integer, p_event_type text, p_xid xid8, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[], p_alive_for interval) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.heartbeat(p_worker uuid, p_leases bigint[], p_alive_for interval) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.insertion_time() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.insertion_time() TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.is_home() FROM PUBLIC;

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

REVOKE ALL ON FUNCTION postrider.log_late(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_to_xid xid8, p_to_seq bigint, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.log_range(p_channel text, p_done pg_snapshot, p_open pg_snapshot, p_from_xid xid8, p_from_seq bigint, p_before xid8, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.maintain() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.maintain() TO postrider_worker;
GRANT ALL ON FUNCTION postrider.maintain() TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.matches(p_event_type text, p_patterns text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.matches(p_event_type text, p_patterns text[]) TO postrider_operator;
GRANT ALL ON FUNCTION postrider.matches(p_event_type text, p_patterns text[]) TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.message_problem(p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb, p_metadata jsonb, p_keys text[], p_priority integer, p_max_attempts integer) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.move_cursor(p_consumer_id integer, p_done pg_snapshot, p_open pg_snapshot, p_done_xid xid8, p_open_xid xid8, p_done_at timestamp with time zone, p_open_at timestamp with time zone, p_floor_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.next_due(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.next_due(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.outbox_insert() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.outbox_notify() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park(p_consumer_id integer, p_message postrider.message, p_handlers text[], p_worker uuid, p_token uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.park_failures(p_lease postrider.lease, p_seqs bigint[], p_failures jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.partitions() TO postrider_operator;
GRANT ALL ON FUNCTION postrider.partitions() TO postrider_viewer;

REVOKE ALL ON FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.pause_consumer(p_consumer text, p_paused boolean, p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.publish(p_event_type text, p_payload jsonb, p_source text, p_target text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.publish(p_event_type text, p_payload jsonb, p_source text, p_target text, p_channel text, p_id uuid, p_event_version integer, p_occurred_at timestamp with time zone, p_workspace_id uuid, p_idempotency_key text, p_ordering_key text, p_partition_key text, p_headers jsonb, p_metadata jsonb, p_trace_context text, p_content_class text, p_generation bigint, p_available_at timestamp with time zone, p_priority integer, p_max_attempts integer) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.publish_many(p_messages jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.publish_many(p_messages jsonb) TO postrider_producer;

REVOKE ALL ON FUNCTION postrider.reap(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.reap(p_limit integer) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.reap(p_limit integer) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.rebase() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.rebase_consumer(p_consumer_id integer, p_first_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.refresh_consumer(p_consumer_id integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.register_handler(p_consumer_id integer, p_handler text, p_event_types text[], p_retry jsonb, p_max_attempts integer, p_crashes_max integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text, p_generation bigint, p_alive_for interval, p_host text, p_version text, p_from_beginning boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.register_worker(p_worker uuid, p_consumer text, p_handlers jsonb, p_channel text, p_generation bigint, p_alive_for interval, p_host text, p_version text, p_from_beginning boolean) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.release(p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[]) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.require_cluster() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_read_committed(p_operation text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_retry(p_retry jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.require_worker(p_worker uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.retire_handler(p_consumer text, p_handler text, p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.ring(p_channel text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.ring(p_channel text) TO postrider_worker;
GRANT ALL ON FUNCTION postrider.ring(p_channel text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.route(p_consumer_id integer, p_event_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.segment(p_lease postrider.lease) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.set_aside(p_consumer_id integer, p_mine text[], p_channel text, p_xid xid8, p_seq bigint, p_floor_at timestamp with time zone, p_ceiling_at timestamp with time zone, OUT ours boolean, OUT parked integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.set_wake(p_channel text, p_wake text) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.set_wake(p_channel text, p_wake text) TO postrider_operator;

REVOKE ALL ON FUNCTION postrider.settle(p_worker uuid, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.settle(p_worker uuid, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.settle_due(p_worker uuid, p_outcomes jsonb) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.system_identifier() FROM PUBLIC;

REVOKE ALL ON FUNCTION postrider.unregister_worker(p_worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION postrider.unregister_worker(p_worker uuid) TO postrider_worker;

REVOKE ALL ON FUNCTION postrider.wants(p_consumer text, p_all_types boolean, p_exact_types text[], p_type_prefixes text[], p_target text, p_event_type text) FROM PUBLIC;

GRANT SELECT ON TABLE postrider.channel TO postrider_producer;
GRANT SELECT ON TABLE postrider.channel TO postrider_worker;
GRANT SELECT ON TABLE postrider.channel TO postrider_operator;
GRANT SELECT ON TABLE postrider.channel TO postrider_viewer;

GRANT SELECT ON TABLE postrider.function_set TO postrider_producer;
GRANT SELECT ON TABLE postrider.function_set TO postrider_worker;
GRANT SELECT ON TABLE postrider.function_set TO postrider_operator;
GRANT SELECT ON TABLE postrider.function_set TO postrider_viewer;

GRANT SELECT ON TABLE postrider.migration TO postrider_producer;
GRANT SELECT ON TABLE postrider.migration TO postrider_worker;
GRANT SELECT ON TABLE postrider.migration TO postrider_operator;
GRANT SELECT ON TABLE postrider.migration TO postrider_viewer;

GRANT SELECT ON TABLE postrider.outbox TO postrider_operator;

GRANT INSERT(id) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(id) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(channel) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(channel) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(event_type) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(event_type) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(event_version) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(event_version) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(occurred_at) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(occurred_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(source) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(source) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(target) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(target) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(content_class) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(content_class) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(generation) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(generation) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(workspace_id) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(workspace_id) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(payload) ON TABLE postrider.outbox TO postrider_producer;

GRANT INSERT(headers) ON TABLE postrider.outbox TO postrider_producer;

GRANT INSERT(metadata) ON TABLE postrider.outbox TO postrider_producer;

GRANT INSERT(idempotency_key) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(idempotency_key) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(ordering_key) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(ordering_key) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(partition_key) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(partition_key) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(trace_context) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(trace_context) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(priority) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(priority) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(seq) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(published_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(consumer) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(handler) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(status) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(attempts) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(attempts_total) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(failures) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(crashes) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(interruptions) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(cycle) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(max_attempts) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(max_attempts) ON TABLE postrider.outbox TO postrider_viewer;

GRANT INSERT(available_at) ON TABLE postrider.outbox TO postrider_producer;
GRANT SELECT(available_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(claimed_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(claimed_by) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(lease_until) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(first_failed_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(error_class) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(fingerprint) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(dead_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(delivered_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(deleted_at) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT(delivery_id) ON TABLE postrider.outbox TO postrider_viewer;

GRANT SELECT ON TABLE postrider.setting TO postrider_producer;
GRANT SELECT ON TABLE postrider.setting TO postrider_worker;
GRANT SELECT ON TABLE postrider.setting TO postrider_operator;
GRANT SELECT ON TABLE postrider.setting TO postrider_viewer;

