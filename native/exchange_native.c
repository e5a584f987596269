/* exchange_native(): exchange_packed() for a server that has this library. C reads the cursor and
 * the log, matches and packs the messages; every row is written by a statement. The usual case is
 * done here, everything else is left to exchange_packed(), before anything is written. Both take
 * the same lock and keep the same ledger, so they can be mixed. */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "claim.h"
#include "fmgr.h"
#include "funcapi.h"
#include "in_sql.h"
#include "log.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(exchange_native);
PG_FUNCTION_INFO_V1(native_trouble);

StaticAssertDecl(SIZEOF_DATUM == 8, "64-bit numbers are passed by value");

/* The kill switch: any session, role or database can turn native claims off. */
static bool is_on = false;

PGDLLEXPORT void _PG_init(void);

void _PG_init(void) {
    DefineCustomBoolVariable("postrider.native", "Claims messages in C.",
                             "When off, exchange_native() calls exchange_packed().", &is_on, false,
                             PGC_USERSET, 0, NULL, NULL, NULL);
}

/* A function that was declared differently would be called with other values than it reads. */
static void require_declaration(FunctionCallInfo call) {
    static const Oid returned[] = {TEXTOID, INT4OID, INT8OID, UUIDOID, BYTEAOID};
    const TupleDesc row = ((ReturnSetInfo*)call->resultinfo)->setDesc;
    Oid* types = NULL;
    int count = 0;
    get_func_signature(call->flinfo->fn_oid, &types, &count);
    bool same = count == arguments && call->nargs == arguments &&
                row->natts == lengthof(returned) &&
                memcmp(types, argument_types, sizeof(argument_types)) == 0;
    for (int i = 0; same && i < row->natts; ++i) {
        same = TupleDescAttr(row, i)->atttypid == returned[i];
    }
    if (!same) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
                        errmsg("exchange_native is declared for another version of the library"),
                        errhint("Run `alter extension postrider_native update` or `postrider "
                                "migrate up`.")));
    }
}

PGDLLEXPORT Datum exchange_native(PG_FUNCTION_ARGS) {
    InitMaterializedSRF(fcinfo, 0);
    require_declaration(fcinfo);
    if (fcinfo->args[arg_worker].isnull && fcinfo->args[arg_limit].isnull) {
        return (Datum)0; /* a worker asks whether the library can be loaded */
    }
    if (!is_on || !exchange_here(fcinfo)) {
        exchange_in_sql(fcinfo);
    }
    return (Datum)0;
}

/* NULL, or why claims are made in SQL: a difference between the schema and this library. */
PGDLLEXPORT Datum native_trouble(PG_FUNCTION_ARGS) {
    engine_tables tables;
    const char* trouble = open_tables(&tables);
    if (trouble == NULL) {
        PushActiveSnapshot(GetTransactionSnapshot());
        trouble = trouble_with_bounds(tables.message.table);
        trouble = trouble != NULL ? trouble : trouble_with_partitions(tables.message.table);
        PopActiveSnapshot();
        close_tables(&tables);
    }
    if (trouble == NULL) {
        PG_RETURN_NULL();
    }
    PG_RETURN_TEXT_P(cstring_to_text(trouble));
}
