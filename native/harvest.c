#include "log.h"
#include "message.h"

/* As in exchange_packed(): bytes in a claim, and messages that are worth a lease of their own when
 * the next one has to be checked in SQL. */
enum { enough_bytes = 16 << 20, enough_messages = 200 };

/* False: the packed message is too large. */
static bool take(const TupleTableSlot* message, StringInfo bytes, harvest* found) {
    const int before = bytes->len;
    pack_message(bytes, message);
    if (bytes->len - before > large_message) {
        bytes->len = before;
        return false;
    }
    found->to_xid = DatumGetUInt64(value_of(message, message_xid));
    found->to_seq = DatumGetInt64(value_of(message, message_seq));
    found->seqs[found->count++] = found->to_seq;
    return true;
}

/* Takes messages up to the limit or the end of the segment. Returns wanted_later if it stops at a
 * message that has to be checked in SQL. */
static interest take_messages(log_reader* reader, const cursor* from, int limit, StringInfo bytes,
                              harvest* found) {
    const message_filter filter = filter_of(from->consumer);
    while (found->count < limit && bytes->len < enough_bytes) {
        const TupleTableSlot* next = next_message(reader);
        CHECK_FOR_INTERRUPTS();
        if (ran_far(reader) || (found->late && !is_late(reader))) {
            break; /* late committers get a claim of their own, as in exchange_packed() */
        }
        if (next == NULL) {
            /* The segment has no more messages, so the next claim skips its rest. */
            found->to_xid = from->open->xmax;
            found->to_seq = 0;
            break;
        }
        const interest how = interest_in(&filter, next);
        if (how == not_wanted) {
            found->passed_over = true;
            pass_over(reader);
        } else if (how == wanted_later || !take(next, bytes, found)) {
            return wanted_later;
        } else {
            found->late = is_late(reader);
        }
    }
    return wanted;
}

bool gather(Relation message, const cursor* from, int limit, harvest* found) {
    log_reader* reader = open_log(message, from);
    StringInfoData bytes;
    *found = (harvest){.messages = NULL};
    if (reader == NULL) {
        return false;
    }
    found->seqs = palloc(sizeof(int64) * limit);
    initStringInfo(&bytes);
    appendStringInfoSpaces(&bytes, VARHDRSZ);
    const interest last = take_messages(reader, from, limit, &bytes, found);
    const bool far = ran_far(reader);
    close_log(reader);
    if (found->count > 0) {
        SET_VARSIZE(bytes.data, bytes.len);
        found->messages = (bytea*)bytes.data;
    }
    return !(last == wanted_later && found->count < enough_messages) && !(far && found->count == 0);
}
