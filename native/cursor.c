#include "cursor.h"

#include "access/xact.h"
#include "utils/datum.h"

static bool may_claim_everything(const cursor* at) {
    const TupleTableSlot* consumer = at->consumer;
    const bool is_held =
        DatumGetBool(value_of(consumer, consumer_paused)) ||
        (!is_null(consumer, consumer_held_handlers) &&
         ARR_NDIM(DatumGetArrayTypeP(value_of(consumer, consumer_held_handlers))) != 0);
    return !is_held && datum_image_eq(value_of(at->worker, worker_handlers),
                                      value_of(consumer, consumer_handlers), false, -1);
}

const stored_snapshot* snapshot_in(Datum value) {
    const stored_snapshot* snapshot = (const stored_snapshot*)PG_DETOAST_DATUM(value);
    const Size fixed = offsetof(stored_snapshot, in_progress);
    return VARSIZE(snapshot) >= fixed &&
                   VARSIZE(snapshot) == fixed + snapshot->in_progress_count * sizeof(uint64)
               ? snapshot
               : NULL;
}

bool shows(const stored_snapshot* snapshot, uint64 xid) {
    if (xid < snapshot->xmin || xid >= snapshot->xmax) {
        return xid < snapshot->xmin;
    }
    return DatumGetBool(DirectFunctionCall2(pg_visible_in_snapshot, UInt64GetDatum(xid),
                                            PointerGetDatum(snapshot)));
}

static bool read_segment(cursor* at) {
    const TupleTableSlot* lease = at->lease;
    at->done_snapshot = value_of(lease, lease_done_snapshot);
    at->open_snapshot = value_of(lease, lease_open_snapshot);
    at->done = snapshot_in(at->done_snapshot);
    at->open = snapshot_in(at->open_snapshot);
    at->done_xid = DatumGetUInt64(value_of(lease, lease_done_xid));
    at->open_xid = DatumGetUInt64(value_of(lease, lease_open_xid));
    at->done_at = DatumGetTimestampTz(value_of(lease, lease_done_at));
    at->open_at = DatumGetTimestampTz(value_of(lease, lease_open_at));
    at->floor_at = DatumGetTimestampTz(value_of(lease, lease_floor_at));
    at->ceiling_at = DatumGetTimestampTz(value_of(lease, lease_ceiling_at));
    at->has_recheck_xid = !is_null(lease, lease_recheck_xid);
    at->recheck_xid = at->has_recheck_xid ? DatumGetUInt64(value_of(lease, lease_recheck_xid)) : 0;
    at->from_xid = DatumGetUInt64(value_of(lease, lease_to_xid));
    at->from_seq = DatumGetInt64(value_of(lease, lease_to_seq));
    at->advanced = false;
    return at->done != NULL && at->open != NULL;
}

/* The first row that the keys find in the table's index, copied with all its columns. */
static bool find_row(const keyed_table* in, ScanKey keys, int count, ScanDirection direction,
                     TupleTableSlot* row) {
    IndexScanDesc scan = begin_index_scan(in->table, in->key, GetActiveSnapshot(), count);
    index_rescan(scan, keys, count, NULL, 0);
    const bool found = index_getnext_slot(scan, direction, row);
    if (found) {
        ExecMaterializeSlot(row); /* must stay valid after the page is released */
        slot_getallattrs(row);
    }
    index_endscan(scan);
    return found;
}

/* The session user: callers may have changed the current one. */
static bool is_own_login(const TupleTableSlot* worker) {
    return !is_null(worker, worker_login) &&
           strcmp(TextDatumGetCString(value_of(worker, worker_login)),
                  GetUserNameFromId(GetSessionUserId(), false)) == 0;
}

bool find_consumer_row(engine_tables* tables, int32 consumer, TupleTableSlot* row) {
    ScanKeyData key;
    ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(consumer));
    return find_row(&tables->consumer, &key, 1, ForwardScanDirection, row);
}

bool find_consumer(engine_tables* tables, const pg_uuid_t* worker, int32 consumer, cursor* found) {
    ScanKeyData key;
    found->worker = table_slot_create(tables->worker.table, NULL);
    found->consumer = table_slot_create(tables->consumer.table, NULL);
    found->lease = table_slot_create(tables->lease.table, NULL);

    ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_UUID_EQ, UUIDPGetDatum(worker));
    if (!find_row(&tables->worker, &key, 1, ForwardScanDirection, found->worker) ||
        DatumGetInt32(value_of(found->worker, worker_consumer_id)) != consumer ||
        !is_own_login(found->worker)) {
        return false;
    }
    return find_consumer_row(tables, consumer, found->consumer);
}

bool find_segment(engine_tables* tables, int64 no_older_than, cursor* found) {
    ScanKeyData keys[2];
    if (!may_claim_everything(found)) {
        return false;
    }
    ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ,
                value_of(found->consumer, consumer_id));
    /* Without a lower bound the scan reads a whole page. */
    ScanKeyInit(&keys[1], 2, BTGreaterEqualStrategyNumber, F_INT8GE, Int64GetDatum(no_older_than));
    return find_row(&tables->lease, keys, 2, BackwardScanDirection, found->lease) &&
           read_segment(found);
}

void drop_cursor(cursor* dropped) {
    ExecDropSingleTupleTableSlot(dropped->worker);
    ExecDropSingleTupleTableSlot(dropped->consumer);
    ExecDropSingleTupleTableSlot(dropped->lease);
}

/* Whether recheck_bounds() has searched the log in this session, and the clock is unchanged
 * since. */
static bool clock_is_trusted(const cursor* at, TimestampTz now) {
    const char* looked = GetConfigOption("postrider.looked", true, false);
    const TimestampTz slack = 10 * USECS_PER_MINUTE;
    return looked != NULL && atoi(looked) == DatumGetInt32(value_of(at->consumer, consumer_id)) &&
           now >= at->open_at - slack && now <= at->open_at + slack;
}

/* Whether a transaction below recheck_xid may be in the new segment: then recheck_bounds() in SQL
 * finds its messages. */
static bool must_recheck(const cursor* at) {
    if (at->done->xmax <= at->recheck_xid) {
        return true;
    }
    for (uint32 i = 0; i < at->done->in_progress_count; ++i) {
        const uint64 xid = at->done->in_progress[i];
        if (xid < at->recheck_xid && shows(at->open, xid)) {
            return true;
        }
    }
    return false;
}

bool advance(cursor* moved, TimestampTz now) {
    if (!clock_is_trusted(moved, now) || TransactionIdIsValid(GetTopTransactionIdIfAny())) {
        return false;
    }
    /* A message that `open` does not show was published after done_at if its xid is higher than one
     * assigned after that. */
    moved->floor_at =
        Min(now, moved->open->xmin > moved->done_xid ? moved->done_at : moved->floor_at);
    moved->done_snapshot = moved->open_snapshot;
    moved->done = moved->open;
    moved->done_xid = moved->open_xid;
    moved->done_at = moved->open_at;
    moved->open_snapshot = DirectFunctionCall1(pg_current_snapshot, (Datum)0);
    moved->open = snapshot_in(moved->open_snapshot);
    moved->open_xid = PG_UINT64_MAX; /* the lease gets the transaction's own id, assigned later */
    moved->open_at = now;
    moved->ceiling_at = now;
    moved->from_xid = 0;
    moved->from_seq = 0;
    moved->advanced = true;
    moved->has_recheck_xid = moved->has_recheck_xid && moved->done->xmin <= moved->recheck_xid;
    return moved->open != NULL && (!moved->has_recheck_xid || !must_recheck(moved));
}
