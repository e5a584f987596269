#include "postgres.h"

#include "lease.h"

#include "access/skey.h"
#include "access/stratnum.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_type_d.h"
#include "commands/sequence.h"
#include "executor/tuptable.h"
#include "index_entries.h"
#include "triggers.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/snapmgr.h"
#include "utils/xid8.h"

/* Asked for many at a time: to ask was a fifth of a small claim. */
static pg_uuid_t random_uuid(void) {
    static pg_uuid_t made[64];
    static size_t left;
    if (left == 0) {
        if (!pg_strong_random(made, sizeof(made))) {
            ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("no random bytes")));
        }
        left = lengthof(made);
    }
    pg_uuid_t next = made[--left];
    next.data[6] = (next.data[6] & 0x0f) | 0x40; /* version 4 */
    next.data[8] = (next.data[8] & 0x3f) | 0x80; /* variant of RFC 4122 */
    return next;
}

static void set_null(TupleTableSlot* row, int column) {
    row->tts_values[column - 1] = (Datum)0;
    row->tts_isnull[column - 1] = true;
}

static TupleTableSlot* copy_of(Relation lease, const TupleTableSlot* row) {
    TupleTableSlot* copy = table_slot_create(lease, NULL);
    memcpy(copy->tts_values, row->tts_values, lease_columns * sizeof(Datum));
    memcpy(copy->tts_isnull, row->tts_isnull, lease_columns * sizeof(bool));
    return copy;
}

lease_ref make_lease(engine_tables* tables, const cursor* from, const pg_uuid_t* worker,
                     const handed_out* what, row_version* version) {
    TupleTableSlot* row = copy_of(tables->lease, from->lease); /* of the same consumer */
    lease_ref made = {.id = nextval_internal(tables->lease_ids, false), .token = random_uuid()};
    set(row, lease_id, Int64GetDatum(made.id));
    set(row, lease_token, UUIDPGetDatum(&made.token));
    set(row, lease_worker_id, UUIDPGetDatum(worker));
    set(row, lease_done_snapshot, from->done_snapshot);
    set(row, lease_open_snapshot, from->open_snapshot);
    set(row, lease_done_xid, UInt64GetDatum(from->done_xid));
    /* Assigned after the snapshot of a new segment was taken. */
    set(row, lease_open_xid,
        from->advanced ? FullTransactionIdGetDatum(GetTopFullTransactionId())
                       : UInt64GetDatum(from->open_xid));
    set(row, lease_done_at, TimestampTzGetDatum(from->done_at));
    set(row, lease_open_at, TimestampTzGetDatum(from->open_at));
    set(row, lease_floor_at, TimestampTzGetDatum(from->floor_at));
    set(row, lease_ceiling_at, TimestampTzGetDatum(from->ceiling_at));
    if (!from->doubtful) {
        set_null(row, lease_doubt_xid);
    }
    set(row, lease_from_xid, UInt64GetDatum(from->from_xid));
    set(row, lease_from_seq, Int64GetDatum(from->from_seq));
    set(row, lease_to_xid, UInt64GetDatum(what->to_xid));
    set(row, lease_to_seq, Int64GetDatum(what->to_seq));
    set(row, lease_members,
        PointerGetDatum(construct_array((Datum*)what->seqs, what->count, INT8OID, sizeof(int64),
                                        FLOAT8PASSBYVAL, TYPALIGN_DOUBLE)));
    set(row, lease_claimed_at, TimestampTzGetDatum(what->claimed_at));
    set(row, lease_deadline, TimestampTzGetDatum(what->deadline));
    set_null(row, lease_finished_at);
    set_null(row, lease_reaped_at);
    ExecStoreVirtualTuple(row);
    table_tuple_insert(tables->lease, row, GetCurrentCommandId(true), 0, NULL);
    add_index_entries(tables->lease, &row, 1);
    *version = (row_version){GetCurrentTransactionId(), row->tts_tid};
    if (tables->lease_watched) {
        tell_of_inserts(tables->lease, &row, 1);
    }
    ExecDropSingleTupleTableSlot(row);
    return made;
}

static bool is_open_lease_of(const TupleTableSlot* row, const pg_uuid_t* worker,
                             const pg_uuid_t* token) {
    return is_null(row, lease_finished_at) && !is_null(row, lease_worker_id) &&
           memcmp(DatumGetUUIDP(value_of(row, lease_token)), token, UUID_LEN) == 0 &&
           memcmp(DatumGetUUIDP(value_of(row, lease_worker_id)), worker, UUID_LEN) == 0;
}

TupleTableSlot* find_lease(engine_tables* tables, int32 consumer, const pg_uuid_t* worker,
                           const lease_ref* lease) {
    TupleTableSlot* found = table_slot_create(tables->lease, NULL);
    ScanKeyData keys[2];
    ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(consumer));
    ScanKeyInit(&keys[1], 2, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(lease->id));
    if (find_row(tables->lease, tables->lease_key, keys, 2, ForwardScanDirection, found) &&
        is_open_lease_of(found, worker, &lease->token)) {
        return found;
    }
    ExecDropSingleTupleTableSlot(found);
    return NULL;
}

bool finish_lease(engine_tables* tables, TupleTableSlot* lease) {
    TupleTableSlot* row = copy_of(tables->lease, lease);
    TM_FailureData failure;
    LockTupleMode mode = LockTupleNoKeyExclusive;
    bool moved = false;
    set(row, lease_members, PointerGetDatum(construct_empty_array(INT8OID)));
    set(row, lease_finished_at, TimestampTzGetDatum(GetCurrentTimestamp()));
    ExecStoreVirtualTuple(row);
    /* Waits for whoever changes it at the same moment: reaping takes it away. */
    const bool finished =
        table_tuple_update(tables->lease, &lease->tts_tid, row, GetCurrentCommandId(true),
                           GetActiveSnapshot(), InvalidSnapshot, true, &failure, &mode,
                           &moved) == TM_Ok;
    if (finished && moved) {
        add_index_entries(tables->lease, &row, 1);
    }
    if (finished && tables->lease_watched) {
        tell_of_update(tables->lease, lease, row);
    }
    ExecDropSingleTupleTableSlot(row);
    return finished;
}
