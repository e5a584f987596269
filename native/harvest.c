#include "postgres.h"

#include "harvest.h"

#include "funcapi.h"
#include "log.h"
#include "miscadmin.h"
#include "packed.h"
#include "wants.h"

/* As exchange_packed() does it: messages in a value, and bytes in a claim. A claim that has passed
 * over this many messages of other consumers ends, with what it has or in SQL, where scan_time()
 * bounds it and the cursor moves. */
enum { messages_in_a_row = 200, enough_bytes = 16 << 20, most_passed_over = 5000 };

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

static void take(const TupleTableSlot* message, handed_out* what, row_of_messages* row,
                 ReturnSetInfo* answer) {
    if (row->count == messages_in_a_row) {
        answer_row(answer, row);
    }
    pack_message(&row->bytes, message);
    ++row->count;
    what->to_xid = DatumGetUInt64(value_of(message, message_xid));
    what->to_seq = DatumGetInt64(value_of(message, message_seq));
    what->places[what->count] = (place){message->tts_tableOid, message->tts_tid};
    what->seqs[what->count++] = what->to_seq;
}

/* Late committers are handed out by themselves, as exchange_packed() does it. */
static bool ends_late_ones(const log_reader* reader, const harvest* found) {
    return found->late && !is_late(reader);
}

bool gather(Relation message, const cursor* from, int limit, ReturnSetInfo* answer,
            harvest* found) {
    const taste what = taste_of(from->consumer);
    log_reader* reader = open_log(message, from);
    row_of_messages row = {.count = 0};
    bool enough = false;
    int passed_over = 0;
    *found = (harvest){.messages = NULL};
    if (reader == NULL) {
        return false;
    }
    found->what.seqs = palloc(sizeof(int64) * limit);
    found->what.places = palloc(sizeof(place) * limit);
    initStringInfo(&row.bytes);
    begin_row(&row);
    while (!enough) {
        const TupleTableSlot* next = next_message(reader);
        CHECK_FOR_INTERRUPTS();
        if (ends_late_ones(reader, found)) {
            break;
        }
        if (next == NULL) {
            /* That was all, and the next claim need not look for more. */
            found->what.to_xid = from->open->xmax;
            found->what.to_seq = 0;
            break;
        }
        const interest how = interest_in(&what, next);
        passed_over += how == not_wanted;
        const bool far = passed_over == most_passed_over;
        if ((how == wanted_later && found->what.count < messages_in_a_row) ||
            (far && found->what.count == 0)) {
            close_log(reader);
            return false;
        }
        if (how == wanted) {
            take(next, &found->what, &row, answer);
            found->late = is_late(reader);
        } else if (how == not_wanted) {
            found->passed_over = true;
        }
        enough = found->what.count == limit || how == wanted_later || far ||
                 row.before + row.bytes.len >= enough_bytes;
    }
    close_log(reader);
    found->messages = row.count > 0 ? end_row(&row) : NULL;
    return true;
}
