/* The server's headers that most files need, and the differences between the major versions of
 * PostgreSQL that this library is built for. */
#pragma once

#include "postgres.h"

#include "access/genam.h"
#include "access/tableam.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"
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
