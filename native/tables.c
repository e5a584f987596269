#include "tables.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_index.h"
#include "commands/defrem.h"
#include "nodes/makefuncs.h"
#include "parser/parse_func.h"
#include "utils/inval.h"
#include "utils/syscache.h"

/* Columns of the index by which rows are found; the log as a whole needs none. */
static const struct {
    int length;
    int columns[3];
} keys[] = {[the_worker] = {1, {worker_id}},
            [the_consumer] = {1, {consumer_id}},
            [the_lease] = {2, {lease_consumer_id, lease_id}},
            [the_log] = {0, {0}},
            [a_partition] = {3, {message_channel, message_xid, message_seq}}};

/* Results of checks, valid until a cache invalidation for the table or the functions. */
typedef struct {
    Oid table, key;
    bool fits;
} checked_table;

static checked_table checked[16];
static unsigned next_checked; /* the entry that is replaced next */
static bool protocol_fits;

static void forget_table(Datum unused, Oid table) {
    (void)unused;
    for (size_t i = 0; i < lengthof(checked); ++i) {
        if (!OidIsValid(table) || checked[i].table == table) {
            checked[i] = (checked_table){InvalidOid, InvalidOid, false};
        }
    }
}

static void forget_protocol(Datum unused, int cache, uint32 hash) {
    (void)unused, (void)cache, (void)hash;
    protocol_fits = false;
}

void watch_tables(void) {
    CacheRegisterRelcacheCallback(forget_table, (Datum)0);
    CacheRegisterSyscacheCallback(PROCOID, forget_protocol, (Datum)0);
}

static const char* check_protocol(void) {
    int32 number = 0;
    if (protocol_fits) {
        return NULL;
    }
    protocol_fits = true; /* set first: an invalidation that arrives during the check resets it */
    List* name = list_make2(makeString("postrider"), makeString("native_protocol"));
    const Oid function = LookupFuncName(name, 0, NULL, true);
    if (OidIsValid(function) && get_func_rettype(function) == INT4OID &&
        !get_func_retset(function)) {
        LOCAL_FCINFO(call, 0);
        FmgrInfo how;
        fmgr_info(function, &how);
        InitFunctionCallInfoData(*call, &how, 0, InvalidOid, NULL, NULL);
        PushActiveSnapshot(GetTransactionSnapshot());
        const Datum result = FunctionCallInvoke(call);
        number = call->isnull ? 0 : DatumGetInt32(result);
        PopActiveSnapshot();
    }
    protocol_fits = protocol_fits && number == native_protocol;
    return number == native_protocol
               ? NULL
               : psprintf("postrider.native_protocol() is %d, the library knows %d", number,
                          native_protocol);
}

/* The planner's conditions. An index over broken HOT chains (indcheckxmin) may lack rows that a
 * snapshot from before its creation shows. */
static bool is_usable(Relation index) {
    const Form_pg_index form = index->rd_index;
    return index->rd_rel->relam == BTREE_AM_OID && form->indisvalid && form->indisready &&
           form->indislive &&
           (!form->indcheckxmin ||
            TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
                                  TransactionXmin)) &&
           heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL);
}

static bool begins_with_key(Relation index, Relation table, known_table which) {
    bool same = index->rd_index->indnkeyatts >= keys[which].length;
    for (int i = 0; same && i < keys[which].length; ++i) {
        const int number = keys[which].columns[i];
        const Form_pg_attribute column = TupleDescAttr(RelationGetDescr(table), number - 1);
        const Oid usual = GetDefaultOpClass(getBaseType(column->atttypid), BTREE_AM_OID);
        same = index->rd_index->indkey.values[i] == number && index->rd_indoption[i] == 0 &&
               OidIsValid(usual) && index->rd_opfamily[i] == get_opclass_family(usual);
    }
    return same;
}

static Oid find_key(Relation table, known_table which) {
    ListCell* cell = NULL;
    Oid found = InvalidOid;
    foreach (cell, RelationGetIndexList(table)) {
        Relation index = try_relation_open(lfirst_oid(cell), AccessShareLock);
        if (index != NULL) {
            if (is_usable(index) && begins_with_key(index, table, which)) {
                found = RelationGetRelid(index);
            }
            relation_close(index, NoLock);
        }
    }
    return found;
}

static const checked_table* find_checked(Oid table) {
    for (size_t i = 0; i < lengthof(checked); ++i) {
        if (checked[i].table == table && checked[i].fits) {
            return &checked[i];
        }
    }
    return NULL;
}

/* The lock on the table keeps the result valid until the transaction ends. Later transactions reuse
 * it unless an invalidation for the table arrives. */
static const char* check_table(Relation table, known_table which, Oid* key) {
    checked_table* kept = &checked[next_checked++ % lengthof(checked)];
    *kept = (checked_table){RelationGetRelid(table), InvalidOid, false};
    const char* trouble = trouble_with(table, which);
    *key = InvalidOid;
    if (trouble == NULL && keys[which].length > 0) {
        *key = find_key(table, which);
        if (!OidIsValid(*key)) {
            trouble = psprintf("%s has no usable index on its key", RelationGetRelationName(table));
        }
    }
    if (trouble == NULL && kept->table == RelationGetRelid(table)) {
        *kept = (checked_table){kept->table, *key, true};
    }
    return trouble;
}

static const char* open_checked(Oid id, LOCKMODE lock, known_table which, keyed_table* into) {
    *into = (keyed_table){try_relation_open(id, lock), NULL};
    if (into->table == NULL) {
        return "a table was dropped";
    }
    const checked_table* known = find_checked(id);
    Oid key = known != NULL ? known->key : InvalidOid;
    const char* trouble = known != NULL ? NULL : check_table(into->table, which, &key);
    if (trouble == NULL && keys[which].length > 0) {
        into->key = try_relation_open(key, AccessShareLock);
        trouble = into->key == NULL ? "an index was dropped" : NULL;
    }
    if (trouble != NULL) {
        close_table(into);
    }
    return trouble;
}

static const char* open_named(const char* name, LOCKMODE lock, known_table which,
                              keyed_table* into) {
    RangeVar* range = makeRangeVar("postrider", pstrdup(name), -1);
    const Oid id = RangeVarGetRelidExtended(range, lock, RVR_MISSING_OK, NULL, NULL);
    *into = (keyed_table){NULL, NULL};
    return OidIsValid(id) ? open_checked(id, NoLock, which, into)
                          : psprintf("there is no table postrider.%s", name);
}

const char* open_tables(engine_tables* tables) {
    const char* trouble = NULL;
    *tables = (engine_tables){.worker = {NULL, NULL}};
    if ((trouble = open_named("worker", AccessShareLock, the_worker, &tables->worker)) ||
        (trouble = open_named("consumer", AccessShareLock, the_consumer, &tables->consumer)) ||
        (trouble = open_named("lease", RowExclusiveLock, the_lease, &tables->lease)) ||
        (trouble = open_named("message", AccessShareLock, the_log, &tables->message)) ||
        (trouble = check_protocol())) {
        close_tables(tables);
    }
    return trouble;
}

const char* open_partition(Oid id, keyed_table* into) {
    return open_checked(id, AccessShareLock, a_partition, into);
}

void close_table(keyed_table* closed) {
    if (closed->key != NULL) {
        relation_close(closed->key, NoLock);
    }
    if (closed->table != NULL) {
        relation_close(closed->table, NoLock);
    }
    *closed = (keyed_table){NULL, NULL};
}

void close_tables(engine_tables* tables) {
    close_table(&tables->message);
    close_table(&tables->lease);
    close_table(&tables->consumer);
    close_table(&tables->worker);
}
