#include "postgres.h"

#include "park.h"

#include "access/genam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_type_d.h"
#include "delivery.h"
#include "doorbell.h"
#include "executor/executor.h"
#include "first_retry.h"
#include "miscadmin.h"
#include "position.h"
#include "recent.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/snapmgr.h"
#include "wants.h"

struct parking {
    failure_tables tables;
    Datum channel;
    TupleTableSlot* handler;
    position starts; /* where in the log the handler begins */
    taste types;
    Relation partition; /* of the log, and a message of it */
    TupleTableSlot* message;
    TimestampTz now;
    TupleTableSlot* same; /* what the rows have in common */
    int count;
    TupleTableSlot** rows;
};

static void leave_partition(parking* prepared) {
    if (prepared->message != NULL) {
        ExecDropSingleTupleTableSlot(prepared->message);
        prepared->message = NULL;
    }
    if (prepared->partition != NULL) {
        table_close(prepared->partition, NoLock);
        prepared->partition = NULL;
    }
}

static void text_key(ScanKey key, int column, Relation index, Datum value) {
    ScanKeyEntryInitialize(key, 0, column, BTEqualStrategyNumber, InvalidOid,
                           index->rd_indcollation[column - 1], F_TEXTEQ, value);
}

/* The newest revision of a handler that is not retired. */
static bool find_handler(parking* into, int32 consumer, const text* name) {
    ScanKeyData keys[2];
    ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(consumer));
    text_key(&keys[1], 2, into->tables.handler_key, PointerGetDatum(name));
    return find_row(into->tables.handler, into->tables.handler_key, keys, 2, BackwardScanDirection,
                    into->handler) &&
           is_null(into->handler, handler_ends) && is_null(into->handler, handler_retired_at);
}

/* Whether a report in which something succeeded too would leave its circuit as it is. */
static bool circuit_rests(parking* into, int32 consumer, const text* name) {
    TupleTableSlot* row = table_slot_create(into->tables.circuit, NULL);
    ScanKeyData keys[2];
    ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(consumer));
    text_key(&keys[1], 2, into->tables.circuit_key, PointerGetDatum(name));
    const bool rests = !find_row(into->tables.circuit, into->tables.circuit_key, keys, 2,
                                 ForwardScanDirection, row) ||
                       (strcmp(TextDatumGetCString(value_of(row, circuit_state)), "closed") == 0 &&
                        DatumGetInt32(value_of(row, circuit_failures)) == 0 &&
                        is_null(row, circuit_failing_since));
    ExecDropSingleTupleTableSlot(row);
    return rests;
}

static bool takes_everything(const TupleTableSlot* handler) {
    Datum* types = NULL;
    int count = 0;
    deconstruct_array(DatumGetArrayTypeP(value_of(handler, handler_event_types)), TEXTOID, -1,
                      false, TYPALIGN_INT, &types, NULL, &count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(TextDatumGetCString(types[i]), "*") == 0) {
            return true;
        }
    }
    return false;
}

static bool is_only_handler(const TupleTableSlot* consumer) {
    const ArrayType* handlers = DatumGetArrayTypeP(value_of(consumer, consumer_handlers));
    return ArrayGetNItems(ARR_NDIM(handlers), ARR_DIMS(handlers)) == 1;
}

/* Whether the handler has delivered whatever else was in the lease; and what it takes. */
static bool learn_types(parking* into, const TupleTableSlot* consumer) {
    if (takes_everything(into->handler)) {
        into->types.all_types = true;
        return true;
    }
    into->types = taste_of(consumer);
    return is_only_handler(consumer);
}

static int64 lowest(const failure_report* report) {
    int64 seq = report->each[0].seq;
    for (int i = 1; i < report->count; ++i) {
        seq = Min(seq, report->each[i].seq);
    }
    return seq;
}

static int64 highest(const failure_report* report) {
    int64 seq = report->each[0].seq;
    for (int i = 1; i < report->count; ++i) {
        seq = Max(seq, report->each[i].seq);
    }
    return seq;
}

static bool is_among(const failure_report* report, int64 seq) {
    for (int i = 0; i < report->count; ++i) {
        if (report->each[i].seq == seq) {
            return true;
        }
    }
    return false;
}

/* Whether one of the messages has a delivery here already, of whichever handler: then somebody has
 * to look closer. Where messages fail there are few, so all between the first and the last are
 * looked at. */
static bool is_any_parked(parking* into, const failure_report* report) {
    const int32 consumer = DatumGetInt32(value_of(into->handler, handler_consumer_id));
    IndexScanDesc scan = index_beginscan(into->tables.delivery, into->tables.delivery_key,
                                         GetActiveSnapshot(), 2, 0);
    TupleTableSlot* row = table_slot_create(into->tables.delivery, NULL);
    ScanKeyData keys[2];
    bool found = false;
    ScanKeyInit(&keys[0], 1, BTGreaterEqualStrategyNumber, F_INT8GE, Int64GetDatum(lowest(report)));
    ScanKeyInit(&keys[1], 1, BTLessEqualStrategyNumber, F_INT8LE, Int64GetDatum(highest(report)));
    index_rescan(scan, keys, 2, NULL, 0);
    while (!found && index_getnext_slot(scan, ForwardScanDirection, row)) {
        slot_getallattrs(row);
        const bool ours = DatumGetInt32(value_of(row, delivery_consumer_id)) == consumer ||
                          (!is_null(row, delivery_origin_id) &&
                           DatumGetInt32(value_of(row, delivery_origin_id)) == consumer);
        found = ours && is_among(report, DatumGetInt64(value_of(row, delivery_seq)));
        CHECK_FOR_INTERRUPTS();
    }
    index_endscan(scan);
    ExecDropSingleTupleTableSlot(row);
    return found;
}

/* The message of a failure, in a slot; NULL: it is not where it was. */
static TupleTableSlot* fetch(parking* into, const place* where, int64 seq) {
    if (into->partition == NULL || RelationGetRelid(into->partition) != where->partition) {
        leave_partition(into);
        into->partition = try_table_open(where->partition, AccessShareLock);
        if (into->partition == NULL || !is_log(into->partition)) {
            return NULL;
        }
        into->message = table_slot_create(into->partition, NULL);
    }
    ItemPointerData row = where->row;
    if (!table_tuple_fetch_row_version(into->partition, &row, GetActiveSnapshot(), into->message)) {
        return NULL;
    }
    slot_getallattrs(into->message);
    return DatumGetInt64(value_of(into->message, message_seq)) == seq ? into->message : NULL;
}

static bool prepare_one(parking* into, const failure* what, const place* where) {
    const TupleTableSlot* message = fetch(into, where, what->seq);
    if (message == NULL || !is_null(message, message_max_attempts) ||
        !takes_type(&into->types, value_of(message, message_event_type)) ||
        !is_after(&into->starts, DatumGetUInt64(value_of(message, message_xid)), what->seq)) {
        return false;
    }
    const int64 wait = first_retry(into->handler, what->error_class);
    TupleTableSlot* row =
        wait < 0 ? NULL : failed_delivery(into->same, message, what, into->now + wait);
    if (row != NULL) {
        into->rows[into->count++] = row;
    }
    return row != NULL;
}

/* Each of another member, and not of all. */
static bool prepare_all(parking* into, const failure_report* report, const recent_lease* lease) {
    int at = 0;
    bool* seen = palloc0(sizeof(bool) * lease->count);
    if (report->count >= lease->count) {
        return false;
    }
    into->now = GetCurrentTimestamp();
    into->same = first_failure(&into->tables, into->handler, into->now);
    into->rows = palloc(sizeof(TupleTableSlot*) * report->count);
    for (int i = 0; i < report->count; ++i) {
        const place* where = find_member(lease, report->each[i].seq, &at);
        if (where == NULL || seen[at - 1] || !prepare_one(into, &report->each[i], where)) {
            return false;
        }
        seen[at - 1] = true;
    }
    return true;
}

parking* prepare_parking(const TupleTableSlot* consumer, TupleTableSlot* lease, Datum failures) {
    const int32 id = DatumGetInt32(value_of(consumer, consumer_id));
    const recent_lease* known = recall_lease(lease);
    parking* made = palloc0(sizeof(parking));
    failure_report report;
    if (known == NULL || !read_failures(failures, &report) || !open_failure_tables(&made->tables)) {
        return NULL;
    }
    made->channel = value_of(consumer, consumer_channel);
    made->handler = table_slot_create(made->tables.handler, NULL);
    if (find_handler(made, id, report.handler) && circuit_rests(made, id, report.handler) &&
        learn_types(made, consumer) &&
        position_in(value_of(made->handler, handler_starts), &made->starts) &&
        !is_any_parked(made, &report) && prepare_all(made, &report, known)) {
        return made;
    }
    drop_parking(made);
    return NULL;
}

void park(parking* prepared) {
    insert_deliveries(&prepared->tables, prepared->rows, prepared->count);
    ring(&prepared->tables, prepared->channel);
}

void drop_parking(parking* dropped) {
    leave_partition(dropped);
    if (dropped->same != NULL) {
        ExecDropSingleTupleTableSlot(dropped->same);
    }
    for (int i = 0; i < dropped->count; ++i) {
        ExecDropSingleTupleTableSlot(dropped->rows[i]);
    }
    ExecDropSingleTupleTableSlot(dropped->handler);
    close_failure_tables(&dropped->tables);
}
