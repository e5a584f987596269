#include "postgres.h"

#include "position.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "utils/typcache.h"

bool position_in(Datum value, position* into) {
    enum { columns = 4 };
    const HeapTupleHeader header = DatumGetHeapTupleHeader(value);
    HeapTupleData row = {.t_len = HeapTupleHeaderGetDatumLength(header), .t_data = header};
    TupleDesc type =
        lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header), HeapTupleHeaderGetTypMod(header));
    Datum values[columns];
    bool nulls[columns];
    const bool known = type->natts == columns;
    if (known) {
        heap_deform_tuple(&row, type, values, nulls);
    }
    ReleaseTupleDesc(type);
    if (!known || nulls[0] || nulls[1] || nulls[2] || nulls[3]) {
        return false;
    }
    *into = (position){snapshot_in(values[0]), snapshot_in(values[1]), DatumGetUInt64(values[2]),
                       DatumGetInt64(values[3])};
    return true;
}

bool is_after(const position* at, uint64 xid, int64 seq) {
    if (shows(at->done, xid)) {
        return false;
    }
    return !shows(at->open, xid) || xid > at->xid || (xid == at->xid && seq > at->seq);
}
