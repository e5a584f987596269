#include "postgres.h"

#include "in_sql.h"

#include "catalog/pg_type_d.h"
#include "executor/spi.h"
#include "funcapi.h"

static const Oid argument_types[arguments] = {UUIDOID,      INT4OID,  INT8OID,    UUIDOID,
                                              INT8ARRAYOID, JSONBOID, INTERVALOID};

/* Runs a statement whose parameters are the call's arguments; planned once in a session. */
static void run(SPIPlanPtr* plan, const char* statement, FunctionCallInfo call) {
    Datum values[arguments];
    char nulls[arguments];
    for (int i = 0; i < arguments; ++i) {
        values[i] = call->args[i].value;
        nulls[i] = call->args[i].isnull ? 'n' : ' ';
    }
    SPI_connect();
    if (*plan == NULL) {
        *plan = SPI_prepare(statement, arguments, (Oid*)argument_types);
        if (*plan == NULL || SPI_keepplan(*plan) != 0) {
            elog(ERROR, "postrider_native: %s: %s", statement, SPI_result_code_string(SPI_result));
        }
    }
    if (SPI_execute_plan(*plan, values, nulls, false, 0) != SPI_OK_SELECT) {
        elog(ERROR, "postrider_native: %s: %s", statement, SPI_result_code_string(SPI_result));
    }
}

void exchange_in_sql(FunctionCallInfo call) {
    static SPIPlanPtr plan = NULL;
    const ReturnSetInfo* answer = (ReturnSetInfo*)call->resultinfo;
    run(&plan, "select * from postrider.exchange_packed($1, $2, $3, $4, $5, $6, $7)", call);
    for (uint64 i = 0; i < SPI_processed; ++i) {
        tuplestore_puttuple(answer->setResult, SPI_tuptable->vals[i]);
    }
    SPI_finish();
}

char* settle_in_sql(FunctionCallInfo call) {
    static SPIPlanPtr plan = NULL;
    const MemoryContext outside = CurrentMemoryContext;
    /* Every parameter has to appear for its type to be known. */
    run(&plan, "select postrider.settle($1, $3, $4, $5, $6) where $2 is not null or $7 is not null",
        call);
    char* settled =
        MemoryContextStrdup(outside, SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1));
    SPI_finish();
    return settled;
}
