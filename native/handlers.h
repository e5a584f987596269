/* A handler that has failed: what is known of it. */
#pragma once

#include "position.h"
#include "tables.h"

typedef struct {
    TupleTableSlot* row;
    position starts; /* where in the log it begins */
    Datum* types;
    int type_count;
} handler;

/* False: it is retired, or its circuit would change by a report in which it has succeeded, too;
 * then settle() has to look closer. */
extern bool find_handler(failure_tables* tables, const TupleTableSlot* consumer, const text* name,
                         handler* found);
extern void drop_handler(handler* dropped);

/* Whether it has to handle the message. */
extern bool owes(const handler* who, const TupleTableSlot* message);
