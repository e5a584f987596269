#include "postgres.h"

#include "triggers.h"

#include "catalog/pg_trigger.h"
#include "commands/trigger.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/reltrigger.h"

watch who_watches(Relation table, bool updated, const char* known) {
    const TriggerDesc* all = table->trigdesc;
    watch found = nobody_watches;
    for (int i = 0; all != NULL && i < all->numtriggers; ++i) {
        const Trigger* one = &all->triggers[i];
        if ((!TRIGGER_FOR_INSERT(one->tgtype) && !(updated && TRIGGER_FOR_UPDATE(one->tgtype))) ||
            (known != NULL && strcmp(one->tgname, known) == 0 && one->tgqual != NULL)) {
            continue;
        }
        if (!TRIGGER_FOR_ROW(one->tgtype) || !TRIGGER_FOR_AFTER(one->tgtype) ||
            one->tgoldtable != NULL || one->tgnewtable != NULL || one->tgnattr > 0) {
            return somebody_decides;
        }
        found = somebody_watches;
    }
    return found;
}

/* What functions in SQL set for themselves. */
typedef struct {
    Oid user;
    int context;
    int settings;
    EState* state;
    ResultRelInfo* table;
} telling;

static telling begin_telling(Relation table) {
    telling begun = {.settings = NewGUCNestLevel(), .state = CreateExecutorState()};
    GetUserIdAndSecContext(&begun.user, &begun.context);
    SetUserIdAndSecContext(table->rd_rel->relowner, begun.context | SECURITY_LOCAL_USERID_CHANGE);
    set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
                      GUC_ACTION_SAVE, true, 0, false);
    begun.table = makeNode(ResultRelInfo);
    InitResultRelInfo(begun.table, table, 0, NULL, 0); /* of no statement */
    AfterTriggerBeginQuery();
    return begun;
}

static void end_telling(telling* ended) {
    AfterTriggerEndQuery(ended->state);
    ExecResetTupleTable(ended->state->es_tupleTable, false);
    ExecCloseResultRelations(ended->state);
    FreeExecutorState(ended->state);
    AtEOXact_GUC(false, ended->settings);
    SetUserIdAndSecContext(ended->user, ended->context);
}

void tell_of_inserts(Relation table, TupleTableSlot** rows, int count) {
    telling how = begin_telling(table);
    for (int i = 0; i < count; ++i) {
        ExecARInsertTriggers(how.state, how.table, rows[i], NIL, NULL);
    }
    end_telling(&how);
}

void tell_of_update(Relation table, TupleTableSlot* before, TupleTableSlot* after) {
    telling how = begin_telling(table);
    ExecARUpdateTriggers(how.state, how.table, NULL, NULL, &before->tts_tid, NULL, after, NIL, NULL,
                         false);
    end_telling(&how);
}
