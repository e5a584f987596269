/* Index entries of rows that are written without the executor. */
#pragma once

#include "postgres.h"

#include "executor/tuptable.h"
#include "utils/rel.h"

/* Of rows that are in the table already. What is known of its indexes is kept: to find and prepare
 * it anew takes longer than to write a few entries. */
extern void add_index_entries(Relation table, TupleTableSlot** rows, int count);
