/* The tables as this library knows them: columns by their position. */
#pragma once

#include "postgres.h"

#include "utils/rel.h"

enum worker_column { worker_id = 1, worker_consumer_id, worker_handlers, worker_columns = 3 };

enum consumer_column {
    consumer_id = 1,
    consumer_name,
    consumer_channel,
    consumer_paused,
    consumer_lease_deadline,
    consumer_handlers,
    consumer_all_types,
    consumer_exact_types,
    consumer_type_prefixes,
    consumer_created_at,
    consumer_held_handlers,
    consumer_columns = 11
};

enum lease_column {
    lease_consumer_id = 1,
    lease_id,
    lease_token,
    lease_worker_id,
    lease_done_snapshot,
    lease_open_snapshot,
    lease_done_xid,
    lease_open_xid,
    lease_done_at,
    lease_open_at,
    lease_floor_at,
    lease_from_xid,
    lease_from_seq,
    lease_to_xid,
    lease_to_seq,
    lease_members,
    lease_claimed_at,
    lease_deadline,
    lease_finished_at,
    lease_reaped_at,
    lease_ceiling_at,
    lease_doubt_xid,
    lease_columns = 22
};

enum message_column {
    message_seq = 1,
    message_xid,
    message_published_at,
    message_id,
    message_channel,
    message_event_type,
    message_event_version,
    message_occurred_at,
    message_source,
    message_target,
    message_content_class,
    message_generation,
    message_workspace_id,
    message_payload,
    message_headers,
    message_metadata,
    message_idempotency_key,
    message_ordering_key,
    message_partition_key,
    message_trace_context,
    message_available_at,
    message_priority,
    message_max_attempts,
    message_columns = 23
};

enum handler_column {
    handler_consumer_id = 1,
    handler_name,
    handler_revision,
    handler_event_types,
    handler_retry,
    handler_max_attempts,
    handler_crashes_max,
    handler_starts,
    handler_ends,
    handler_registered_at,
    handler_retired_at,
    handler_classes,
    handler_honour_terminal,
    handler_columns = 13
};

enum circuit_column {
    circuit_consumer_id = 1,
    circuit_handler,
    circuit_state,
    circuit_mode,
    circuit_failures,
    circuit_columns = 5
};

enum channel_column { channel_name = 1, channel_wake, channel_columns = 2 };

enum delivery_column {
    delivery_id = 1,
    delivery_consumer_id,
    delivery_handler,
    delivery_status,
    delivery_attempts,
    delivery_attempts_total,
    delivery_failures,
    delivery_crashes,
    delivery_interruptions,
    delivery_cycle,
    delivery_max_attempts,
    delivery_crashes_max,
    delivery_retry,
    delivery_available_at,
    delivery_claimed_at,
    delivery_claimed_by,
    delivery_lease_token,
    delivery_lease_until,
    delivery_first_failed_at,
    delivery_last_error,
    delivery_error_class,
    delivery_fingerprint,
    delivery_failure_history,
    delivery_created_at,
    delivery_dead_at,
    delivery_delivered_at,
    delivery_deleted_at,
    delivery_seq,
    delivery_published_at,
    delivery_message_id,
    delivery_channel,
    delivery_event_type,
    delivery_event_version,
    delivery_occurred_at,
    delivery_source,
    delivery_target,
    delivery_content_class,
    delivery_generation,
    delivery_workspace_id,
    delivery_payload,
    delivery_headers,
    delivery_metadata,
    delivery_idempotency_key,
    delivery_ordering_key,
    delivery_partition_key,
    delivery_trace_context,
    delivery_priority,
    delivery_outcome,
    delivery_cycle_started_at,
    delivery_history_dropped,
    delivery_replay_id,
    delivery_deleted_reason,
    delivery_successor,
    delivery_origin_id,
    delivery_raw_payload,
    delivery_raw_headers,
    delivery_columns = 56
};

/* Whether a table has the columns where they are expected, and nothing more to say of the rows that
 * are written here. */
extern bool is_worker(Relation table);
extern bool is_consumer(Relation table);
extern bool is_ledger(Relation table);
extern bool is_log(Relation table); /* or a partition of it */
extern bool is_handler(Relation table);
extern bool is_circuit(Relation table);
extern bool is_channel(Relation table);
extern bool is_delivery(Relation table);

/* Whether somebody has a trigger there that wants to know of those rows. */
extern bool is_watched_ledger(Relation table);
extern bool is_watched_delivery(Relation table);
