/* The differences between the major versions of PostgreSQL that this library is built for. */
#pragma once

#include "postgres.h"

#include "access/genam.h"
#include "utils/rel.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

static inline IndexScanDesc begin_index_scan(Relation table, Relation index, Snapshot snapshot,
                                             int keys) {
#if PG_VERSION_NUM >= 180000
    return index_beginscan(table, index, snapshot, NULL, keys, 0);
#else
    return index_beginscan(table, index, snapshot, keys, 0);
#endif
}

/* From 18 on, NOT NULL can be declared without a check of the rows that exist. */
static inline bool is_never_null(TupleDesc row, int column) {
#if PG_VERSION_NUM >= 180000
    return TupleDescCompactAttr(row, column - 1)->attnullability == ATTNULLABLE_VALID;
#else
    return TupleDescAttr(row, column - 1)->attnotnull;
#endif
}
