#include "postgres.h"

#include "snapshot.h"

#include "fmgr.h"
#include "utils/fmgrprotos.h"
#include "versions.h"

const stored_snapshot* snapshot_in(Datum value) {
    const stored_snapshot* snapshot = (const stored_snapshot*)PG_DETOAST_DATUM(value);
    const Size fixed = offsetof(stored_snapshot, in_progress);
    const bool is_known = VARSIZE(snapshot) >= fixed &&
                          VARSIZE(snapshot) == fixed + snapshot->in_progress_count * sizeof(uint64);
    return is_known ? snapshot : NULL;
}

bool shows(const stored_snapshot* snapshot, uint64 xid) {
    if (xid < snapshot->xmin || xid >= snapshot->xmax) {
        return xid < snapshot->xmin;
    }
    return DatumGetBool(DirectFunctionCall2(pg_visible_in_snapshot, UInt64GetDatum(xid),
                                            PointerGetDatum(snapshot)));
}
