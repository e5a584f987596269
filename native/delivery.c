#include "postgres.h"

#include "delivery.h"

#include "access/tableam.h"
#include "access/xact.h"
#include "commands/sequence.h"
#include "executor/executor.h"
#include "index_entries.h"
#include "triggers.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/uuid.h"

static void set_text(TupleTableSlot* row, int column, text* value) {
    if (value != NULL) {
        set(row, column, PointerGetDatum(value));
    }
}

/* Columns that a delivery has of its message. */
static void copy_message(TupleTableSlot* row, const TupleTableSlot* message) {
    static const struct {
        int of_delivery;
        int of_message;
    } same[] = {{delivery_seq, message_seq},
                {delivery_published_at, message_published_at},
                {delivery_message_id, message_id},
                {delivery_channel, message_channel},
                {delivery_event_type, message_event_type},
                {delivery_event_version, message_event_version},
                {delivery_occurred_at, message_occurred_at},
                {delivery_source, message_source},
                {delivery_target, message_target},
                {delivery_content_class, message_content_class},
                {delivery_generation, message_generation},
                {delivery_workspace_id, message_workspace_id},
                {delivery_raw_payload, message_payload},
                {delivery_raw_headers, message_headers},
                {delivery_metadata, message_metadata},
                {delivery_idempotency_key, message_idempotency_key},
                {delivery_ordering_key, message_ordering_key},
                {delivery_partition_key, message_partition_key},
                {delivery_trace_context, message_trace_context},
                {delivery_priority, message_priority}};
    for (size_t i = 0; i < lengthof(same); ++i) {
        if (!is_null(message, same[i].of_message)) {
            set(row, same[i].of_delivery, value_of(message, same[i].of_message));
        }
    }
    if (is_null(message, message_idempotency_key)) {
        const Datum id = DirectFunctionCall1(uuid_out, value_of(message, message_id));
        set(row, delivery_idempotency_key, CStringGetTextDatum(DatumGetCString(id)));
    }
}

TupleTableSlot* first_failure(failure_tables* tables, const TupleTableSlot* handler,
                              TimestampTz now) {
    TupleTableSlot* row =
        MakeSingleTupleTableSlot(RelationGetDescr(tables->delivery), &TTSOpsVirtual);
    memset(row->tts_isnull, true, delivery_columns * sizeof(bool));
    set(row, delivery_consumer_id, value_of(handler, handler_consumer_id));
    set(row, delivery_handler, value_of(handler, handler_name));
    set(row, delivery_status, CStringGetTextDatum("pending"));
    set(row, delivery_outcome, CStringGetTextDatum("failed"));
    set(row, delivery_attempts, Int32GetDatum(1));
    set(row, delivery_attempts_total, Int32GetDatum(1));
    set(row, delivery_failures, Int32GetDatum(1));
    set(row, delivery_crashes, Int32GetDatum(0));
    set(row, delivery_interruptions, Int32GetDatum(0));
    set(row, delivery_cycle, Int32GetDatum(1));
    set(row, delivery_history_dropped, Int32GetDatum(0));
    set(row, delivery_max_attempts,
        Int32GetDatum(DatumGetInt16(value_of(handler, handler_max_attempts))));
    set(row, delivery_crashes_max,
        Int32GetDatum(DatumGetInt16(value_of(handler, handler_crashes_max))));
    set(row, delivery_retry, value_of(handler, handler_retry));
    set(row, delivery_first_failed_at, TimestampTzGetDatum(now));
    set(row, delivery_created_at, TimestampTzGetDatum(now));
    set(row, delivery_failure_history, DirectFunctionCall1(jsonb_in, CStringGetDatum("[]")));
    return row;
}

TupleTableSlot* failed_delivery(const TupleTableSlot* same, const TupleTableSlot* message,
                                const failure* what, TimestampTz available_at) {
    TupleTableSlot* row = MakeSingleTupleTableSlot(same->tts_tupleDescriptor, &TTSOpsVirtual);
    memcpy(row->tts_values, same->tts_values, delivery_columns * sizeof(Datum));
    memcpy(row->tts_isnull, same->tts_isnull, delivery_columns * sizeof(bool));
    copy_message(row, message);
    set(row, delivery_available_at, TimestampTzGetDatum(available_at));
    set_text(row, delivery_last_error, what->error);
    set_text(row, delivery_error_class, what->error_class);
    ExecStoreVirtualTuple(row);
    ExecMaterializeSlot(row); /* it outlives the message */
    return row;
}

void insert_deliveries(failure_tables* tables, TupleTableSlot** rows, int count) {
    for (int i = 0; i < count; ++i) {
        set(rows[i], delivery_id, Int64GetDatum(nextval_internal(tables->delivery_ids, false)));
    }
    table_multi_insert(tables->delivery, rows, count, GetCurrentCommandId(true), 0, NULL);
    add_index_entries(tables->delivery, rows, count);
    if (tables->delivery_watched) {
        tell_of_inserts(tables->delivery, rows, count);
    }
}
