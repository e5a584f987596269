/* Opening the tables, and finding rows in them. */
#pragma once

#include "postgres.h"

#include "access/sdir.h"
#include "access/skey.h"
#include "columns.h"
#include "executor/tuptable.h"
#include "utils/rel.h"

typedef struct {
    Relation worker;
    Relation worker_key;
    Relation consumer;
    Relation consumer_key;
    Relation lease;
    Relation lease_key;
    Relation message;   /* the partitioned table */
    Oid lease_ids;      /* the sequence */
    bool lease_watched; /* somebody has a trigger on it */
} engine_tables;

/* Those that a failure is decided by and written to. */
typedef struct {
    Relation handler;
    Relation handler_key;
    Relation circuit;
    Relation circuit_key;
    Relation channel;
    Relation channel_key;
    Relation delivery;
    Relation delivery_key; /* of message, consumer and handler */
    Oid delivery_ids;      /* the sequence */
    bool delivery_watched;
} failure_tables;

/* Opens and locks them. False, and nothing is open: the schema is not the one this library knows.
 */
extern bool open_tables(engine_tables* tables);
extern void close_tables(engine_tables* tables);
extern bool open_failure_tables(failure_tables* tables);
extern void close_failure_tables(failure_tables* tables);

/* The first row that the keys find in an index, copied; null columns and values are in the slot. */
extern bool find_row(Relation table, Relation index, ScanKey keys, int count,
                     ScanDirection direction, TupleTableSlot* row);

/* A row as somebody left it: whoever changes it makes another version. */
typedef struct {
    TransactionId made_by;
    ItemPointerData row;
} row_version;

extern row_version version_of(TupleTableSlot* row);
extern bool same_version(const row_version* left, const row_version* right);

static inline Datum value_of(const TupleTableSlot* row, int column) {
    return row->tts_values[column - 1];
}

static inline bool is_null(const TupleTableSlot* row, int column) {
    return row->tts_isnull[column - 1];
}

static inline void set(TupleTableSlot* row, int column, Datum value) {
    row->tts_values[column - 1] = value;
    row->tts_isnull[column - 1] = false;
}
