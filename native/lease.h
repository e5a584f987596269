/* Writing the ledger: the lease over what is handed out, and the end of the one before. */
#pragma once

#include "cursor.h"

typedef struct {
    int64 id;
    pg_uuid_t token;
} lease_ref;

/* What is handed out: seqs, and how far the segment was read for them. */
typedef struct {
    int64* seqs;
    int count;
    uint64 to_xid;
    int64 to_seq;
    TimestampTz claimed_at;
    TimestampTz deadline;
} handed_out;

extern lease_ref make_lease(engine_tables* tables, const cursor* from, const pg_uuid_t* worker,
                            const handed_out* what);

/* Everything in it is delivered. False: it is not this worker's open lease, or somebody was
 * quicker; settle() knows what to say. */
extern bool finish_lease(engine_tables* tables, int32 consumer, const pg_uuid_t* worker,
                         const lease_ref* lease);
