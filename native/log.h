/* Reading the log: the messages of a segment in the order in which they are handed out, (xid, seq).
 */
#pragma once

#include "cursor.h"

typedef struct log_reader log_reader;

/* NULL: the segment lies in too many partitions, has too many late committers, or a partition is
 * not as expected. The partitions are locked before a snapshot is taken for reading them. */
extern log_reader* open_log(Relation message, const cursor* from);

/* The next message, in a slot that is valid until the next call. NULL: that was the last one, or
 * ran_far(). */
extern TupleTableSlot* next_message(log_reader* reader);

/* Counts a message that was read and not handed out. A claim that reads many of them must end: it
 * holds the consumer's lock. */
extern void pass_over(log_reader* reader);
extern bool ran_far(const log_reader* reader);

/* Whether that message belongs to a transaction that was in progress in `done`. */
extern bool is_late(const log_reader* reader);

extern void close_log(log_reader* reader);

/* NULL, or why the log as a whole cannot be read here: its bounds, then each partition. */
extern const char* trouble_with_bounds(Relation message);
extern const char* trouble_with_partitions(Relation message);
