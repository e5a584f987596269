#include "ordered/segment.h"

#include "access/htup_details.h"
#include "utils/typcache.h"

static bool has_columns(TupleDesc row, const declaration* expected) {
    bool same = row->natts == expected->column_count;
    for (int i = 0; same && i < row->natts; ++i) {
        same = TupleDescAttr(row, i)->atttypid == expected->columns[i];
    }
    return same;
}

TupleDesc require_declaration(FunctionCallInfo call, const declaration* expected) {
    const int count = expected->argument_count;
    TupleDesc row = NULL;
    Oid* types = NULL;
    int found = 0;
    get_func_signature(call->flinfo->fn_oid, &types, &found);
    const bool same = found == count && call->nargs == count &&
                      memcmp(types, expected->arguments, sizeof(Oid) * count) == 0 &&
                      get_call_result_type(call, NULL, &row) == TYPEFUNC_COMPOSITE &&
                      has_columns(row, expected);
    if (!same) {
        ereport(
            ERROR,
            (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
             errmsg("%s is declared for another version of the library",
                    get_func_name(call->flinfo->fn_oid)),
             errhint("Run `alter extension postrider_native update` or `postrider migrate up`.")));
    }
    return BlessTupleDesc(row);
}

bool is_called_in_full(FunctionCallInfo call) {
    bool full = claims_are_native();
    for (int i = 0; i < call->nargs; ++i) {
        full = full && !call->args[i].isnull;
    }
    return full;
}

/* False: it is null, or the cursor has no such field of this type. */
static bool field(HeapTupleHeader record, TupleDesc row, const char* name, Oid type, Datum* value) {
    for (int i = 0; i < row->natts; ++i) {
        const Form_pg_attribute column = TupleDescAttr(row, i);
        if (strcmp(NameStr(column->attname), name) == 0 && column->atttypid == type) {
            bool null = true;
            *value = GetAttributeByNum(record, (AttrNumber)(i + 1), &null);
            return !null;
        }
    }
    return false;
}

/* False: the cursor has another form, or messages of late committers may be left. */
static bool read_cursor(HeapTupleHeader record, cursor* into, int32* consumer) {
    const TupleDesc row =
        lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(record), HeapTupleHeaderGetTypMod(record));
    Datum id = 0, late = 0, from_xid = 0, from_seq = 0, floor_at = 0, ceiling_at = 0;
    *into = (cursor){.consumer = NULL};
    const bool whole = field(record, row, "consumer_id", INT4OID, &id) &&
                       field(record, row, "done", PG_SNAPSHOTOID, &into->done_snapshot) &&
                       field(record, row, "open", PG_SNAPSHOTOID, &into->open_snapshot) &&
                       field(record, row, "xid", XID8OID, &from_xid) &&
                       field(record, row, "seq", INT8OID, &from_seq) &&
                       field(record, row, "floor_at", TIMESTAMPTZOID, &floor_at) &&
                       field(record, row, "ceiling_at", TIMESTAMPTZOID, &ceiling_at) &&
                       field(record, row, "late", BOOLOID, &late);
    ReleaseTupleDesc(row);
    if (!whole || DatumGetBool(late)) {
        return false;
    }
    *consumer = DatumGetInt32(id);
    into->done = snapshot_in(into->done_snapshot);
    into->open = snapshot_in(into->open_snapshot);
    into->from_xid = DatumGetUInt64(from_xid);
    into->from_seq = DatumGetInt64(from_seq);
    into->floor_at = DatumGetTimestampTz(floor_at);
    into->ceiling_at = DatumGetTimestampTz(ceiling_at);
    return into->done != NULL && into->open != NULL;
}

bool open_segment(HeapTupleHeader claim_cursor, segment* opened) {
    int32 consumer = 0;
    if (!read_cursor(claim_cursor, &opened->at, &consumer) ||
        open_tables(&opened->tables) != NULL) {
        return false;
    }
    opened->at.consumer = table_slot_create(opened->tables.consumer.table, NULL);
    PushActiveSnapshot(GetTransactionSnapshot());
    if (!find_consumer_row(&opened->tables, consumer, opened->at.consumer)) {
        close_segment(opened);
        return false;
    }
    return true;
}

void close_segment(segment* closed) {
    PopActiveSnapshot();
    ExecDropSingleTupleTableSlot(closed->at.consumer);
    close_tables(&closed->tables);
}
