/* exchange_native(): exchange_packed() for a server that has this library. The usual case, a known
 * worker with all handlers that takes the next messages of the log as they come, is done here
 * without starting a single statement; everything else is left to exchange_packed(), before
 * anything is written. Both take the same lock and keep the same ledger, so they can be mixed. */
#include "postgres.h"

#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "harvest.h"
#include "in_sql.h"
#include "lease.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "park.h"
#include "recent.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/snapmgr.h"
#include "utils/wait_event.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(exchange_native);

enum { claim_lock = 1886351202, most_messages = 10000, small_claim = 50, most_tries = 10 };

static bool has(FunctionCallInfo call, enum argument which) { return !call->args[which].isnull; }

static int limit_of(FunctionCallInfo call) { return DatumGetInt32(call->args[arg_limit].value); }

/* The consumer of a worker that this session has claimed for in SQL, where everything is checked;
 * 0: of no such worker. */
static int32 known_consumer(FunctionCallInfo call) {
    enum { uuid_text = 36 };
    const char* known = GetConfigOption("postrider.worker", true, false);
    if (!has(call, arg_worker) || known == NULL || strlen(known) < uuid_text + 2) {
        return 0;
    }
    const char* worker =
        DatumGetCString(DirectFunctionCall1(uuid_out, call->args[arg_worker].value));
    return strncmp(known, worker, uuid_text) == 0 ? pg_strtoint32(known + uuid_text + 1) : 0;
}

static bool is_usual(FunctionCallInfo call) {
    return has(call, arg_limit) && limit_of(call) >= 0 && limit_of(call) <= most_messages &&
           has(call, arg_lease) == has(call, arg_token) && XactIsoLevel == XACT_READ_COMMITTED &&
           pg_get_client_encoding() == GetDatabaseEncoding();
}

/* exchange_packed()'s lock, waited for in its way. */
static void take_claim_lock(int32 consumer, int limit) {
    LOCKTAG tag;
    SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, claim_lock, (uint32)consumer, 2);
    for (int tries = 1; LockAcquire(&tag, ExclusiveLock, false, true) == LOCKACQUIRE_NOT_AVAIL;
         ++tries) {
        if (tries > most_tries || limit > small_claim) {
            LockAcquire(&tag, ExclusiveLock, false, false);
            return;
        }
        WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, 2L * tries,
                  PG_WAIT_EXTENSION);
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
    }
}

static TimestampTz deadline_of(FunctionCallInfo call, const TupleTableSlot* consumer,
                               TimestampTz now) {
    Datum length = (Datum)0;
    if (has(call, arg_deadline)) {
        length = call->args[arg_deadline].value;
    } else if (!is_null(consumer, consumer_lease_deadline)) {
        length = value_of(consumer, consumer_lease_deadline);
    } else {
        return now + 15 * USECS_PER_MINUTE;
    }
    return DatumGetTimestampTz(
        DirectFunctionCall2(timestamptz_pl_interval, TimestampTzGetDatum(now), length));
}

/* Nothing of the lease is owed any more, and what has failed is parked. False: settle() has to look
 * closer, and nothing was done. */
static bool settle_here(FunctionCallInfo call, engine_tables* tables,
                        const TupleTableSlot* consumer) {
    if (has(call, arg_delivered)) {
        return false;
    }
    const lease_ref named = {DatumGetInt64(call->args[arg_lease].value),
                             *DatumGetUUIDP(call->args[arg_token].value)};
    TupleTableSlot* lease = find_lease(tables, DatumGetInt32(value_of(consumer, consumer_id)),
                                       DatumGetUUIDP(call->args[arg_worker].value), &named);
    if (lease == NULL) {
        return false;
    }
    parking* failed = has(call, arg_failures)
                          ? prepare_parking(consumer, lease, call->args[arg_failures].value)
                          : NULL;
    const bool done = (failed != NULL || !has(call, arg_failures)) && finish_lease(tables, lease);
    if (done && failed != NULL) {
        park(failed);
    }
    if (failed != NULL) {
        drop_parking(failed);
    }
    ExecDropSingleTupleTableSlot(lease);
    return done;
}

/* NULL: there was nothing to settle. */
static const char* settle(FunctionCallInfo call, engine_tables* tables,
                          const TupleTableSlot* consumer) {
    if (!has(call, arg_lease)) {
        return NULL;
    }
    if (settle_here(call, tables, consumer)) {
        return "settled";
    }
    CommandCounterIncrement();
    return settle_in_sql(call);
}

static void answer_last(ReturnSetInfo* answer, const char* settled, const lease_ref* lease,
                        bytea* messages) {
    Datum values[] = {settled == NULL ? (Datum)0 : CStringGetTextDatum(settled),
                      Int32GetDatum(0),
                      lease == NULL ? (Datum)0 : Int64GetDatum(lease->id),
                      lease == NULL ? (Datum)0 : UUIDPGetDatum(&lease->token),
                      PointerGetDatum(messages),
                      (Datum)0};
    bool nulls[] = {settled == NULL, false, lease == NULL, lease == NULL, messages == NULL, true};
    tuplestore_putvalues(answer->setResult, answer->setDesc, values, nulls);
}

/* False: somebody has to look closer, and nothing was done. */
static bool hand_out(FunctionCallInfo call, engine_tables* tables, cursor* at, TimestampTz now) {
    ReturnSetInfo* answer = (ReturnSetInfo*)call->resultinfo;
    const pg_uuid_t* worker = DatumGetUUIDP(call->args[arg_worker].value);
    harvest found;
    if (!gather(tables->message, at, limit_of(call), answer, &found)) {
        return false;
    }
    if (found.what.count == 0) {
        /* The segment is finished: everything in it is handed out. Open the next one and look once
         * more. */
        if (!advance(at, now) || !gather(tables->message, at, limit_of(call), answer, &found)) {
            return false;
        }
    }
    if (found.what.count > 0) {
        found.what.claimed_at = now;
        found.what.deadline = deadline_of(call, at->consumer, now);
        row_version version;
        const lease_ref lease = make_lease(tables, at, worker, &found.what, &version);
        const char* settled = settle(call, tables, at->consumer);
        remember_lease(&lease, &version, &found.what);
        answer_last(answer, settled, &lease, found.messages);
        return true;
    }
    /* The cursor moves over what was passed over, and now and then in any case. */
    if (found.passed_over ||
        DatumGetTimestampTz(value_of(at->lease, lease_claimed_at)) < now - USECS_PER_MINUTE) {
        return false;
    }
    answer_last(answer, settle(call, tables, at->consumer), NULL, NULL);
    return true;
}

/* False: it has to be done in SQL, and nothing was done. */
static bool settle_and_claim(FunctionCallInfo call, engine_tables* tables, int32 consumer,
                             TimestampTz now) {
    const pg_uuid_t* worker = DatumGetUUIDP(call->args[arg_worker].value);
    const int64 newest = has(call, arg_lease) ? DatumGetInt64(call->args[arg_lease].value) : 0;
    cursor at;
    bool done = find_consumer(tables, worker, consumer, &at);
    if (done && limit_of(call) > 0) {
        done = find_segment(tables, newest, &at) && hand_out(call, tables, &at, now);
    } else if (done) {
        done = has(call, arg_lease) && settle_here(call, tables, at.consumer);
        if (done) {
            answer_last((ReturnSetInfo*)call->resultinfo, "settled", NULL, NULL);
        }
    }
    drop_cursor(&at);
    return done;
}

static bool exchange_here(FunctionCallInfo call, int32 consumer) {
    engine_tables tables;
    bool done = false;
    if (limit_of(call) > 0) {
        take_claim_lock(consumer, limit_of(call));
    }
    const TimestampTz now = GetCurrentTimestamp(); /* no later than the snapshot */
    PushActiveSnapshot(GetTransactionSnapshot());
    if (open_tables(&tables)) {
        done = settle_and_claim(call, &tables, consumer, now);
        close_tables(&tables);
    }
    PopActiveSnapshot();
    CommandCounterIncrement(); /* a second call in the same statement sees what this one wrote */
    return done;
}

PGDLLEXPORT Datum exchange_native(PG_FUNCTION_ARGS) {
    InitMaterializedSRF(fcinfo, 0);
    if (!has(fcinfo, arg_worker) && !has(fcinfo, arg_limit)) {
        return (Datum)0; /* somebody wants to know whether the library can be loaded */
    }
    const int32 consumer = is_usual(fcinfo) ? known_consumer(fcinfo) : 0;
    if (consumer == 0 || !exchange_here(fcinfo, consumer)) {
        exchange_in_sql(fcinfo);
    }
    return (Datum)0;
}
