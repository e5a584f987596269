/* One message: whether it is for a consumer, and its binary form. */
#pragma once

#include "columns.h"
#include "lib/stringinfo.h"

/* Packed bytes of one message. A larger one is not handed out here. */
enum { large_message = 8000 };

typedef enum {
    not_wanted, /* passed over */
    wanted,
    wanted_later /* left to SQL: it waits, is large, or no handler takes its type */
} interest;

typedef struct {
    const TupleTableSlot* consumer;
    bool all_types;
    Datum* exact_types;
    int exact_count;
    Datum* prefixes; /* patterns of LIKE */
    int prefix_count;
} message_filter;

/* The elements of an array of texts that are not null. */
extern int split_texts(Datum array, Datum** texts);

extern message_filter filter_of(const TupleTableSlot* consumer);
extern interest interest_in(const message_filter* filter, const TupleTableSlot* message);

/* Appends the bytes that packed() in SQL returns. Texts are sent as they are stored, so client and
 * server must have the same encoding. */
extern void pack_message(StringInfo into, const TupleTableSlot* message);
