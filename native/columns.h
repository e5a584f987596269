/* The tables as this library expects them. Columns that it does not read may have any position and
 * type. */
#pragma once

#include "server.h"

/* The schema's protocol number, postrider.native_protocol(). A migration that changes the meaning
 * of a column below changes both. */
enum { native_protocol = 2 };

/* clang-format off */
#define WORKER_COLUMNS(column) \
    column(worker, 1, id, UUIDOID, not_null) \
    column(worker, 2, consumer_id, INT4OID, not_null) \
    column(worker, 3, handlers, TEXTARRAYOID, not_null) \
    column(worker, 10, login, TEXTOID, nullable)

#define CONSUMER_COLUMNS(column) \
    column(consumer, 1, id, INT4OID, not_null) \
    column(consumer, 2, name, TEXTOID, not_null) \
    column(consumer, 3, channel, TEXTOID, not_null) \
    column(consumer, 4, paused, BOOLOID, not_null) \
    column(consumer, 5, lease_deadline, INTERVALOID, nullable) \
    column(consumer, 6, handlers, TEXTARRAYOID, not_null) \
    column(consumer, 7, all_types, BOOLOID, not_null) \
    column(consumer, 8, exact_types, TEXTARRAYOID, not_null) \
    column(consumer, 9, type_prefixes, TEXTARRAYOID, not_null) \
    column(consumer, 11, held_handlers, TEXTARRAYOID, nullable)

#define LEASE_COLUMNS(column) \
    column(lease, 1, consumer_id, INT4OID, not_null) \
    column(lease, 2, id, INT8OID, not_null) \
    column(lease, 5, done_snapshot, PG_SNAPSHOTOID, not_null) \
    column(lease, 6, open_snapshot, PG_SNAPSHOTOID, not_null) \
    column(lease, 7, done_xid, XID8OID, not_null) \
    column(lease, 8, open_xid, XID8OID, not_null) \
    column(lease, 9, done_at, TIMESTAMPTZOID, not_null) \
    column(lease, 10, open_at, TIMESTAMPTZOID, not_null) \
    column(lease, 11, floor_at, TIMESTAMPTZOID, not_null) \
    column(lease, 14, to_xid, XID8OID, not_null) \
    column(lease, 15, to_seq, INT8OID, not_null) \
    column(lease, 17, claimed_at, TIMESTAMPTZOID, not_null) \
    column(lease, 21, ceiling_at, TIMESTAMPTZOID, not_null) \
    column(lease, 22, recheck_xid, XID8OID, nullable)

#define MESSAGE_COLUMNS(column) \
    column(message, 1, seq, INT8OID, not_null) \
    column(message, 2, xid, XID8OID, not_null) \
    column(message, 3, published_at, TIMESTAMPTZOID, not_null) \
    column(message, 4, id, UUIDOID, not_null) \
    column(message, 5, channel, TEXTOID, not_null) \
    column(message, 6, event_type, TEXTOID, not_null) \
    column(message, 7, event_version, INT4OID, not_null) \
    column(message, 8, occurred_at, TIMESTAMPTZOID, not_null) \
    column(message, 9, source, TEXTOID, not_null) \
    column(message, 10, target, TEXTOID, nullable) \
    column(message, 11, content_class, TEXTOID, nullable) \
    column(message, 12, generation, INT8OID, nullable) \
    column(message, 13, workspace_id, UUIDOID, nullable) \
    column(message, 14, payload, JSONOID, not_null) \
    column(message, 15, headers, JSONOID, nullable) \
    column(message, 17, idempotency_key, TEXTOID, nullable) \
    column(message, 18, ordering_key, TEXTOID, nullable) \
    column(message, 19, partition_key, TEXTOID, nullable) \
    column(message, 20, trace_context, TEXTOID, nullable) \
    column(message, 21, available_at, TIMESTAMPTZOID, nullable) \
    column(message, 22, priority, INT2OID, not_null) \
    column(message, 23, max_attempts, INT2OID, nullable)

/* worker_id = 1 and so on */
#define COLUMN_NUMBER(table, number, name, type, null) table##_##name = (number),
enum { WORKER_COLUMNS(COLUMN_NUMBER) };
enum { CONSUMER_COLUMNS(COLUMN_NUMBER) };
enum { LEASE_COLUMNS(COLUMN_NUMBER) };
enum { MESSAGE_COLUMNS(COLUMN_NUMBER) };
/* clang-format on */

typedef enum { the_worker, the_consumer, the_lease, the_log, a_partition } known_table;

/* NULL if the table is of the expected kind and has the columns where they are expected, with their
 * types; otherwise the difference, in words. */
extern const char* trouble_with(Relation table, known_table expected);

static inline Datum value_of(const TupleTableSlot* row, int column) {
    return row->tts_values[column - 1];
}

static inline bool is_null(const TupleTableSlot* row, int column) {
    return row->tts_isnull[column - 1];
}

/* An array of a type of 64 bits that is passed by value. */
static inline Datum array_of(Datum* values, int count, Oid type) {
    return PointerGetDatum(
        construct_array(values, count, type, sizeof(int64), true, TYPALIGN_DOUBLE));
}
