#include "ordered/direct.h"

#include "message.h"

static int compare_keys(const text* left, const text* right) {
    const int left_length = VARSIZE_ANY_EXHDR(left);
    const int right_length = VARSIZE_ANY_EXHDR(right);
    const int order = memcmp(VARDATA_ANY(left), VARDATA_ANY(right), Min(left_length, right_length));
    return order != 0 ? order : left_length - right_length;
}

static int compare_datums(const void* left, const void* right) {
    return compare_keys((const text*)DatumGetPointer(*(const Datum*)left),
                        (const text*)DatumGetPointer(*(const Datum*)right));
}

void sort_keys(Datum* keys, int count) { qsort(keys, count, sizeof(Datum), compare_datums); }

static bool is_blocked(const piece_limits* limits, const text* key) {
    const Datum wanted = PointerGetDatum(key);
    return key != NULL && limits->blocked_count > 0 &&
           bsearch(&wanted, limits->blocked, limits->blocked_count, sizeof(Datum),
                   compare_datums) != NULL;
}

/* By key and number, those without a key last. */
static int compare_messages(const void* left, const void* right) {
    const piece_message* a = left;
    const piece_message* b = right;
    if (a->key == NULL || b->key == NULL) {
        if ((a->key == NULL) != (b->key == NULL)) {
            return a->key == NULL ? 1 : -1;
        }
    } else {
        const int order = compare_keys(a->key, b->key);
        if (order != 0) {
            return order;
        }
    }
    return a->seq < b->seq ? -1 : 1;
}

/* Adds a message. It is packed unless it has to wait. */
static void add_message(piece* to, const TupleTableSlot* message, interest how,
                        const piece_limits* limits) {
    const bool keyed = !is_null(message, message_ordering_key);
    piece_message* added = &to->messages[to->count++];
    *added = (piece_message){
        .key = keyed ? DatumGetTextPCopy(value_of(message, message_ordering_key)) : NULL,
        .seq = DatumGetInt64(value_of(message, message_seq)),
        .xid = DatumGetUInt64(value_of(message, message_xid)),
        .published_at = DatumGetTimestampTz(value_of(message, message_published_at)),
        .begins = to->packed.len};
    if (how == wanted && !is_blocked(limits, added->key)) {
        pack_message(&to->packed, message);
        added->length = to->packed.len - added->begins;
    }
    if (added->length > large_message) {
        to->packed.len = added->begins;
        added->length = 0;
    }
}

static bool is_behind(const TupleTableSlot* message, const piece_limits* limits) {
    const uint64 xid = DatumGetUInt64(value_of(message, message_xid));
    return xid != limits->to_xid ? xid > limits->to_xid
                                 : DatumGetInt64(value_of(message, message_seq)) > limits->to_seq;
}

/* Reads one message more than the piece may have, to detect that there are more. */
static bool read_messages(log_reader* reader, const message_filter* filter,
                          const piece_limits* limits, piece* found) {
    while (found->count <= limits->most) {
        const TupleTableSlot* next = next_message(reader);
        CHECK_FOR_INTERRUPTS();
        if (next == NULL) {
            break;
        }
        const interest how = interest_in(filter, next);
        if (how == not_wanted) {
            pass_over(reader);
            continue;
        }
        found->any = true;
        if (is_behind(next, limits)) {
            break;
        }
        add_message(found, next, how, limits);
    }
    found->more = found->count > limits->most;
    return !ran_far(reader);
}

/* After a message that has to wait, all later messages of its key wait. */
static void mark_waiting(piece* found, const piece_limits* limits) {
    int place = 0;
    bool waits = false;
    for (int i = 0; i < found->count; ++i) {
        piece_message* message = &found->messages[i];
        const text* before = i == 0 ? NULL : found->messages[i - 1].key;
        const bool same_key = i > 0 && (message->key == NULL || before == NULL
                                            ? message->key == before
                                            : compare_keys(message->key, before) == 0);
        place = same_key ? place + 1 : 1;
        waits = (same_key && waits) || message->length == 0 ||
                (message->key != NULL && (place > limits->chain || message->seq >= limits->lowest));
        message->length = waits ? 0 : message->length;
    }
}

bool read_piece(Relation message, const cursor* from, const piece_limits* limits, piece* found) {
    log_reader* reader = open_log(message, from);
    *found = (piece){.messages = NULL};
    if (reader == NULL) {
        return false;
    }
    const message_filter filter = filter_of(from->consumer);
    found->messages = palloc(sizeof(piece_message) * (limits->most + 1));
    initStringInfo(&found->packed);
    const bool complete = read_messages(reader, &filter, limits, found);
    close_log(reader);
    qsort(found->messages, found->count, sizeof(piece_message), compare_messages);
    mark_waiting(found, limits);
    return complete;
}
