#include "postgres.h"

#include "tables.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_index.h"
#include "catalog/pg_type_d.h"
#include "commands/defrem.h"
#include "nodes/makefuncs.h"
#include "parser/parse_func.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

typedef struct {
    const char* (*trouble)(Relation table);
    int key_length; /* columns of its index; 0: none is needed */
    int key[3];
} table_form;

static const table_form worker_form = {trouble_with_worker, 1, {worker_id}};
static const table_form consumer_form = {trouble_with_consumer, 1, {consumer_id}};
static const table_form lease_form = {trouble_with_lease, 2, {lease_consumer_id, lease_id}};
static const table_form log_form = {trouble_with_log, 0, {0}};
static const table_form partition_form = {
    trouble_with_partition, 3, {message_channel, message_xid, message_seq}};

/* What was checked, until something about the table or the functions changes. */
typedef struct {
    Oid table;
    Oid key;
    bool fits;
} checked_table;

static checked_table checked[16];
static unsigned next_checked; /* the place that is used again next */
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

static void watch(void) {
    static bool watching = false;
    if (!watching) {
        CacheRegisterRelcacheCallback(forget_table, (Datum)0);
        CacheRegisterSyscacheCallback(PROCOID, forget_protocol, (Datum)0);
        watching = true;
    }
}

static const char* check_protocol(void) {
    List* name = list_make2(makeString("postrider"), makeString("native_protocol"));
    int32 number = 0;
    if (protocol_fits) {
        return NULL;
    }
    protocol_fits = true; /* first: news that arrives meanwhile takes it back */
    const Oid function = LookupFuncName(name, 0, NULL, true);
    if (OidIsValid(function) && get_func_rettype(function) == INT4OID &&
        !get_func_retset(function)) {
        PushActiveSnapshot(GetTransactionSnapshot());
        number = DatumGetInt32(OidFunctionCall0(function));
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

static bool begins_with_key(Relation index, Relation table, const table_form* form) {
    bool same = index->rd_index->indnkeyatts >= form->key_length;
    for (int i = 0; same && i < form->key_length; ++i) {
        const Form_pg_attribute column = TupleDescAttr(RelationGetDescr(table), form->key[i] - 1);
        const Oid usual = GetDefaultOpClass(getBaseType(column->atttypid), BTREE_AM_OID);
        same = index->rd_index->indkey.values[i] == form->key[i] && index->rd_indoption[i] == 0 &&
               OidIsValid(usual) && index->rd_opfamily[i] == get_opclass_family(usual);
    }
    return same;
}

static Oid find_key(Relation table, const table_form* form) {
    ListCell* cell = NULL;
    Oid found = InvalidOid;
    foreach (cell, RelationGetIndexList(table)) {
        Relation index = try_relation_open(lfirst_oid(cell), AccessShareLock);
        if (index != NULL) {
            if (is_usable(index) && begins_with_key(index, table, form)) {
                found = RelationGetRelid(index);
            }
            relation_close(index, NoLock);
        }
    }
    return found;
}

static bool find_checked(Oid table, Oid* key) {
    for (size_t i = 0; i < lengthof(checked); ++i) {
        if (checked[i].table == table && checked[i].fits) {
            *key = checked[i].key;
            return true;
        }
    }
    return false;
}

/* The lock on the table keeps the result true until the transaction ends. It is kept for later ones
 * unless news about the table arrives meanwhile. */
static const char* check_table(Relation table, const table_form* form, Oid* key) {
    checked_table* kept = &checked[next_checked++ % lengthof(checked)];
    *kept = (checked_table){RelationGetRelid(table), InvalidOid, false};
    const char* trouble = form->trouble(table);
    *key = InvalidOid;
    if (trouble == NULL && form->key_length > 0) {
        *key = find_key(table, form);
        if (!OidIsValid(*key)) {
            trouble = psprintf("%s has no usable index on its key", RelationGetRelationName(table));
        }
    }
    if (trouble == NULL && kept->table == RelationGetRelid(table)) {
        *kept = (checked_table){kept->table, *key, true};
    }
    return trouble;
}

static const char* open_checked(Oid id, LOCKMODE lock, const table_form* form, keyed_table* into) {
    const char* trouble = NULL;
    Oid key = InvalidOid;
    *into = (keyed_table){try_relation_open(id, lock), NULL};
    if (into->table == NULL) {
        return "a table was dropped";
    }
    if (!find_checked(id, &key)) {
        trouble = check_table(into->table, form, &key);
    }
    if (trouble == NULL && form->key_length > 0) {
        into->key = try_relation_open(key, AccessShareLock);
        trouble = into->key == NULL ? "an index was dropped" : NULL;
    }
    if (trouble != NULL) {
        close_table(into);
    }
    return trouble;
}

static const char* open_named(const char* name, LOCKMODE lock, const table_form* form,
                              keyed_table* into) {
    RangeVar* range = makeRangeVar("postrider", pstrdup(name), -1);
    const Oid id = RangeVarGetRelidExtended(range, lock, RVR_MISSING_OK, NULL, NULL);
    *into = (keyed_table){NULL, NULL};
    return OidIsValid(id) ? open_checked(id, NoLock, form, into)
                          : psprintf("there is no table postrider.%s", name);
}

const char* open_tables(engine_tables* tables) {
    const char* trouble = NULL;
    *tables = (engine_tables){.worker = {NULL, NULL}};
    watch();
    if ((trouble = open_named("worker", AccessShareLock, &worker_form, &tables->worker)) ||
        (trouble = open_named("consumer", AccessShareLock, &consumer_form, &tables->consumer)) ||
        (trouble = open_named("lease", RowExclusiveLock, &lease_form, &tables->lease)) ||
        (trouble = open_named("message", AccessShareLock, &log_form, &tables->message)) ||
        (trouble = check_protocol())) {
        close_tables(tables);
    }
    return trouble;
}

const char* open_partition(Oid id, keyed_table* into) {
    return open_checked(id, AccessShareLock, &partition_form, into);
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
