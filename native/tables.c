#include "postgres.h"

#include "tables.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/namespace.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

static const char* const worker_names[worker_columns] = {"id", "consumer_id", "handlers"};

static const char* const consumer_names[consumer_columns] = {
    "id",        "name",        "channel",       "paused",     "lease_deadline", "handlers",
    "all_types", "exact_types", "type_prefixes", "created_at", "held_handlers"};

static const char* const lease_names[lease_columns] = {
    "consumer_id", "id",        "token",      "worker_id", "done_snapshot", "open_snapshot",
    "done_xid",    "open_xid",  "done_at",    "open_at",   "floor_at",      "from_xid",
    "from_seq",    "to_xid",    "to_seq",     "members",   "claimed_at",    "deadline",
    "finished_at", "reaped_at", "ceiling_at", "doubt_xid"};

static const char* const message_names[message_columns] = {
    "seq",           "xid",           "published_at", "id",       "channel",         "event_type",
    "event_version", "occurred_at",   "source",       "target",   "content_class",   "generation",
    "workspace_id",  "payload",       "headers",      "metadata", "idempotency_key", "ordering_key",
    "partition_key", "trace_context", "available_at", "priority", "max_attempts"};

/* Found by name once, and again after anything about tables has changed. */
static struct {
    bool found;
    bool watched;
    Oid worker, worker_key, consumer, consumer_key, lease, lease_key, lease_ids, message;
} known;

static void forget(Datum unused, Oid table) {
    (void)unused;
    (void)table;
    known.found = false;
}

static bool find_tables(void) {
    const Oid schema = get_namespace_oid("postrider", true);
    if (!OidIsValid(schema)) {
        return false;
    }
    if (!known.watched) {
        CacheRegisterRelcacheCallback(forget, (Datum)0);
        known.watched = true;
    }
    /* Said first: looking them up may bring news that takes it back. */
    known.found = true;
    known.worker = get_relname_relid("worker", schema);
    known.worker_key = get_relname_relid("worker_pkey", schema);
    known.consumer = get_relname_relid("consumer", schema);
    known.consumer_key = get_relname_relid("consumer_pkey", schema);
    known.lease = get_relname_relid("lease", schema);
    known.lease_key = get_relname_relid("lease_pkey", schema);
    known.lease_ids = get_relname_relid("lease_id_seq", schema);
    known.message = get_relname_relid("message", schema);
    return OidIsValid(known.worker) && OidIsValid(known.worker_key) && OidIsValid(known.consumer) &&
           OidIsValid(known.consumer_key) && OidIsValid(known.lease) &&
           OidIsValid(known.lease_key) && OidIsValid(known.lease_ids) && OidIsValid(known.message);
}

/* More columns behind the expected ones are no obstacle where rows are only read. */
static bool has_columns(Relation table, const char* const* names, int count) {
    const TupleDesc row = RelationGetDescr(table);
    if (row->natts < count) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        if (TupleDescAttr(row, i)->attisdropped ||
            strcmp(NameStr(TupleDescAttr(row, i)->attname), names[i]) != 0) {
            return false;
        }
    }
    return true;
}

/* Rows of lease are written here without the executor: nothing may want to see, check or change
 * them. */
static bool is_plain_ledger(Relation lease) {
    const TupleDesc row = RelationGetDescr(lease);
    return row->natts == lease_columns && has_columns(lease, lease_names, lease_columns) &&
           lease->trigdesc == NULL && !lease->rd_rel->relispartition &&
           (row->constr == NULL ||
            (row->constr->num_check == 0 && !row->constr->has_generated_stored));
}

bool is_log(Relation table) {
    return table->rd_rel->relkind == RELKIND_RELATION &&
           has_columns(table, message_names, message_columns);
}

bool open_tables(engine_tables* tables) {
    if (!known.found && !find_tables()) {
        known.found = false;
        return false;
    }
    tables->worker = table_open(known.worker, AccessShareLock);
    tables->worker_key = index_open(known.worker_key, AccessShareLock);
    tables->consumer = table_open(known.consumer, AccessShareLock);
    tables->consumer_key = index_open(known.consumer_key, AccessShareLock);
    tables->lease = table_open(known.lease, RowExclusiveLock);
    tables->lease_key = index_open(known.lease_key, AccessShareLock);
    tables->message = table_open(known.message, AccessShareLock);
    tables->lease_ids = known.lease_ids;
    if (has_columns(tables->worker, worker_names, worker_columns) &&
        has_columns(tables->consumer, consumer_names, consumer_columns) &&
        is_plain_ledger(tables->lease)) {
        return true;
    }
    close_tables(tables);
    return false;
}

void close_tables(engine_tables* tables) {
    /* The locks stay until the transaction ends, as those of any statement do. */
    table_close(tables->message, NoLock);
    index_close(tables->lease_key, NoLock);
    table_close(tables->lease, NoLock);
    index_close(tables->consumer_key, NoLock);
    table_close(tables->consumer, NoLock);
    index_close(tables->worker_key, NoLock);
    table_close(tables->worker, NoLock);
}

bool find_row(Relation table, Relation index, ScanKey keys, int count, ScanDirection direction,
              TupleTableSlot* row) {
    IndexScanDesc scan = index_beginscan(table, index, GetActiveSnapshot(), count, 0);
    index_rescan(scan, keys, count, NULL, 0);
    const bool found = index_getnext_slot(scan, direction, row);
    if (found) {
        ExecMaterializeSlot(row); /* it outlives the page */
        slot_getallattrs(row);
    }
    index_endscan(scan);
    return found;
}
