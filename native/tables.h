/* The tables of the engine as this library knows them: columns by their position. */
#pragma once

#include "postgres.h"

#include "access/sdir.h"
#include "access/skey.h"
#include "executor/tuptable.h"
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

typedef struct {
    Relation worker;
    Relation worker_key;
    Relation consumer;
    Relation consumer_key;
    Relation lease;
    Relation lease_key;
    Relation message; /* the partitioned table */
    Oid lease_ids;    /* the sequence */
} engine_tables;

/* Opens and locks them. False, and nothing is open: the schema is not the one this library knows.
 */
extern bool open_tables(engine_tables* tables);
extern void close_tables(engine_tables* tables);

/* Whether a partition has the log's columns where they are expected. */
extern bool is_log(Relation table);

/* The first row that the keys find in an index, copied; null columns and values are in the slot. */
extern bool find_row(Relation table, Relation index, ScanKey keys, int count,
                     ScanDirection direction, TupleTableSlot* row);

static inline Datum value_of(const TupleTableSlot* row, int column) {
    return row->tts_values[column - 1];
}

static inline bool is_null(const TupleTableSlot* row, int column) {
    return row->tts_isnull[column - 1];
}
