/* Settling a lease of which some messages have failed. */
#pragma once

#include "cursor.h"

typedef struct parking parking;

/* Makes ready what settle() in SQL would write for them. NULL, and nothing was written: something
 * is unusual. `lease` is an open one of the consumer's. */
extern parking* prepare_parking(const TupleTableSlot* consumer, TupleTableSlot* lease,
                                Datum failures);
extern void park(parking* prepared);
extern void drop_parking(parking* dropped);
