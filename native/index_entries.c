#include "postgres.h"

#include "index_entries.h"

#include "access/genam.h"
#include "catalog/index.h"
#include "executor/executor.h"
#include "utils/inval.h"
#include "utils/memutils.h"

typedef struct {
    Oid id;
    IndexInfo* info;
    ExprState* predicate; /* NULL: every row has an entry */
} known_index;

/* What is known of a table, until anything about it changes. */
typedef struct {
    Oid table;
    bool complete; /* not when an error came in between */
    bool outdated;
    MemoryContext memory;
    EState* state;
    int count;
    known_index* indexes;
} known_table;

enum { most_tables = 2 }; /* leases and deliveries */

static known_table known[most_tables];
static int known_count;

static void notice(Datum unused, Oid table) {
    (void)unused;
    for (int i = 0; i < known_count; ++i) {
        known[i].outdated = known[i].outdated || known[i].table == table || !OidIsValid(table);
    }
}

static void learn_index(known_table* of, known_index* into, Oid id) {
    Relation index = index_open(id, RowExclusiveLock);
    into->id = id;
    into->info = BuildIndexInfo(index);
    into->predicate = into->info->ii_Predicate == NIL
                          ? NULL
                          : ExecPrepareQual(into->info->ii_Predicate, of->state);
    index_close(index, NoLock);
}

static void learn_indexes(known_table* into, Relation table) {
    List* ids = RelationGetIndexList(table);
    into->complete = false;
    if (into->memory != NULL) {
        MemoryContextDelete(into->memory);
        into->memory = NULL;
    }
    into->memory =
        AllocSetContextCreate(TopMemoryContext, "postrider indexes", ALLOCSET_DEFAULT_SIZES);
    MemoryContext before = MemoryContextSwitchTo(into->memory);
    into->table = RelationGetRelid(table);
    into->state = CreateExecutorState();
    into->count = 0;
    into->indexes = palloc(sizeof(known_index) * list_length(ids));
    into->outdated = false; /* said first: what follows may bring news */
    for (int i = 0; i < list_length(ids); ++i) {
        learn_index(into, &into->indexes[into->count], list_nth_oid(ids, i));
        /* Whoever builds one concurrently finds the rows that are there before it is ready. */
        into->count += into->indexes[into->count].info->ii_ReadyForInserts;
    }
    into->complete = true;
    MemoryContextSwitchTo(before);
    list_free(ids);
}

static known_table* recall(Relation table) {
    static int next;
    if (known_count == 0) {
        CacheRegisterRelcacheCallback(notice, (Datum)0);
        known_count = most_tables;
    }
    for (int i = 0; i < known_count; ++i) {
        if (known[i].table == RelationGetRelid(table)) {
            if (known[i].outdated || !known[i].complete) {
                learn_indexes(&known[i], table);
            }
            return &known[i];
        }
    }
    known_table* made = &known[next];
    next = (next + 1) % most_tables;
    learn_indexes(made, table);
    return made;
}

static bool belongs(const known_table* of, const known_index* index, TupleTableSlot* row) {
    if (index->predicate == NULL) {
        return true;
    }
    ExprContext* context = GetPerTupleExprContext(of->state);
    context->ecxt_scantuple = row;
    return ExecQual(index->predicate, context);
}

static void add_to(const known_table* of, const known_index* into, Relation table,
                   TupleTableSlot** rows, int count) {
    Relation index = NULL;
    /* Some kinds of indexes keep something there that is gone with the statement. */
    into->info->ii_AmCache = NULL;
    into->info->ii_Context = CurrentMemoryContext;
    for (int i = 0; i < count; ++i) {
        Datum values[INDEX_MAX_KEYS];
        bool nulls[INDEX_MAX_KEYS];
        if (belongs(of, into, rows[i])) {
            index = index == NULL ? index_open(into->id, RowExclusiveLock) : index;
            FormIndexDatum(into->info, rows[i], of->state, values, nulls);
            index_insert(index, values, nulls, &rows[i]->tts_tid, table,
                         into->info->ii_Unique ? UNIQUE_CHECK_YES : UNIQUE_CHECK_NO, false,
                         into->info);
            if (into->info->ii_ExclusionOps != NULL) {
                check_exclusion_constraint(table, index, into->info, &rows[i]->tts_tid, values,
                                           nulls, of->state, false);
            }
        }
        ResetPerTupleExprContext(of->state);
    }
    if (index != NULL) {
        index_close(index, NoLock);
    }
}

void add_index_entries(Relation table, TupleTableSlot** rows, int count) {
    const known_table* of = recall(table);
    /* One index after the other: its pages stay close. */
    for (int i = 0; i < of->count; ++i) {
        add_to(of, &of->indexes[i], table, rows, count);
    }
}
