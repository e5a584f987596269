#include "postgres.h"

#include "first_retry.h"

#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "common/pg_prng.h"
#include "fmgr.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "utils/inval.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* Of each class of failures the answers at the bounds of so many parts of what chance can be:
 * between two of them the wait rises evenly. */
enum { classes = 8, parts = 16, longest_class = 255, unasked = -1, undecided = -2 };

typedef struct {
    bool used;
    row_version handler;
    int length; /* of the error class; -1: NULL */
    char error_class[longest_class];
    int64 waits[parts + 1];
} remembered;

static remembered memory[classes];
static int oldest;
static bool watched;

/* Functions have changed. */
static void forget(Datum unused, int cache, uint32 hash) {
    (void)unused;
    (void)cache;
    (void)hash;
    for (int i = 0; i < classes; ++i) {
        memory[i].used = false;
    }
}

static int64 ask(const TupleTableSlot* handler, text* error_class, double chance) {
    static const Oid types[] = {TIMESTAMPTZOID, FLOAT8OID, TEXTOID,  INT4OID,
                                INT4OID,        JSONBOID,  JSONBOID, BOOLOID};
    LOCAL_FCINFO(call, lengthof(types));
    FmgrInfo function;
    const TimestampTz now = 0;
    const Oid found = LookupFuncName(list_make2(makeString("postrider"), makeString("first_retry")),
                                     lengthof(types), types, true);
    if (!OidIsValid(found)) {
        return undecided;
    }
    fmgr_info(found, &function);
    InitFunctionCallInfoData(*call, &function, lengthof(types), DEFAULT_COLLATION_OID, NULL, NULL);
    const Datum values[] = {TimestampTzGetDatum(now),
                            Float8GetDatum(chance),
                            PointerGetDatum(error_class),
                            Int32GetDatum(DatumGetInt16(value_of(handler, handler_max_attempts))),
                            Int32GetDatum(DatumGetInt16(value_of(handler, handler_crashes_max))),
                            value_of(handler, handler_retry),
                            value_of(handler, handler_classes),
                            value_of(handler, handler_honour_terminal)};
    for (size_t i = 0; i < lengthof(types); ++i) {
        call->args[i].value = values[i];
        call->args[i].isnull = false;
    }
    call->args[2].isnull = error_class == NULL;
    const Datum due = FunctionCallInvoke(call);
    return call->isnull || DatumGetTimestampTz(due) < now ? undecided
                                                          : DatumGetTimestampTz(due) - now;
}

static bool is_of(const remembered* what, const row_version* handler, const char* name,
                  int length) {
    return what->used && what->length == length && same_version(&what->handler, handler) &&
           (length <= 0 || memcmp(what->error_class, name, length) == 0);
}

static remembered* recall(TupleTableSlot* handler, const text* error_class) {
    const row_version version = version_of(handler);
    const char* name = error_class == NULL ? NULL : VARDATA_ANY(error_class);
    const int length = error_class == NULL ? -1 : (int)VARSIZE_ANY_EXHDR(error_class);
    for (int i = 0; i < classes; ++i) {
        if (is_of(&memory[i], &version, name, length)) {
            return &memory[i];
        }
    }
    oldest = (oldest + 1) % classes;
    remembered* made = &memory[oldest];
    *made = (remembered){.used = true, .handler = version, .length = length};
    if (length > 0) {
        memcpy(made->error_class, name, length);
    }
    for (int i = 0; i <= parts; ++i) {
        made->waits[i] = unasked;
    }
    return made;
}

static int64 ask_at(TupleTableSlot* handler, text* error_class, int bound) {
    const int64 asked = ask(handler, error_class, (double)bound / parts);
    /* Asking may have brought news that made it forget. */
    recall(handler, error_class)->waits[bound] = asked;
    return asked;
}

int64 first_retry(TupleTableSlot* handler, text* error_class) {
    if (!watched) {
        CacheRegisterSyscacheCallback(PROCOID, forget, (Datum)0);
        watched = true;
    }
    if (error_class != NULL && VARSIZE_ANY_EXHDR(error_class) > longest_class) {
        return undecided;
    }
    const double chance = pg_prng_double(&pg_global_prng_state) * parts;
    const int part = (int)chance;
    const remembered* known = recall(handler, error_class);
    int64 low = known->waits[part];
    int64 high = known->waits[part + 1];
    if (low == unasked || high == unasked) {
        low = ask_at(handler, error_class, part);
        high = ask_at(handler, error_class, part + 1);
    }
    return low < 0 || high < low ? undecided
                                 : low + (int64)((double)(high - low) * (chance - part));
}
