/* What is left to the functions in SQL. */
#pragma once

#include "postgres.h"

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

/* exchange_packed() with the same arguments; its rows are the answer. */
extern void exchange_in_sql(FunctionCallInfo call);

/* settle() for the lease that the arguments name; what it returns. */
extern char* settle_in_sql(FunctionCallInfo call);
