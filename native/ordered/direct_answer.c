#include "ordered/direct_answer.h"

#include "access/htup_details.h"

/* The answer: messages to hand out, messages to note, and the rest of direct_piece. */
enum {
    out_seqs,
    out_xids,
    out_keys,
    out_noted_seqs,
    out_noted_xids,
    out_noted_keys,
    out_noted_times,
    out_messages,
    out_from_at,
    out_to_at,
    out_any,
    out_more
};

const Oid direct_column_types[direct_columns] = {
    INT8ARRAYOID,        XID8ARRAYOID, TEXTARRAYOID,   INT8ARRAYOID,   XID8ARRAYOID, TEXTARRAYOID,
    TIMESTAMPTZARRAYOID, BYTEAOID,     TIMESTAMPTZOID, TIMESTAMPTZOID, BOOLOID,      BOOLOID};

typedef struct {
    Datum* seqs;
    Datum* xids;
    Datum* times;
    Datum* keys;
    bool* keyless;
    int count;
} message_columns;

static message_columns make_columns(int most) {
    return (message_columns){palloc(sizeof(Datum) * most), palloc(sizeof(Datum) * most),
                             palloc(sizeof(Datum) * most), palloc(sizeof(Datum) * most),
                             palloc(sizeof(bool) * most),  0};
}

static void add_to_columns(message_columns* to, const piece_message* message) {
    const int place = to->count++;
    to->seqs[place] = Int64GetDatum(message->seq);
    to->xids[place] = UInt64GetDatum(message->xid);
    to->times[place] = TimestampTzGetDatum(message->published_at);
    to->keys[place] = PointerGetDatum(message->key);
    to->keyless[place] = message->key == NULL;
}

static Datum array_of_keys(const message_columns* from) {
    int count = from->count;
    int first = 1;
    return PointerGetDatum(construct_md_array(from->keys, from->keyless, 1, &count, &first, TEXTOID,
                                              -1, false, TYPALIGN_INT));
}

typedef struct {
    Datum values[direct_columns];
    bool nulls[direct_columns];
} answer;

static void put(answer* into, int column, Datum value) {
    into->values[column] = value;
    into->nulls[column] = false;
}

static void put_messages(answer* into, int first, const message_columns* from) {
    if (from->count > 0) {
        put(into, first, array_of(from->seqs, from->count, INT8OID));
        put(into, first + out_xids, array_of(from->xids, from->count, XID8OID));
        put(into, first + out_keys, array_of_keys(from));
    }
}

/* Those that are handed out, in their order, and the bounds of their published_at. */
static void put_direct(answer* into, const piece* found, const message_columns* from) {
    StringInfoData bytes;
    TimestampTz from_at = DT_NOEND;
    TimestampTz to_at = DT_NOBEGIN;
    initStringInfo(&bytes);
    enlargeStringInfo(&bytes, VARHDRSZ + found->packed.len);
    appendStringInfoSpaces(&bytes, VARHDRSZ);
    for (int i = 0; i < found->count; ++i) {
        const piece_message* message = &found->messages[i];
        if (message->length > 0) {
            appendBinaryStringInfoNT(&bytes, found->packed.data + message->begins, message->length);
            from_at = Min(from_at, message->published_at);
            to_at = Max(to_at, message->published_at);
        }
    }
    SET_VARSIZE(bytes.data, bytes.len);
    put_messages(into, out_seqs, from);
    put(into, out_messages, PointerGetDatum(bytes.data));
    put(into, out_from_at, TimestampTzGetDatum(from_at));
    put(into, out_to_at, TimestampTzGetDatum(to_at));
}

Datum answer_with(TupleDesc row, const piece* found) {
    answer made = {.values = {0}};
    message_columns direct = make_columns(found->count);
    message_columns noted = make_columns(found->count);
    memset(made.nulls, true, sizeof(made.nulls));
    for (int i = 0; i < found->count; ++i) {
        const piece_message* message = &found->messages[i];
        add_to_columns(message->length > 0 ? &direct : &noted, message);
    }
    if (direct.count > 0) {
        put_direct(&made, found, &direct);
    }
    if (noted.count > 0) {
        put_messages(&made, out_noted_seqs, &noted);
        put(&made, out_noted_times, array_of(noted.times, noted.count, TIMESTAMPTZOID));
    }
    put(&made, out_any, BoolGetDatum(found->any));
    put(&made, out_more, BoolGetDatum(found->more));
    return HeapTupleGetDatum(heap_form_tuple(row, made.values, made.nulls));
}
