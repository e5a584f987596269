/* Reading the log: the messages of a segment in the order of (xid, seq). */
#pragma once

#include "cursor.h"

typedef struct log_reader log_reader;

/* NULL: the segment lies in too many partitions, has too many late committers, or a partition is
 * not as expected. The partitions are locked before a snapshot is taken for reading them. */
extern log_reader* open_log(Relation message, const cursor* from);

/* The same from (to_xid, to_seq) back to the cursor, of a segment without late committers. */
extern log_reader* open_log_backward(Relation message, const cursor* from, uint64 to_xid,
                                     int64 to_seq);

/* The next message, in a slot that is valid until the next call. NULL: that was the last one, or
 * ran_far(). */
extern TupleTableSlot* next_message(log_reader* reader);

/* Counts a message that was read and not handed out. Their number is limited, because a claim holds
 * the consumer's lock. */
extern void pass_over(log_reader* reader);
extern bool ran_far(const log_reader* reader);

/* Whether that message belongs to a transaction that was in progress in `done`. */
extern bool is_late(const log_reader* reader);

extern void close_log(log_reader* reader);

/* NULL, or why the log as a whole cannot be read here: its bounds, or a partition. */
extern const char* trouble_with_log(Relation message);

typedef struct {
    int64* seqs;
    int count;
    bytea* messages; /* packed; NULL if there are none */
    uint64 to_xid;   /* how far the segment was read */
    int64 to_seq;
    bool late;        /* the messages were published by late committers */
    bool passed_over; /* the segment has messages that are not for this consumer */
} harvest;

/* Gathers the messages of a claim: the next ones behind the cursor, at most `limit`. False: one of
 * the first has to be checked in SQL, or the log cannot be read here. */
extern bool gather(Relation message, const cursor* from, int limit, harvest* found);
