/* exchange_native(): exchange_packed() for a server that has this library. C reads the cursor and
 * the log, matches and packs the messages; every row is written by a statement. The usual case is
 * handled here. For all other cases it calls exchange_packed(), before anything is written. Both
 * take the same lock and keep the same ledger, so they can be mixed. */
#include "server.h"

#include "access/xact.h"
#include "mb/pg_wchar.h"
#include "statements.h"
#include "storage/lock.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(exchange_native);
PG_FUNCTION_INFO_V1(native_trouble);

StaticAssertDecl(SIZEOF_DATUM == 8, "64-bit numbers are passed by value");

/* The kill switch: any session, role or database can turn native claims off. */
static bool is_on = false;

PGDLLEXPORT void _PG_init(void) {
    watch_tables();
    DefineCustomBoolVariable("postrider.native", "Claims messages in C.",
                             "When off, exchange_native() calls exchange_packed().", &is_on, false,
                             PGC_USERSET, 0, NULL, NULL, NULL);
}

bool claims_are_native(void) { return is_on; }

enum { claim_lock = 1886351202, most_messages = 10000 };

static bool has(FunctionCallInfo call, enum argument which) { return !call->args[which].isnull; }

static int limit_of(FunctionCallInfo call) { return DatumGetInt32(call->args[arg_limit].value); }

/* The consumer of the worker, if this session has claimed for it in SQL, which pins the session's
 * plans; otherwise 0. Any session can change this setting, so find_consumer() checks it. */
static int32 known_consumer(FunctionCallInfo call) {
    enum { uuid_text = 36 };
    const char* known = GetConfigOption("postrider.worker", true, false);
    if (!has(call, arg_worker) || known == NULL || strlen(known) < uuid_text + 2) {
        return 0;
    }
    const char* worker =
        DatumGetCString(DirectFunctionCall1(uuid_out, call->args[arg_worker].value));
    return strncmp(known, worker, uuid_text) == 0 ? atoi(known + uuid_text + 1) : 0;
}

static bool is_usual(FunctionCallInfo call) {
    return has(call, arg_limit) && limit_of(call) >= 0 && limit_of(call) <= most_messages &&
           has(call, arg_lease) == has(call, arg_token) &&
           (limit_of(call) > 0 || has(call, arg_lease)) && XactIsoLevel == XACT_READ_COMMITTED &&
           !XactReadOnly && pg_get_client_encoding() == GetDatabaseEncoding();
}

static void take_claim_lock(int32 consumer, int limit) {
    LOCKTAG tag;
    SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, claim_lock, (uint32)consumer, 2);
    if (LockAcquire(&tag, ExclusiveLock, false, true) == LOCKACQUIRE_NOT_AVAIL) {
        wait_for_claim_lock(consumer, limit);
    }
}

/* If all messages were delivered, settling is one update. All other reports go to settle() in SQL.
 * NULL: there was nothing to settle. */
static const char* settle(FunctionCallInfo call, const TupleTableSlot* consumer) {
    if (!has(call, arg_lease)) {
        return NULL;
    }
    if (!has(call, arg_delivered) && !has(call, arg_failures) &&
        finish_lease(call, DatumGetInt32(value_of(consumer, consumer_id)))) {
        return "settled";
    }
    return settle_in_sql(call);
}

static void answer(FunctionCallInfo call, const char* settled, const lease_ref* lease,
                   bytea* messages) {
    ReturnSetInfo* result = (ReturnSetInfo*)call->resultinfo;
    Datum values[] = {settled == NULL ? (Datum)0 : CStringGetTextDatum(settled), Int32GetDatum(0),
                      lease == NULL ? (Datum)0 : Int64GetDatum(lease->id),
                      lease == NULL ? (Datum)0 : UUIDPGetDatum(&lease->token),
                      PointerGetDatum(messages)};
    bool nulls[] = {settled == NULL, false, lease == NULL, lease == NULL, messages == NULL};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* False: a message has to be checked in SQL, and nothing was done. */
static bool hand_out(FunctionCallInfo call, engine_tables* tables, cursor* at, TimestampTz now) {
    harvest found;
    if (!gather(tables->message.table, at, limit_of(call), &found)) {
        return false;
    }
    /* If the whole segment was handed out, opens the next one and reads again. */
    if (found.count == 0 &&
        (!advance(at, now) || !gather(tables->message.table, at, limit_of(call), &found))) {
        return false;
    }
    if (found.count > 0) {
        const lease_ref lease = insert_lease(call, at, &found, now);
        answer(call, settle(call, at->consumer), &lease, found.messages);
        return true;
    }
    /* SQL moves the cursor over messages that were passed over, and otherwise once a minute. */
    if (found.passed_over ||
        DatumGetTimestampTz(value_of(at->lease, lease_claimed_at)) < now - USECS_PER_MINUTE) {
        return false;
    }
    answer(call, settle(call, at->consumer), NULL, NULL);
    return true;
}

static bool settle_and_claim(FunctionCallInfo call, engine_tables* tables, int32 consumer,
                             TimestampTz now) {
    const int64 newest = has(call, arg_lease) ? DatumGetInt64(call->args[arg_lease].value) : 0;
    cursor at;
    bool done = find_consumer(tables, DatumGetUUIDP(call->args[arg_worker].value), consumer, &at);
    if (done && limit_of(call) > 0) {
        done = find_segment(tables, newest, &at) && hand_out(call, tables, &at, now);
    } else if (done) {
        answer(call, settle(call, at.consumer), NULL, NULL);
    }
    drop_cursor(&at);
    return done;
}

/* The usual case: a known worker that has all handlers of its consumer takes the next messages of
 * the log as they come. False: the claim has to be made in SQL, and nothing was done. */
static bool exchange_here(FunctionCallInfo call) {
    const int32 consumer = is_usual(call) ? known_consumer(call) : 0;
    engine_tables tables;
    if (consumer == 0) {
        return false;
    }
    if (limit_of(call) > 0) {
        take_claim_lock(consumer, limit_of(call));
    }
    if (open_tables(&tables) != NULL) {
        return false;
    }
    const TimestampTz now = GetCurrentTimestamp(); /* no later than the snapshot */
    PushActiveSnapshot(GetTransactionSnapshot());
    const bool done = settle_and_claim(call, &tables, consumer, now);
    PopActiveSnapshot();
    close_tables(&tables);
    return done;
}

/* A function that was declared differently would be called with other values than it reads. */
static void require_declaration(FunctionCallInfo call) {
    static const Oid returned[] = {TEXTOID, INT4OID, INT8OID, UUIDOID, BYTEAOID};
    const TupleDesc row = ((ReturnSetInfo*)call->resultinfo)->setDesc;
    Oid* types = NULL;
    int count = 0;
    get_func_signature(call->flinfo->fn_oid, &types, &count);
    bool same = count == arguments && call->nargs == arguments &&
                row->natts == lengthof(returned) &&
                memcmp(types, argument_types, sizeof(argument_types)) == 0;
    for (int i = 0; same && i < row->natts; ++i) {
        same = TupleDescAttr(row, i)->atttypid == returned[i];
    }
    if (!same) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
                        errmsg("exchange_native is declared for another version of the library"),
                        errhint("Run `alter extension postrider_native update` or `postrider "
                                "migrate up`.")));
    }
}

PGDLLEXPORT Datum exchange_native(PG_FUNCTION_ARGS) {
    InitMaterializedSRF(fcinfo, 0);
    require_declaration(fcinfo);
    if (fcinfo->args[arg_worker].isnull && fcinfo->args[arg_limit].isnull) {
        return (Datum)0; /* a worker checks whether the library can be loaded */
    }
    if (!is_on || !exchange_here(fcinfo)) {
        exchange_in_sql(fcinfo);
    }
    return (Datum)0;
}

/* NULL, or why claims are made in SQL: a difference between the schema and this library. */
PGDLLEXPORT Datum native_trouble(PG_FUNCTION_ARGS) {
    engine_tables tables;
    const char* trouble = open_tables(&tables);
    if (trouble == NULL) {
        PushActiveSnapshot(GetTransactionSnapshot());
        trouble = trouble_with_log(tables.message.table);
        PopActiveSnapshot();
        close_tables(&tables);
    }
    if (trouble == NULL) {
        PG_RETURN_NULL();
    }
    PG_RETURN_TEXT_P(cstring_to_text(trouble));
}
