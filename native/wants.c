#include "postgres.h"

#include "wants.h"

#include "access/detoast.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

/* exchange_packed()'s limits: of larger messages few fit into a claim, which counts their bytes. */
enum { large_as_stored = 4000 };

static int split(const TupleTableSlot* consumer, int column, Datum** texts) {
    int count = 0;
    int kept = 0;
    bool* nulls = NULL;
    deconstruct_array(DatumGetArrayTypeP(value_of(consumer, column)), TEXTOID, -1, false,
                      TYPALIGN_INT, texts, &nulls, &count);
    for (int i = 0; i < count; ++i) {
        if (!nulls[i]) {
            (*texts)[kept++] = (*texts)[i];
        }
    }
    return kept;
}

taste taste_of(const TupleTableSlot* consumer) {
    taste what = {.consumer = consumer};
    what.all_types = DatumGetBool(value_of(consumer, consumer_all_types));
    if (!what.all_types) {
        what.exact_count = split(consumer, consumer_exact_types, &what.exact_types);
        what.prefix_count = split(consumer, consumer_type_prefixes, &what.prefixes);
    }
    return what;
}

static bool same_text(Datum left, Datum right) {
    const text* a = DatumGetTextPP(left);
    const text* b = DatumGetTextPP(right);
    return VARSIZE_ANY_EXHDR(a) == VARSIZE_ANY_EXHDR(b) &&
           memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0;
}

static bool takes_type(const taste* what, Datum type) {
    if (what->all_types) {
        return true;
    }
    for (int i = 0; i < what->exact_count; ++i) {
        if (same_text(type, what->exact_types[i])) {
            return true;
        }
    }
    for (int i = 0; i < what->prefix_count; ++i) {
        if (DatumGetBool(
                DirectFunctionCall2Coll(textlike, C_COLLATION_OID, type, what->prefixes[i]))) {
            return true;
        }
    }
    return false;
}

/* Compressed documents may be far larger than they are stored. */
static bool is_large(const TupleTableSlot* message, int column) {
    return !is_null(message, column) &&
           (toast_datum_size(value_of(message, column)) > large_as_stored ||
            toast_raw_datum_size(value_of(message, column)) > large_message);
}

interest interest_in(const taste* what, const TupleTableSlot* message) {
    const bool targeted = !is_null(message, message_target);
    const Datum type = value_of(message, message_event_type);
    if (targeted
            ? !same_text(value_of(message, message_target), value_of(what->consumer, consumer_name))
            : !takes_type(what, type)) {
        return not_wanted;
    }
    if (!is_null(message, message_available_at) ||
        DatumGetInt16(value_of(message, message_priority)) != 0 ||
        is_large(message, message_payload) || is_large(message, message_headers) ||
        (targeted && !takes_type(what, type))) {
        return wanted_later;
    }
    return wanted;
}
