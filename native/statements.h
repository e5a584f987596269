/* Statements that this library runs. Each is planned once per session, as the function's owner and
 * with its search_path. */
#pragma once

#include "log.h"

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

extern const Oid argument_types[arguments];

typedef struct {
    int64 id;
    pg_uuid_t token;
} lease_ref;

/* exchange_packed() with the same arguments; its rows are the answer. */
extern void exchange_in_sql(FunctionCallInfo call);

/* settle() for the lease that the arguments name; its result. */
extern const char* settle_in_sql(FunctionCallInfo call);

/* Takes the claim lock of a consumer, which another session holds. */
extern void wait_for_claim_lock(int32 consumer, int limit);

/* Writes the lease over the messages that were gathered. */
extern lease_ref insert_lease(FunctionCallInfo call, const cursor* from, const harvest* found,
                              TimestampTz now);

/* Finishes the lease that the arguments name. False: it is not this worker's open lease. */
extern bool finish_lease(FunctionCallInfo call, int32 consumer);
