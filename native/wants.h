/* Which messages of the log are a consumer's. */
#pragma once

#include "tables.h"

typedef enum {
    not_wanted, /* passed over */
    wanted,
    wanted_later /* has to be looked at one by one: it waits, is large, or nobody handles its type
                  */
} interest;

typedef struct {
    const TupleTableSlot* consumer;
    bool all_types;
    Datum* exact_types;
    int exact_count;
    Datum* prefixes; /* patterns of LIKE */
    int prefix_count;
} taste;

extern taste taste_of(const TupleTableSlot* consumer);
extern interest interest_in(const taste* what, const TupleTableSlot* message);
