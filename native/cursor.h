/* The cursor of a consumer: its newest lease, and the segment of the log to hand out. */
#pragma once

#include "tables.h"

/* The binary form of pg_snapshot. PostgreSQL stores it on disk, but does not export it. */
typedef struct {
    int32 varlena_header;
    uint32 in_progress_count;
    uint64 xmin;
    uint64 xmax;
    uint64 in_progress[FLEXIBLE_ARRAY_MEMBER]; /* ascending */
} stored_snapshot;

/* NULL: the value has another form. */
extern const stored_snapshot* snapshot_in(Datum value);

/* Whether a transaction had ended when the snapshot was taken. */
extern bool shows(const stored_snapshot* snapshot, uint64 xid);

typedef struct {
    TupleTableSlot* worker;
    TupleTableSlot* consumer;
    TupleTableSlot* lease; /* the newest */
    Datum done_snapshot;
    Datum open_snapshot;
    const stored_snapshot* done;
    const stored_snapshot* open;
    uint64 done_xid;
    uint64 open_xid;
    TimestampTz done_at;
    TimestampTz open_at;
    TimestampTz floor_at;
    TimestampTz ceiling_at;
    bool has_recheck_xid; /* transactions below recheck_xid may have used another clock */
    uint64 recheck_xid;
    uint64 from_xid; /* the end of the part that was handed out */
    int64 from_seq;
    bool advanced; /* the segment was opened by advance() */
} cursor;

/* Reads the worker and its consumer. False: the worker belongs to another consumer or to another
 * login than the session's. */
extern bool find_consumer(engine_tables* tables, const pg_uuid_t* worker, int32 consumer,
                          cursor* found);

/* The consumer alone. False: it was removed. */
extern bool find_consumer_row(engine_tables* tables, int32 consumer, TupleTableSlot* row);

/* Reads the newest lease. False: the worker does not have exactly the handlers of its consumer, or
 * the consumer is paused or a handler is held. Then SQL checks messages one by one. */
extern bool find_segment(engine_tables* tables, int64 no_older_than, cursor* found);
extern void drop_cursor(cursor* dropped);

/* Opens the segment after this one: the messages that the active snapshot shows and `open` does
 * not. `now` was read before that snapshot was taken. False: the clock does not tell where its
 * messages are, or the transaction already has an id. */
extern bool advance(cursor* moved, TimestampTz now);
