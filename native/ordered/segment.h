/* Functions that SQL calls with its claim_cursor: their declarations, and the segment of the
 * cursor. */
#pragma once

#include "cursor.h"

typedef struct {
    int argument_count; /* the first one, a record, is a claim_cursor: extensions are restored
                           before types */
    const Oid* arguments;
    int column_count;
    const Oid* columns;
} declaration;

/* The row type of the answer. Raises an error if the SQL declaration differs: the arguments would
 * be read with wrong types. */
extern TupleDesc require_declaration(FunctionCallInfo call, const declaration* expected);

/* Whether native claims are on and every argument has a value. */
extern bool is_called_in_full(FunctionCallInfo call);

typedef struct {
    engine_tables tables;
    cursor at; /* the consumer and the segment */
} segment;

/* Takes a snapshot. False: the cursor has another form, or messages of late committers may be left,
 * or the tables are not as expected. Then nothing is open. */
extern bool open_segment(HeapTupleHeader claim_cursor, segment* opened);
extern void close_segment(segment* closed);
