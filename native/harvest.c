#include "postgres.h"

#include "harvest.h"

#include "funcapi.h"
#include "log.h"
#include "miscadmin.h"
#include "packed.h"
#include "wants.h"

/* As exchange_packed() does it: messages in a value, and bytes in a claim. */
enum { messages_in_a_row = 200, enough_bytes = 16 << 20 };

typedef struct {
    StringInfoData bytes; /* begins with a varlena header */
    int count;
    Size before; /* bytes of the rows that are in the answer */
} row_of_messages;

static void begin_row(row_of_messages* row) {
    resetStringInfo(&row->bytes);
    appendStringInfoSpaces(&row->bytes, VARHDRSZ);
    row->count = 0;
}

static bytea* end_row(row_of_messages* row) {
    SET_VARSIZE(row->bytes.data, row->bytes.len);
    return (bytea*)row->bytes.data;
}

static void answer_row(ReturnSetInfo* answer, row_of_messages* row) {
    Datum values[] = {0, 0, 0, 0, PointerGetDatum(end_row(row)), 0};
    bool nulls[] = {true, true, true, true, false, true};
    tuplestore_putvalues(answer->setResult, answer->setDesc, values, nulls);
    row->before += row->bytes.len;
    begin_row(row);
}

/* False: it is too large once it is packed. */
static bool take(const TupleTableSlot* message, handed_out* what, row_of_messages* row,
                 ReturnSetInfo* answer) {
    const int before = row->bytes.len;
    pack_message(&row->bytes, message);
    if (row->bytes.len - before > large_message) {
        row->bytes.len = before;
        return false;
    }
    what->to_xid = DatumGetUInt64(value_of(message, message_xid));
    what->to_seq = DatumGetInt64(value_of(message, message_seq));
    what->seqs[what->count++] = what->to_seq;
    if (++row->count == messages_in_a_row) {
        answer_row(answer, row);
    }
    return true;
}

/* Takes messages until one of them, the limit or the end of the segment ends it. Returns what the
 * last message was; `wanted` if there was no other one. */
static interest take_messages(log_reader* reader, const cursor* from, int limit,
                              row_of_messages* row, ReturnSetInfo* answer, harvest* found) {
    const taste what = taste_of(from->consumer);
    while (found->what.count < limit && row->before + row->bytes.len < enough_bytes) {
        const TupleTableSlot* next = next_message(reader);
        CHECK_FOR_INTERRUPTS();
        if (ran_far(reader) || (found->late && !is_late(reader))) {
            break; /* late committers are handed out by themselves, as exchange_packed() does it */
        }
        if (next == NULL) {
            /* That was all, and the next claim need not look for more. */
            found->what.to_xid = from->open->xmax;
            found->what.to_seq = 0;
            break;
        }
        interest how = interest_in(&what, next);
        if (how == wanted && !take(next, &found->what, row, answer)) {
            how = wanted_later;
        }
        if (how == wanted_later) {
            return wanted_later;
        }
        if (how == wanted) {
            found->late = is_late(reader);
        } else {
            found->passed_over = true;
            pass_over(reader);
        }
    }
    return wanted;
}

bool gather(Relation message, const cursor* from, int limit, ReturnSetInfo* answer,
            harvest* found) {
    log_reader* reader = open_log(message, from);
    row_of_messages row = {.count = 0};
    *found = (harvest){.messages = NULL};
    if (reader == NULL) {
        return false;
    }
    found->what.seqs = palloc(sizeof(int64) * limit);
    initStringInfo(&row.bytes);
    begin_row(&row);
    const interest last = take_messages(reader, from, limit, &row, answer, found);
    const bool far = ran_far(reader);
    close_log(reader);
    if ((last == wanted_later && found->what.count < messages_in_a_row) ||
        (far && found->what.count == 0)) {
        return false;
    }
    found->messages = row.count > 0 ? end_row(&row) : NULL;
    return true;
}
