/* The usual case of exchange_packed(): a known worker that has all handlers of its consumer takes
 * the next messages of the log as they come. */
#pragma once

#include "postgres.h"

#include "fmgr.h"

/* Settles a lease and claims. False: it has to be done in SQL, and nothing was done. */
extern bool exchange_here(FunctionCallInfo call);
