#include "postgres.h"

#include "packed.h"

#include "fmgr.h"
#include "libpq/pqformat.h"
#include "utils/uuid.h"

/* In the order of packed(); those of every message first, of a plain one nothing else. */
static const int plain[] = {message_seq,         message_id,     message_event_type,
                            message_occurred_at, message_source, message_payload};
static const int full[] = {message_seq,
                           message_id,
                           message_event_type,
                           message_event_version,
                           message_occurred_at,
                           message_source,
                           message_target,
                           message_workspace_id,
                           message_payload,
                           message_headers,
                           message_idempotency_key,
                           message_ordering_key,
                           message_partition_key,
                           message_trace_context,
                           message_content_class,
                           message_generation};
static const int often_null[] = {
    message_target,          message_workspace_id,  message_headers,
    message_idempotency_key, message_ordering_key,  message_partition_key,
    message_trace_context,   message_content_class, message_generation};

static bool is_plain(const TupleTableSlot* message) {
    for (size_t i = 0; i < lengthof(often_null); ++i) {
        if (!is_null(message, often_null[i])) {
            return false;
        }
    }
    return DatumGetInt32(value_of(message, message_event_version)) == 1;
}

/* Instants are 64 bits of microseconds, so they are sent like a bigint; text and json are sent as
 * they are. */
static void pack_field(StringInfo into, const TupleTableSlot* message, int column) {
    const Form_pg_attribute field = TupleDescAttr(message->tts_tupleDescriptor, column - 1);
    const Datum value = value_of(message, column);
    pq_sendint32(into, field->atttypid);
    if (is_null(message, column)) {
        pq_sendint32(into, -1);
        return;
    }
    switch (field->attlen) {
        case sizeof(int64):
            pq_sendint32(into, sizeof(int64));
            pq_sendint64(into, DatumGetInt64(value));
            break;
        case sizeof(int32):
            pq_sendint32(into, sizeof(int32));
            pq_sendint32(into, DatumGetInt32(value));
            break;
        case UUID_LEN:
            pq_sendint32(into, UUID_LEN);
            appendBinaryStringInfoNT(into, (const char*)DatumGetUUIDP(value)->data, UUID_LEN);
            break;
        default: {
            const text* bytes = DatumGetTextPP(value);
            pq_sendint32(into, VARSIZE_ANY_EXHDR(bytes));
            appendBinaryStringInfoNT(into, VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
        }
    }
}

void pack_message(StringInfo into, const TupleTableSlot* message) {
    const bool is_short = is_plain(message);
    const int* fields = is_short ? plain : full;
    const int count = is_short ? lengthof(plain) : lengthof(full);
    pq_sendint32(into, count);
    for (int i = 0; i < count; ++i) {
        pack_field(into, message, fields[i]);
    }
}
