/* Reading the log: the messages of a segment in the order in which they are handed out, (xid, seq).
 */
#pragma once

#include "cursor.h"

typedef struct log_reader log_reader;

/* NULL: it lies in too many partitions, has too many late committers, or a partition looks
 * different. */
extern log_reader* open_log(Relation message, const cursor* from);

/* The next message, in a slot that is valid until the next call; NULL: that was the last one. */
extern TupleTableSlot* next_message(log_reader* reader);

/* Whether that message is a late committer's. */
extern bool is_late(const log_reader* reader);

extern void close_log(log_reader* reader);
