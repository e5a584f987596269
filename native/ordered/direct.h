/* A piece of the log for an ordered consumer: which of its messages can be handed out at once. */
#pragma once

#include "log.h"

typedef struct {
    uint64 to_xid; /* the end of the piece */
    int64 to_seq;
    int64 lowest;   /* messages with a key and this number or a higher one have to wait */
    int most;       /* messages in the piece */
    int chain;      /* messages of a key that are handed out */
    Datum* blocked; /* keys that have to wait, sorted by sort_keys() */
    int blocked_count;
} piece_limits;

typedef struct {
    const text* key; /* NULL: it has none */
    int64 seq;
    uint64 xid;
    TimestampTz published_at;
    int begins; /* its packed form in `packed` */
    int length; /* 0: it is not handed out */
} piece_message;

typedef struct {
    piece_message* messages; /* sorted by key and number, those without a key last */
    int count;
    StringInfoData packed;
    bool any;  /* the rest of the segment has messages for the consumer */
    bool more; /* the piece has more messages than it may have */
} piece;

extern void sort_keys(Datum* keys, int count);

/* Reads the piece behind the cursor. False: enough was passed over, or the log cannot be read here.
 */
extern bool read_piece(Relation message, const cursor* from, const piece_limits* limits,
                       piece* found);
