#include "postgres.h"

#include "snapshot.h"

#include "fmgr.h"

const stored_snapshot* snapshot_in(Datum value) {
    const stored_snapshot* snapshot = (const stored_snapshot*)PG_DETOAST_DATUM(value);
    const Size fixed = offsetof(stored_snapshot, in_progress);
    if (VARSIZE(snapshot) < fixed ||
        VARSIZE(snapshot) != fixed + snapshot->in_progress_count * sizeof(uint64)) {
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                        errmsg("postrider_native: this pg_snapshot is of an unknown form")));
    }
    return snapshot;
}

bool shows(const stored_snapshot* snapshot, uint64 xid) {
    uint32 low = 0;
    uint32 high = snapshot->in_progress_count;
    if (xid < snapshot->xmin || xid >= snapshot->xmax) {
        return xid < snapshot->xmin;
    }
    while (low < high) {
        const uint32 middle = low + (high - low) / 2;
        if (snapshot->in_progress[middle] == xid) {
            return false;
        }
        if (snapshot->in_progress[middle] < xid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return true;
}
