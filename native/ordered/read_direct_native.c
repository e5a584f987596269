/* read_direct_native(): read_direct() with reads in C. It does not look for followers and
 * deliveries of the keys, the caller does that. It writes nothing. */
#include "server.h"

#include "mb/pg_wchar.h"
#include "message.h"
#include "ordered/direct_answer.h"
#include "ordered/segment.h"

PG_FUNCTION_INFO_V1(read_direct_native);

enum {
    arg_cursor,
    arg_to_xid,
    arg_to_seq,
    arg_lowest,
    arg_blocked,
    arg_room,
    arg_chain,
    arguments
};

static const Oid argument_types[arguments] = {RECORDOID,    XID8OID, INT8OID, INT8OID,
                                              TEXTARRAYOID, INT4OID, INT4OID};

static piece_limits read_limits(FunctionCallInfo fcinfo) {
    enum { places_every = 250 }; /* as look_ahead() */
    const int room = PG_GETARG_INT32(arg_room);
    piece_limits limits = {.to_xid = DatumGetUInt64(PG_GETARG_DATUM(arg_to_xid)),
                           .to_seq = PG_GETARG_INT64(arg_to_seq),
                           .lowest = PG_GETARG_INT64(arg_lowest),
                           .most = Max(room / places_every, 1) * places_every,
                           .chain = PG_GETARG_INT32(arg_chain)};
    limits.blocked_count = split_texts(PG_GETARG_DATUM(arg_blocked), &limits.blocked);
    sort_keys(limits.blocked, limits.blocked_count);
    return limits;
}

static bool read_here(FunctionCallInfo fcinfo, piece* found) {
    enum { most_room = 10000 };
    segment opened;
    if (!is_called_in_full(fcinfo) || PG_GETARG_INT32(arg_room) < 1 ||
        PG_GETARG_INT32(arg_room) > most_room ||
        pg_get_client_encoding() != GetDatabaseEncoding() ||
        !open_segment(PG_GETARG_HEAPTUPLEHEADER(arg_cursor), &opened)) {
        return false;
    }
    const piece_limits limits = read_limits(fcinfo);
    const bool done = read_piece(opened.tables.message.table, &opened.at, &limits, found);
    close_segment(&opened);
    return done;
}

PGDLLEXPORT Datum read_direct_native(PG_FUNCTION_ARGS) {
    const declaration expected = {arguments, argument_types, direct_columns, direct_column_types};
    const TupleDesc row = require_declaration(fcinfo, &expected);
    piece found;
    if (!read_here(fcinfo, &found)) {
        PG_RETURN_NULL(); /* SQL has to read the piece */
    }
    return answer_with(row, &found);
}
