/* Triggers of tables that are written without the executor. */
#pragma once

#include "postgres.h"

#include "executor/tuptable.h"
#include "utils/rel.h"

typedef enum {
    nobody_watches,
    somebody_watches, /* has to be told after each row */
    somebody_decides  /* before it, by statements or columns: then it is not written here */
} watch;

/* Of inserts, and of updates if there are any. `known` is a trigger that has nothing to say of the
 * rows that are written here; it may be NULL. */
extern watch who_watches(Relation table, bool updated, const char* known);

/* Tells those who watch, as the owner of the table, which is who writes it in SQL. */
extern void tell_of_inserts(Relation table, TupleTableSlot** rows, int count);
extern void tell_of_update(Relation table, TupleTableSlot* before, TupleTableSlot* after);
