/* The form of pg_snapshot. PostgreSQL keeps the definition to itself, but stores it on disk. */
#pragma once

#include "postgres.h"

typedef struct {
    int32 varlena_header;
    uint32 in_progress_count;
    uint64 xmin;
    uint64 xmax;
    uint64 in_progress[FLEXIBLE_ARRAY_MEMBER]; /* ascending */
} stored_snapshot;

/* NULL: it is of another form. */
extern const stored_snapshot* snapshot_in(Datum value);

/* Whether a transaction had ended when the snapshot was taken. */
extern bool shows(const stored_snapshot* snapshot, uint64 xid);
