/* Writing the ledger: the lease over what is handed out, and the end of the one before. */
#pragma once

#include "cursor.h"

typedef struct {
    int64 id;
    pg_uuid_t token;
} lease_ref;

/* Where a message is. */
typedef struct {
    Oid partition;
    ItemPointerData row;
} place;

/* What is handed out: seqs, and how far the segment was read for them. */
typedef struct {
    int64* seqs;
    place* places;
    int count;
    uint64 to_xid;
    int64 to_seq;
    TimestampTz claimed_at;
    TimestampTz deadline;
} handed_out;

/* *version is the row's. */
extern lease_ref make_lease(engine_tables* tables, const cursor* from, const pg_uuid_t* worker,
                            const handed_out* what, row_version* version);

/* NULL: it is not this worker's open lease; settle() knows what to say. */
extern TupleTableSlot* find_lease(engine_tables* tables, int32 consumer, const pg_uuid_t* worker,
                                  const lease_ref* lease);

/* Nothing of it is owed any more. False: somebody was quicker. */
extern bool finish_lease(engine_tables* tables, TupleTableSlot* lease);
