/* When a message is due again whose first attempt has failed. */
#pragma once

#include "tables.h"

/* How long it waits, in microseconds, as first_retry() in SQL says, whose answers are remembered.
 * Negative: it has to be decided by itself. error_class may be NULL. */
extern int64 first_retry(TupleTableSlot* handler, text* error_class);
