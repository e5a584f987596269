#include "postgres.h"

#include "handlers.h"

#include "access/stratnum.h"
#include "access/tableam.h"
#include "catalog/pg_type_d.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

static bool find_named(Relation table, Relation index, Datum consumer, Datum name,
                       ScanDirection direction, TupleTableSlot* row) {
    ScanKeyData keys[2];
    ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ, consumer);
    ScanKeyEntryInitialize(&keys[1], 0, 2, BTEqualStrategyNumber, InvalidOid,
                           index->rd_indcollation[1], F_TEXTEQ, name);
    return find_row(table, index, keys, 2, direction, row);
}

static bool is_only_handler(const TupleTableSlot* consumer) {
    const ArrayType* handlers = DatumGetArrayTypeP(value_of(consumer, consumer_handlers));
    return ArrayGetNItems(ARR_NDIM(handlers), ARR_DIMS(handlers)) == 1;
}

static bool takes_everything(const handler* who) {
    for (int i = 0; i < who->type_count; ++i) {
        const text* type = DatumGetTextPP(who->types[i]);
        if (VARSIZE_ANY_EXHDR(type) == 1 && *VARDATA_ANY(type) == '*') {
            return true;
        }
    }
    return false;
}

/* Whether settle() would leave it as it is. It knows that something succeeded, which ends the count
 * of failures in a row, of whoever takes everything or is the only one. */
static bool circuit_rests(failure_tables* tables, const TupleTableSlot* consumer,
                          const handler* who) {
    TupleTableSlot* row = table_slot_create(tables->circuit, NULL);
    const bool rests =
        !find_named(tables->circuit, tables->circuit_key, value_of(consumer, consumer_id),
                    value_of(who->row, handler_name), ForwardScanDirection, row) ||
        (strcmp(TextDatumGetCString(value_of(row, circuit_state)), "closed") == 0 &&
         (DatumGetInt32(value_of(row, circuit_failures)) == 0 ||
          !(takes_everything(who) || is_only_handler(consumer))));
    ExecDropSingleTupleTableSlot(row);
    return rests;
}

bool find_handler(failure_tables* tables, const TupleTableSlot* consumer, const text* name,
                  handler* found) {
    found->row = table_slot_create(tables->handler, NULL);
    /* Its newest revision. */
    if (!find_named(tables->handler, tables->handler_key, value_of(consumer, consumer_id),
                    PointerGetDatum(name), BackwardScanDirection, found->row) ||
        !is_null(found->row, handler_ends) || !is_null(found->row, handler_retired_at)) {
        return false;
    }
    deconstruct_array(DatumGetArrayTypeP(value_of(found->row, handler_event_types)), TEXTOID, -1,
                      false, TYPALIGN_INT, &found->types, NULL, &found->type_count);
    return circuit_rests(tables, consumer, found) &&
           position_in(value_of(found->row, handler_starts), &found->starts);
}

void drop_handler(handler* dropped) { ExecDropSingleTupleTableSlot(dropped->row); }

/* As matches() in SQL says: a type, everything, or everything that begins like 'a.*'. */
static bool fits(const text* type, const text* pattern) {
    const char* name = VARDATA_ANY(type);
    const char* pattern_name = VARDATA_ANY(pattern);
    const size_t length = VARSIZE_ANY_EXHDR(type);
    const size_t pattern_length = VARSIZE_ANY_EXHDR(pattern);
    if (pattern_length == 1 && pattern_name[0] == '*') {
        return true;
    }
    if (pattern_length >= 2 && memcmp(pattern_name + pattern_length - 2, ".*", 2) == 0) {
        return length >= pattern_length - 1 && memcmp(name, pattern_name, pattern_length - 1) == 0;
    }
    return length == pattern_length && memcmp(name, pattern_name, length) == 0;
}

bool owes(const handler* who, const TupleTableSlot* message) {
    const text* type = DatumGetTextPP(value_of(message, message_event_type));
    if (!is_after(&who->starts, DatumGetUInt64(value_of(message, message_xid)),
                  DatumGetInt64(value_of(message, message_seq)))) {
        return false;
    }
    for (int i = 0; i < who->type_count; ++i) {
        if (fits(type, DatumGetTextPP(who->types[i]))) {
            return true;
        }
    }
    return false;
}
