#include "message.h"

#include "access/detoast.h"
#include "libpq/pqformat.h"

/* exchange_packed()'s limits: few larger messages fit into a claim, so SQL handles them and counts
 * their bytes. */
enum { large_as_stored = 4000 };

int split_texts(Datum array, Datum** texts) {
    int count = 0;
    int kept = 0;
    bool* nulls = NULL;
    deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, texts, &nulls,
                      &count);
    for (int i = 0; i < count; ++i) {
        if (!nulls[i]) {
            (*texts)[kept++] = (*texts)[i];
        }
    }
    return kept;
}

message_filter filter_of(const TupleTableSlot* consumer) {
    message_filter filter = {.consumer = consumer};
    filter.all_types = DatumGetBool(value_of(consumer, consumer_all_types));
    if (!filter.all_types) {
        filter.exact_count =
            split_texts(value_of(consumer, consumer_exact_types), &filter.exact_types);
        filter.prefix_count =
            split_texts(value_of(consumer, consumer_type_prefixes), &filter.prefixes);
    }
    return filter;
}

static bool same_text(Datum left, Datum right) {
    return DatumGetBool(DirectFunctionCall2Coll(texteq, C_COLLATION_OID, left, right));
}

static bool takes_type(const message_filter* filter, Datum type) {
    bool takes = filter->all_types;
    for (int i = 0; !takes && i < filter->exact_count; ++i) {
        takes = same_text(type, filter->exact_types[i]);
    }
    for (int i = 0; !takes && i < filter->prefix_count; ++i) {
        takes = DatumGetBool(
            DirectFunctionCall2Coll(textlike, C_COLLATION_OID, type, filter->prefixes[i]));
    }
    return takes;
}

/* The stored size of a compressed document may be far smaller than the document. */
static bool is_large(const TupleTableSlot* message, int column) {
    return !is_null(message, column) &&
           (toast_datum_size(value_of(message, column)) > large_as_stored ||
            toast_raw_datum_size(value_of(message, column)) > large_message);
}

interest interest_in(const message_filter* filter, const TupleTableSlot* message) {
    const bool targeted = !is_null(message, message_target);
    const Datum type = value_of(message, message_event_type);
    if (!is_null(message, message_available_at) ||
        DatumGetInt16(value_of(message, message_priority)) != 0) {
        return not_wanted; /* exchange_waiting() hands it out */
    }
    if (targeted ? !same_text(value_of(message, message_target),
                              value_of(filter->consumer, consumer_name))
                 : !takes_type(filter, type)) {
        return not_wanted;
    }
    if (is_large(message, message_payload) || is_large(message, message_headers) ||
        (targeted && !takes_type(filter, type))) {
        return wanted_later;
    }
    return wanted;
}

/* The columns of packed(): of a message that has nothing else, and of any other. */
/* clang-format off */
static const int plain[] = {
    message_seq, message_id, message_event_type, message_occurred_at, message_source, message_payload};
static const int full[] = {
    message_seq, message_id, message_event_type, message_event_version, message_occurred_at,
    message_source, message_target, message_workspace_id, message_payload, message_headers,
    message_idempotency_key, message_ordering_key, message_partition_key, message_trace_context,
    message_content_class, message_generation, message_max_attempts};
static const int often_null[] = {
    message_target, message_workspace_id, message_headers, message_idempotency_key, message_ordering_key,
    message_partition_key, message_trace_context, message_content_class, message_generation,
    message_max_attempts};
/* clang-format on */

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
        case sizeof(int16):
            pq_sendint32(into, sizeof(int16));
            pq_sendint16(into, DatumGetInt16(value));
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
