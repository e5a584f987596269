#include "postgres.h"

#include "doorbell.h"

#include "access/stratnum.h"
#include "access/tableam.h"
#include "catalog/pg_collation_d.h"
#include "commands/async.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"

enum { doorbell_lock = 1886351201 };

static bool always_rings(failure_tables* tables, Datum channel) {
    TupleTableSlot* row = table_slot_create(tables->channel, NULL);
    ScanKeyData key;
    ScanKeyEntryInitialize(&key, 0, 1, BTEqualStrategyNumber, InvalidOid,
                           tables->channel_key->rd_indcollation[0], F_TEXTEQ, channel);
    const bool always =
        find_row(tables->channel, tables->channel_key, &key, 1, ForwardScanDirection, row) &&
        strcmp(TextDatumGetCString(value_of(row, channel_wake)), "always") == 0;
    ExecDropSingleTupleTableSlot(row);
    return always;
}

void ring(failure_tables* tables, Datum channel) {
    LOCKTAG tag;
    const uint32 name =
        DatumGetUInt32(DirectFunctionCall1Coll(hashtext, DEFAULT_COLLATION_OID, channel));
    SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, doorbell_lock, name, 2);
    if (LockAcquire(&tag, ShareLock, false, true) == LOCKACQUIRE_NOT_AVAIL ||
        always_rings(tables, channel)) {
        Async_Notify(TextDatumGetCString(channel), "");
    }
}
