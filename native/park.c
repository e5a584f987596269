#include "postgres.h"

#include "park.h"

#include "access/genam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "delivery.h"
#include "doorbell.h"
#include "first_retry.h"
#include "handlers.h"
#include "miscadmin.h"
#include "recent.h"
#include "utils/fmgroids.h"
#include "utils/snapmgr.h"

/* Messages that are looked at to find one that a handler has delivered. */
enum { most_looks = 64 };

/* A handler, and what it has failed. */
typedef struct {
    handler who;
    TupleTableSlot* same; /* what the rows have in common */
    bool* failed;         /* which members of the lease */
} failing;

struct parking {
    failure_tables tables;
    const recent_lease* lease;
    Datum channel;
    int32 consumer;
    TimestampTz now;
    Relation partition; /* of the log, and a message of it */
    TupleTableSlot* message;
    int handler_count;
    failing handlers[most_handlers];
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
        const bool ours = DatumGetInt32(value_of(row, delivery_consumer_id)) == into->consumer ||
                          (!is_null(row, delivery_origin_id) &&
                           DatumGetInt32(value_of(row, delivery_origin_id)) == into->consumer);
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
    const failing* of = &into->handlers[what->handler];
    const TupleTableSlot* message = fetch(into, where, what->seq);
    if (message == NULL || !is_null(message, message_max_attempts) || !owes(&of->who, message)) {
        return false;
    }
    const int64 wait = first_retry(of->who.row, what->error_class);
    if (wait < 0) {
        return false;
    }
    into->rows[into->count++] = failed_delivery(of->same, message, what, into->now + wait);
    return true;
}

/* Whether something in the lease was delivered by the handler, so that its circuit has nothing to
 * count. */
static bool has_succeeded(parking* into, const failing* of) {
    int looks = 0;
    for (int i = 0; i < into->lease->count && looks < most_looks; ++i) {
        if (of->failed[i]) {
            continue;
        }
        const TupleTableSlot* message = fetch(into, &into->lease->places[i], into->lease->seqs[i]);
        if (message == NULL) {
            return false;
        }
        if (owes(&of->who, message)) {
            return true;
        }
        ++looks;
    }
    return false;
}

/* Each of another member, or of another handler. */
static bool prepare_all(parking* into, const failure_report* report) {
    int at = 0;
    into->rows = palloc(sizeof(TupleTableSlot*) * report->count);
    for (int i = 0; i < report->count; ++i) {
        const place* where = find_member(into->lease, report->each[i].seq, &at);
        bool* failed = into->handlers[report->each[i].handler].failed;
        if (where == NULL || failed[at - 1] || !prepare_one(into, &report->each[i], where)) {
            return false;
        }
        failed[at - 1] = true;
    }
    for (int i = 0; i < into->handler_count; ++i) {
        if (!has_succeeded(into, &into->handlers[i])) {
            return false;
        }
    }
    return true;
}

static bool find_handlers(parking* into, const TupleTableSlot* consumer,
                          const failure_report* report) {
    for (int i = 0; i < report->handler_count; ++i) {
        failing* of = &into->handlers[into->handler_count++];
        if (!find_handler(&into->tables, consumer, report->handlers[i], &of->who)) {
            return false;
        }
        of->same = first_failure(&into->tables, of->who.row, into->now);
        of->failed = palloc0(sizeof(bool) * into->lease->count);
    }
    return true;
}

parking* prepare_parking(const TupleTableSlot* consumer, TupleTableSlot* lease, Datum failures) {
    parking* made = palloc0(sizeof(parking));
    failure_report report;
    made->lease = recall_lease(lease);
    made->channel = value_of(consumer, consumer_channel);
    made->consumer = DatumGetInt32(value_of(consumer, consumer_id));
    made->now = GetCurrentTimestamp();
    if (made->lease == NULL || !read_failures(failures, &report) ||
        !open_failure_tables(&made->tables)) {
        return NULL;
    }
    if (find_handlers(made, consumer, &report) && !is_any_parked(made, &report) &&
        prepare_all(made, &report)) {
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
    for (int i = 0; i < dropped->count; ++i) {
        ExecDropSingleTupleTableSlot(dropped->rows[i]);
    }
    for (int i = 0; i < dropped->handler_count; ++i) {
        if (dropped->handlers[i].same != NULL) {
            ExecDropSingleTupleTableSlot(dropped->handlers[i].same);
        }
        drop_handler(&dropped->handlers[i].who);
    }
    close_failure_tables(&dropped->tables);
}
