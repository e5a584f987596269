#include "postgres.h"

#include "claim.h"

#include "access/xact.h"
#include "funcapi.h"
#include "harvest.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/snapmgr.h"
#include "utils/wait_event.h"

enum { claim_lock = 1886351202, most_messages = 10000, small_claim = 50, most_tries = 10 };

static bool has(FunctionCallInfo call, enum argument which) { return !call->args[which].isnull; }

static int limit_of(FunctionCallInfo call) { return DatumGetInt32(call->args[arg_limit].value); }

/* The consumer of a worker that this session has claimed for in SQL, which chooses the session's
 * plans; 0: of no such worker. A session can set this as it likes: find_consumer() checks it. */
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

/* exchange_packed()'s lock, waited for in its way. */
static void take_claim_lock(int32 consumer, int limit) {
    LOCKTAG tag;
    SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, claim_lock, (uint32)consumer, 2);
    for (int tries = 1; LockAcquire(&tag, ExclusiveLock, false, true) == LOCKACQUIRE_NOT_AVAIL;
         ++tries) {
        if (tries > most_tries || limit > small_claim) {
            take_lock_in_sql(consumer);
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

/* A report without exceptions is one update; of any other settle() decides. NULL: there was nothing
 * to settle. */
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

static void answer_last(ReturnSetInfo* answer, const char* settled, const lease_ref* lease,
                        bytea* messages) {
    Datum values[] = {settled == NULL ? (Datum)0 : CStringGetTextDatum(settled), Int32GetDatum(0),
                      lease == NULL ? (Datum)0 : Int64GetDatum(lease->id),
                      lease == NULL ? (Datum)0 : UUIDPGetDatum(&lease->token),
                      PointerGetDatum(messages)};
    bool nulls[] = {settled == NULL, false, lease == NULL, lease == NULL, messages == NULL};
    tuplestore_putvalues(answer->setResult, answer->setDesc, values, nulls);
}

/* False: a message has to be looked at by itself, and nothing was done. */
static bool hand_out(FunctionCallInfo call, engine_tables* tables, cursor* at, TimestampTz now) {
    ReturnSetInfo* answer = (ReturnSetInfo*)call->resultinfo;
    harvest found;
    if (!gather(tables->message.table, at, limit_of(call), answer, &found)) {
        return false;
    }
    if (found.what.count == 0) {
        /* The segment is finished: everything in it is handed out. Open the next one and look once
         * more. */
        if (!advance(at, now) ||
            !gather(tables->message.table, at, limit_of(call), answer, &found)) {
            return false;
        }
    }
    if (found.what.count > 0) {
        found.what.claimed_at = now;
        found.what.deadline = deadline_of(call, at->consumer, now);
        const lease_ref lease =
            insert_lease(at, DatumGetUUIDP(call->args[arg_worker].value), &found.what);
        answer_last(answer, settle(call, at->consumer), &lease, found.messages);
        return true;
    }
    /* SQL moves the cursor over messages that were passed over, and now and then in any case. */
    if (found.passed_over ||
        DatumGetTimestampTz(value_of(at->lease, lease_claimed_at)) < now - USECS_PER_MINUTE) {
        return false;
    }
    answer_last(answer, settle(call, at->consumer), NULL, NULL);
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
        answer_last((ReturnSetInfo*)call->resultinfo, settle(call, at.consumer), NULL, NULL);
    }
    drop_cursor(&at);
    return done;
}

bool exchange_here(FunctionCallInfo call) {
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
