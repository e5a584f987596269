#include "postgres.h"

#include "in_sql.h"

#include "access/xact.h"
#include "catalog/pg_type_d.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/xid8.h"

const Oid argument_types[arguments] = {UUIDOID,      INT4OID,  INT8OID,    UUIDOID,
                                       INT8ARRAYOID, JSONBOID, INTERVALOID};

enum { most_parameters = 18 };

typedef struct {
    int count;
    Oid types[most_parameters];
    Datum values[most_parameters];
    char nulls[most_parameters];
} parameters;

static void add(parameters* to, Oid type, Datum value, bool null) {
    to->types[to->count] = type;
    to->values[to->count] = value;
    to->nulls[to->count++] = null ? 'n' : ' ';
}

static void add_xid(parameters* to, uint64 xid) { add(to, XID8OID, UInt64GetDatum(xid), false); }

static void add_bigint(parameters* to, int64 number) {
    add(to, INT8OID, Int64GetDatum(number), false);
}

static void add_instant(parameters* to, TimestampTz at) {
    add(to, TIMESTAMPTZOID, TimestampTzGetDatum(at), false);
}

/* Opens SPI; the caller ends it. */
static void run(SPIPlanPtr* kept, const char* statement, parameters* with) {
    SPI_connect();
    if (*kept == NULL) {
        SPIPlanPtr plan =
            SPI_prepare_cursor(statement, with->count, with->types, CURSOR_OPT_GENERIC_PLAN);
        if (plan == NULL || SPI_keepplan(plan) != 0) {
            elog(ERROR, "postrider_native: %s: %s", statement, SPI_result_code_string(SPI_result));
        }
        *kept = plan;
    }
    const int result = SPI_execute_plan(*kept, with->values, with->nulls, false, 0);
    if (result < 0) {
        elog(ERROR, "postrider_native: %s: %s", statement, SPI_result_code_string(result));
    }
}

static void run_with_arguments(SPIPlanPtr* kept, const char* statement, FunctionCallInfo call) {
    parameters with = {.count = 0};
    for (int i = 0; i < arguments; ++i) {
        add(&with, argument_types[i], call->args[i].value, call->args[i].isnull);
    }
    run(kept, statement, &with);
}

void exchange_in_sql(FunctionCallInfo call) {
    static SPIPlanPtr plan = NULL;
    const ReturnSetInfo* answer = (ReturnSetInfo*)call->resultinfo;
    run_with_arguments(&plan,
                       "select settled, parked, lease_id, lease_token, messages"
                       " from postrider.exchange_packed($1, $2, $3, $4, $5, $6, $7)",
                       call);
    for (uint64 i = 0; i < SPI_processed; ++i) {
        tuplestore_puttuple(answer->setResult, SPI_tuptable->vals[i]);
    }
    SPI_finish();
}

const char* settle_in_sql(FunctionCallInfo call) {
    static SPIPlanPtr plan = NULL;
    const MemoryContext outside = CurrentMemoryContext;
    const char* settled = NULL;
    run_with_arguments(&plan, "select postrider.settle($1, $3, $4, $5, $6)", call);
    if (SPI_processed == 1) {
        settled = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
    }
    settled = settled == NULL ? NULL : MemoryContextStrdup(outside, settled);
    SPI_finish();
    return settled;
}

void take_lock_in_sql(int32 consumer) {
    static SPIPlanPtr plan = NULL;
    parameters with = {.count = 0};
    add(&with, INT4OID, Int32GetDatum(consumer), false);
    run(&plan, "select postrider.take_lock(1886351202, $1, 'claims of consumer ' || $1)", &with);
    SPI_finish();
}

static void mark_leases(int32 consumer) {
    static SPIPlanPtr plan = NULL;
    parameters with = {.count = 0};
    add(&with, INT4OID, Int32GetDatum(consumer), false);
    run(&plan, "select postrider.mark_leases($1)", &with);
    SPI_finish();
}

/* The row that an insert returned. */
static lease_ref returned_lease(void) {
    lease_ref made = {.id = 0};
    bool no_id = true;
    bool no_token = true;
    if (SPI_processed == 1) {
        const HeapTuple row = SPI_tuptable->vals[0];
        made.id = DatumGetInt64(SPI_getbinval(row, SPI_tuptable->tupdesc, 1, &no_id));
        const Datum token = SPI_getbinval(row, SPI_tuptable->tupdesc, 2, &no_token);
        if (!no_token) {
            made.token = *DatumGetUUIDP(token);
        }
    }
    if (no_id || no_token) {
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("the lease was not written"),
                        errhint("Look for a trigger or a rule on postrider.lease.")));
    }
    return made;
}

lease_ref insert_lease(const cursor* from, const pg_uuid_t* worker, const handed_out* what) {
    static SPIPlanPtr plan = NULL;
    const Datum consumer = value_of(from->consumer, consumer_id);
    parameters with = {.count = 0};
    add(&with, INT4OID, consumer, false);
    add(&with, UUIDOID, UUIDPGetDatum(worker), false);
    add(&with, PG_SNAPSHOTOID, from->done_snapshot, false);
    add(&with, PG_SNAPSHOTOID, from->open_snapshot, false);
    add_xid(&with, from->done_xid);
    /* Assigned after the snapshot of a new segment was taken. */
    add_xid(&with,
            from->advanced ? U64FromFullTransactionId(GetTopFullTransactionId()) : from->open_xid);
    add_instant(&with, from->done_at);
    add_instant(&with, from->open_at);
    add_instant(&with, from->floor_at);
    add_instant(&with, from->ceiling_at);
    add(&with, XID8OID, UInt64GetDatum(from->doubt_xid), !from->doubtful);
    add_xid(&with, from->from_xid);
    add_bigint(&with, from->from_seq);
    add_xid(&with, what->to_xid);
    add_bigint(&with, what->to_seq);
    add(&with, INT8ARRAYOID,
        PointerGetDatum(construct_array((Datum*)what->seqs, what->count, INT8OID, sizeof(int64),
                                        true, TYPALIGN_DOUBLE)),
        false);
    add_instant(&with, what->claimed_at);
    add_instant(&with, what->deadline);
    run(&plan,
        "insert into postrider.lease (token, consumer_id, worker_id, done_snapshot, open_snapshot,"
        " done_xid, open_xid, done_at, open_at, floor_at, ceiling_at, doubt_xid, from_xid,"
        " from_seq, to_xid, to_seq, members, claimed_at, deadline)"
        " values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
        " $15, $16, $17, $18) returning id, token",
        &with);
    const lease_ref made = returned_lease();
    SPI_finish();
    /* As exchange_packed() does it: one lease in a thousand, by its random token. */
    if (made.token.data[0] == 0 && made.token.data[1] < 0x40) {
        mark_leases(DatumGetInt32(consumer));
    }
    return made;
}

bool finish_lease(FunctionCallInfo call, int32 consumer) {
    static SPIPlanPtr plan = NULL;
    parameters with = {.count = 0};
    add(&with, INT4OID, Int32GetDatum(consumer), false);
    add(&with, INT8OID, call->args[arg_lease].value, false);
    add(&with, UUIDOID, call->args[arg_token].value, false);
    add(&with, UUIDOID, call->args[arg_worker].value, false);
    run(&plan,
        "update postrider.lease set members = '{}', finished_at = clock_timestamp()"
        " where consumer_id = $1 and id = $2 and token = $3 and worker_id = $4"
        " and finished_at is null",
        &with);
    const bool finished = SPI_processed == 1;
    SPI_finish();
    return finished;
}
