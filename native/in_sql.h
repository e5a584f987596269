/* Statements that this library runs. Each is planned once per session, as the function's owner and
 * with its search_path. */
#pragma once

#include "postgres.h"

#include "cursor.h"
#include "fmgr.h"

enum argument {
    arg_worker,
    arg_limit,
    arg_lease,
    arg_token,
    arg_delivered,
    arg_failures,
    arg_deadline,
    arguments
};

/* Their types. */
extern const Oid argument_types[arguments];

typedef struct {
    int64 id;
    pg_uuid_t token;
} lease_ref;

/* The messages of a new lease, and how far the segment was read for them. */
typedef struct {
    int64* seqs;
    int count;
    uint64 to_xid;
    int64 to_seq;
    TimestampTz claimed_at;
    TimestampTz deadline;
} handed_out;

/* exchange_packed() with the same arguments; its rows are the answer. */
extern void exchange_in_sql(FunctionCallInfo call);

/* settle() for the lease that the arguments name; its result. */
extern const char* settle_in_sql(FunctionCallInfo call);

/* Waits for the claim lock of a consumer, as long as take_lock() does. */
extern void take_lock_in_sql(int32 consumer);

/* Writes the lease. */
extern lease_ref insert_lease(const cursor* from, const pg_uuid_t* worker, const handed_out* what);

/* Finishes the lease that the arguments name. False: it is not this worker's open lease. */
extern bool finish_lease(FunctionCallInfo call, int32 consumer);
