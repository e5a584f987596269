#include "statements.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "executor/spi.h"
#include "utils/xid8.h"

const Oid argument_types[arguments] = {UUIDOID,      INT4OID,  INT8OID,    UUIDOID,
                                       INT8ARRAYOID, JSONBOID, INTERVALOID};

enum { most_parameters = 19 };

typedef struct {
    int count;
    Oid types[most_parameters];
    Datum values[most_parameters];
    char nulls[most_parameters];
} parameters;

static void add_nullable(parameters* to, Oid type, Datum value, bool null) {
    to->types[to->count] = type;
    to->values[to->count] = value;
    to->nulls[to->count++] = null ? 'n' : ' ';
}

static void add(parameters* to, Oid type, Datum value) { add_nullable(to, type, value, false); }

/* Opens SPI; the caller ends it. A cached plan is made again when a type or a function changes, so
 * each statement casts its columns to the types that this library reads. */
static void run(SPIPlanPtr* kept, const char* statement, parameters* with) {
    SPI_connect();
    if (*kept == NULL) {
        SPIPlanPtr plan =
            SPI_prepare_cursor(statement, with->count, with->types, CURSOR_OPT_GENERIC_PLAN);
        *kept = plan != NULL && SPI_keepplan(plan) == 0 ? plan : NULL;
    }
    if (*kept == NULL || SPI_execute_plan(*kept, with->values, with->nulls, false, 0) < 0) {
        elog(ERROR, "postrider_native: cannot run %s", statement);
    }
}

static void run_with_arguments(SPIPlanPtr* kept, const char* statement, FunctionCallInfo call) {
    parameters with = {.count = 0};
    for (int i = 0; i < arguments; ++i) {
        add_nullable(&with, argument_types[i], call->args[i].value, call->args[i].isnull);
    }
    run(kept, statement, &with);
}

void exchange_in_sql(FunctionCallInfo call) {
    static SPIPlanPtr plan = NULL;
    const ReturnSetInfo* answer = (ReturnSetInfo*)call->resultinfo;
    run_with_arguments(&plan,
                       "select settled::text, parked::int, lease_id::bigint, lease_token::uuid,"
                       " messages::bytea"
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
    run_with_arguments(&plan, "select postrider.settle($1, $3, $4, $5, $6)", call);
    const char* settled =
        SPI_processed == 1 ? SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1) : NULL;
    settled = settled == NULL ? NULL : MemoryContextStrdup(outside, settled);
    SPI_finish();
    return settled;
}

void wait_for_claim_lock(int32 consumer, int limit) {
    static SPIPlanPtr plan = NULL;
    parameters with = {.count = 0};
    add(&with, INT4OID, Int32GetDatum(consumer));
    add(&with, INT4OID, Int32GetDatum(limit));
    run(&plan, "select postrider.wait_to_claim($1, $2)", &with);
    SPI_finish();
}

static void mark_leases(Datum consumer) {
    static SPIPlanPtr plan = NULL;
    parameters with = {.count = 0};
    add(&with, INT4OID, consumer);
    run(&plan, "select postrider.mark_leases($1)", &with);
    SPI_finish();
}

static lease_ref returned_lease(void) {
    Datum values[] = {0, 0};
    bool nulls[] = {true, true};
    if (SPI_processed == 1) {
        heap_deform_tuple(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, values, nulls);
    }
    if (nulls[0] || nulls[1]) { /* a trigger can skip the row, and a rule can return another one */
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("the lease was not written"),
                        errhint("Look for a trigger or a rule on postrider.lease.")));
    }
    return (lease_ref){DatumGetInt64(values[0]), *DatumGetUUIDP(values[1])};
}

lease_ref insert_lease(FunctionCallInfo call, const cursor* from, const harvest* found,
                       TimestampTz now) {
    static SPIPlanPtr plan = NULL;
    const Datum consumer = value_of(from->consumer, consumer_id);
    const NullableDatum* deadline = &call->args[arg_deadline];
    parameters with = {.count = 0};
    add(&with, INT4OID, consumer);
    add(&with, UUIDOID, call->args[arg_worker].value);
    add(&with, PG_SNAPSHOTOID, from->done_snapshot);
    add(&with, PG_SNAPSHOTOID, from->open_snapshot);
    add(&with, XID8OID, UInt64GetDatum(from->done_xid));
    /* Assigned after the snapshot of a new segment was taken. */
    add(&with, XID8OID,
        from->advanced ? FullTransactionIdGetDatum(GetTopFullTransactionId())
                       : UInt64GetDatum(from->open_xid));
    add(&with, TIMESTAMPTZOID, TimestampTzGetDatum(from->done_at));
    add(&with, TIMESTAMPTZOID, TimestampTzGetDatum(from->open_at));
    add(&with, TIMESTAMPTZOID, TimestampTzGetDatum(from->floor_at));
    add(&with, TIMESTAMPTZOID, TimestampTzGetDatum(from->ceiling_at));
    add_nullable(&with, XID8OID, UInt64GetDatum(from->recheck_xid), !from->has_recheck_xid);
    add(&with, XID8OID, UInt64GetDatum(from->from_xid));
    add(&with, INT8OID, Int64GetDatum(from->from_seq));
    add(&with, XID8OID, UInt64GetDatum(found->to_xid));
    add(&with, INT8OID, Int64GetDatum(found->to_seq));
    add(&with, INT8ARRAYOID, array_of((Datum*)found->seqs, found->count, INT8OID));
    add(&with, TIMESTAMPTZOID, TimestampTzGetDatum(now));
    add_nullable(&with, INTERVALOID, deadline->value, deadline->isnull);
    add_nullable(&with, INTERVALOID, value_of(from->consumer, consumer_lease_deadline),
                 is_null(from->consumer, consumer_lease_deadline));
    run(&plan,
        "insert into postrider.lease (token, consumer_id, worker_id, done_snapshot, open_snapshot,"
        " done_xid, open_xid, done_at, open_at, floor_at, ceiling_at, recheck_xid, from_xid,"
        " from_seq, to_xid, to_seq, members, claimed_at, deadline)"
        " values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
        " $15, $16, $17, $17 + coalesce($18, $19, interval '15 minutes'))"
        " returning id::bigint, token::uuid",
        &with);
    const lease_ref made = returned_lease();
    SPI_finish();
    /* As in exchange_packed(): for one lease in a thousand, chosen by its random token. */
    if (made.token.data[0] == 0 && made.token.data[1] < 0x40) {
        mark_leases(consumer);
    }
    return made;
}

bool finish_lease(FunctionCallInfo call, int32 consumer) {
    static SPIPlanPtr plan = NULL;
    parameters with = {.count = 0};
    add(&with, INT4OID, Int32GetDatum(consumer));
    add(&with, INT8OID, call->args[arg_lease].value);
    add(&with, UUIDOID, call->args[arg_token].value);
    add(&with, UUIDOID, call->args[arg_worker].value);
    run(&plan,
        "update postrider.lease set members = '{}', finished_at = clock_timestamp()"
        " where consumer_id = $1 and id = $2 and token = $3 and worker_id = $4"
        " and finished_at is null",
        &with);
    const bool finished = SPI_processed == 1;
    SPI_finish();
    return finished;
}
