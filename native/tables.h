/* Opens the tables and checks that they are as this library expects. */
#pragma once

#include "columns.h"

typedef struct {
    Relation table;
    Relation key; /* an index, usable as long as the table is locked; NULL for the log as a whole */
} keyed_table;

typedef struct {
    keyed_table worker;
    keyed_table consumer;
    keyed_table lease;
    keyed_table message;
} engine_tables;

/* Locks and opens the tables; the locks stay until the transaction ends. Must be called before a
 * snapshot is taken: a snapshot that is older than the lock could miss rows that a command has
 * rewritten. Returns NULL, or the difference from the expected schema; then nothing is open. */
extern const char* open_tables(engine_tables* tables);
extern void close_tables(engine_tables* tables);

/* The same for one partition of the log. */
extern const char* open_partition(Oid id, keyed_table* into);
extern void close_table(keyed_table* closed);

/* Registers cache invalidation callbacks. Called once, before the first call of the others. */
extern void watch_tables(void);

/* The setting postrider.native. */
extern bool claims_are_native(void);
