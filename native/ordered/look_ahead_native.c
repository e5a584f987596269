/* look_ahead_native(): the reads of look_ahead() in C. It writes nothing. */
#include "server.h"

#include "access/htup_details.h"
#include "log.h"
#include "message.h"
#include "ordered/segment.h"

PG_FUNCTION_INFO_V1(look_ahead_native);

enum { arg_cursor, arg_to_xid, arg_to_seq, arg_lowest, arg_most, arguments };
enum { out_xids, out_seqs, out_lowest, out_read, out_lowest_read, columns };
enum { most_messages = 100000, place_every = 250 };

static const Oid argument_types[arguments] = {RECORDOID, XID8OID, INT8OID, INT8OID, INT4OID};
static const Oid column_types[columns] = {XID8ARRAYOID, INT8ARRAYOID, INT8ARRAYOID, INT4OID,
                                          INT8OID};

/* A claim may end at (xid, seq): no message behind it has a lower number than `lowest`. */
typedef struct {
    Datum xids[most_messages / place_every + 1];
    Datum seqs[most_messages / place_every + 1];
    Datum lowest[most_messages / place_every + 1];
    int count;
    int read;
    int64 lowest_read;
} places;

static void add_place(places* to, const TupleTableSlot* before) {
    to->xids[to->count] = value_of(before, message_xid);
    to->seqs[to->count] = Int64GetDatum(DatumGetInt64(value_of(before, message_seq)) - 1);
    to->lowest[to->count++] = Int64GetDatum(to->lowest_read);
}

/* False: the log cannot be read here. */
static bool find_places(const segment* in, FunctionCallInfo fcinfo, places* found) {
    const int most = PG_GETARG_INT32(arg_most);
    const message_filter filter = filter_of(in->at.consumer);
    const TupleTableSlot* next = NULL;
    int wanted_count = 0;
    log_reader* reader =
        open_log_backward(in->tables.message.table, &in->at,
                          DatumGetUInt64(PG_GETARG_DATUM(arg_to_xid)), PG_GETARG_INT64(arg_to_seq));
    if (reader == NULL) {
        return false;
    }
    while (found->read < most && (next = next_message(reader)) != NULL) {
        CHECK_FOR_INTERRUPTS();
        ++found->read;
        if (!is_null(next, message_ordering_key)) {
            found->lowest_read =
                Min(found->lowest_read, DatumGetInt64(value_of(next, message_seq)));
        }
        const bool is_wanted = interest_in(&filter, next) != not_wanted;
        wanted_count += is_wanted;
        if ((is_wanted && wanted_count % place_every == 0) || found->read == most) {
            add_place(found, next);
        }
    }
    const bool complete = !ran_far(reader);
    close_log(reader);
    return complete;
}

PGDLLEXPORT Datum look_ahead_native(PG_FUNCTION_ARGS) {
    const declaration expected = {arguments, argument_types, columns, column_types};
    const TupleDesc row = require_declaration(fcinfo, &expected);
    const bool nulls[columns] = {false};
    segment opened;
    if (!is_called_in_full(fcinfo) || PG_GETARG_INT32(arg_most) < 1 ||
        PG_GETARG_INT32(arg_most) > most_messages ||
        !open_segment(PG_GETARG_HEAPTUPLEHEADER(arg_cursor), &opened)) {
        PG_RETURN_NULL(); /* SQL has to read the segment */
    }
    places* found = palloc0(sizeof(places));
    found->lowest_read = PG_GETARG_INT64(arg_lowest);
    const bool complete = find_places(&opened, fcinfo, found);
    close_segment(&opened);
    if (!complete) {
        PG_RETURN_NULL();
    }
    Datum values[columns] = {array_of(found->xids, found->count, XID8OID),
                             array_of(found->seqs, found->count, INT8OID),
                             array_of(found->lowest, found->count, INT8OID),
                             Int32GetDatum(found->read), Int64GetDatum(found->lowest_read)};
    PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(row, values, (bool*)nulls)));
}
