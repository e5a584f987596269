#include "postgres.h"

#include "lease.h"

#include "access/skey.h"
#include "access/stratnum.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_type_d.h"
#include "commands/sequence.h"
#include "executor/executor.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/snapmgr.h"
#include "utils/xid8.h"

static pg_uuid_t random_uuid(void) {
    pg_uuid_t made;
    if (!pg_strong_random(made.data, UUID_LEN)) {
        ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("no random bytes")));
    }
    made.data[6] = (made.data[6] & 0x0f) | 0x40; /* version 4 */
    made.data[8] = (made.data[8] & 0x3f) | 0x80; /* variant of RFC 4122 */
    return made;
}

static void set(TupleTableSlot* row, int column, Datum value) {
    row->tts_values[column - 1] = value;
    row->tts_isnull[column - 1] = false;
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

/* Of a row that is in the table already. */
static void add_index_entries(Relation lease, TupleTableSlot* row) {
    EState* state = CreateExecutorState();
    ResultRelInfo* target = makeNode(ResultRelInfo);
    InitResultRelInfo(target, lease, 1, NULL, 0);
    ExecOpenIndices(target, false);
    ExecInsertIndexTuples(target, row, state, false, false, NULL, NIL);
    ExecCloseIndices(target);
    FreeExecutorState(state);
}

lease_ref make_lease(engine_tables* tables, const cursor* from, const pg_uuid_t* worker,
                     const handed_out* what) {
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
    add_index_entries(tables->lease, row);
    ExecDropSingleTupleTableSlot(row);
    return made;
}

static bool is_open_lease_of(const TupleTableSlot* row, const pg_uuid_t* worker,
                             const pg_uuid_t* token) {
    return is_null(row, lease_finished_at) && !is_null(row, lease_worker_id) &&
           memcmp(DatumGetUUIDP(value_of(row, lease_token)), token, UUID_LEN) == 0 &&
           memcmp(DatumGetUUIDP(value_of(row, lease_worker_id)), worker, UUID_LEN) == 0;
}

bool finish_lease(engine_tables* tables, int32 consumer, const pg_uuid_t* worker,
                  const lease_ref* lease) {
    TupleTableSlot* found = table_slot_create(tables->lease, NULL);
    ScanKeyData keys[2];
    bool finished = false;
    ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(consumer));
    ScanKeyInit(&keys[1], 2, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(lease->id));
    if (find_row(tables->lease, tables->lease_key, keys, 2, ForwardScanDirection, found) &&
        is_open_lease_of(found, worker, &lease->token)) {
        TupleTableSlot* row = copy_of(tables->lease, found);
        TM_FailureData failure;
        LockTupleMode mode = LockTupleNoKeyExclusive;
        bool moved = false;
        set(row, lease_members, PointerGetDatum(construct_empty_array(INT8OID)));
        set(row, lease_finished_at, TimestampTzGetDatum(GetCurrentTimestamp()));
        ExecStoreVirtualTuple(row);
        /* Waits for whoever changes it at the same moment: reaping takes it away. */
        finished = table_tuple_update(tables->lease, &found->tts_tid, row,
                                      GetCurrentCommandId(true), GetActiveSnapshot(),
                                      InvalidSnapshot, true, &failure, &mode, &moved) == TM_Ok;
        if (finished && moved) {
            add_index_entries(tables->lease, row);
        }
        ExecDropSingleTupleTableSlot(row);
    }
    ExecDropSingleTupleTableSlot(found);
    return finished;
}
