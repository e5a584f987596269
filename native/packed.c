#include "postgres.h"

#include "packed.h"

#include "libpq/pqformat.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

static void begin_field(StringInfo into, const TupleTableSlot* message, int column, int length) {
    pq_sendint32(into, TupleDescAttr(message->tts_tupleDescriptor, column - 1)->atttypid);
    pq_sendint32(into, length);
}

static bool add_null(StringInfo into, const TupleTableSlot* message, int column) {
    if (is_null(message, column)) {
        begin_field(into, message, column, -1);
        return true;
    }
    return false;
}

/* Instants are 64 bits of microseconds, so they are sent like a bigint. */
static void add_bigint(StringInfo into, const TupleTableSlot* message, int column) {
    if (!add_null(into, message, column)) {
        begin_field(into, message, column, sizeof(int64));
        pq_sendint64(into, DatumGetInt64(value_of(message, column)));
    }
}

static void add_int(StringInfo into, const TupleTableSlot* message, int column) {
    begin_field(into, message, column, sizeof(int32));
    pq_sendint32(into, DatumGetInt32(value_of(message, column)));
}

static void add_uuid(StringInfo into, const TupleTableSlot* message, int column) {
    if (!add_null(into, message, column)) {
        begin_field(into, message, column, UUID_LEN);
        appendBinaryStringInfoNT(into, (const char*)DatumGetUUIDP(value_of(message, column))->data,
                                 UUID_LEN);
    }
}

/* text and json alike */
static void add_text(StringInfo into, const TupleTableSlot* message, int column) {
    if (!add_null(into, message, column)) {
        const text* value = DatumGetTextPP(value_of(message, column));
        begin_field(into, message, column, VARSIZE_ANY_EXHDR(value));
        appendBinaryStringInfoNT(into, VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
    }
}

static bool has_only_the_usual(const TupleTableSlot* message) {
    return DatumGetInt32(value_of(message, message_event_version)) == 1 &&
           is_null(message, message_target) && is_null(message, message_workspace_id) &&
           is_null(message, message_headers) && is_null(message, message_idempotency_key) &&
           is_null(message, message_ordering_key) && is_null(message, message_partition_key) &&
           is_null(message, message_trace_context) && is_null(message, message_content_class) &&
           is_null(message, message_generation);
}

void pack_message(StringInfo into, const TupleTableSlot* message) {
    const bool usual = has_only_the_usual(message);
    pq_sendint32(into, usual ? 6 : 16);
    add_bigint(into, message, message_seq);
    add_uuid(into, message, message_id);
    add_text(into, message, message_event_type);
    if (!usual) {
        add_int(into, message, message_event_version);
    }
    add_bigint(into, message, message_occurred_at);
    add_text(into, message, message_source);
    if (!usual) {
        add_text(into, message, message_target);
        add_uuid(into, message, message_workspace_id);
    }
    add_text(into, message, message_payload);
    if (!usual) {
        add_text(into, message, message_headers);
        add_text(into, message, message_idempotency_key);
        add_text(into, message, message_ordering_key);
        add_text(into, message, message_partition_key);
        add_text(into, message, message_trace_context);
        add_text(into, message, message_content_class);
        add_bigint(into, message, message_generation);
    }
}
