#include "postgres.h"

#include "tables.h"

#include "access/genam.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/namespace.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

/* Found by name once, and again after anything about tables has changed. */
static struct {
    bool found;
    bool watched;
    bool looked_at; /* their columns, and those that failures need */
    bool looked_at_failures;
    bool lease_watched, delivery_watched;
    Oid worker, worker_key, consumer, consumer_key, lease, lease_key, lease_ids, message;
    Oid handler, handler_key, circuit, circuit_key, channel, channel_key;
    Oid delivery, delivery_key, delivery_ids;
} known;

static void forget(Datum unused, Oid table) {
    (void)unused;
    (void)table;
    known.found = false;
    known.looked_at = false;
    known.looked_at_failures = false;
}

static bool find(Oid schema, const char* name, Oid* id) {
    *id = get_relname_relid(name, schema);
    return OidIsValid(*id);
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
    /* Said first: looking them up may bring news that takes it back. The last one tells whether all
     * were looked up: an error may come in between. */
    known.found = true;
    known.delivery_ids = InvalidOid;
    return find(schema, "worker", &known.worker) &&
           find(schema, "worker_pkey", &known.worker_key) &&
           find(schema, "consumer", &known.consumer) &&
           find(schema, "consumer_pkey", &known.consumer_key) &&
           find(schema, "lease", &known.lease) && find(schema, "lease_pkey", &known.lease_key) &&
           find(schema, "lease_id_seq", &known.lease_ids) &&
           find(schema, "message", &known.message) && find(schema, "handler", &known.handler) &&
           find(schema, "handler_pkey", &known.handler_key) &&
           find(schema, "circuit", &known.circuit) &&
           find(schema, "circuit_pkey", &known.circuit_key) &&
           find(schema, "channel", &known.channel) &&
           find(schema, "channel_pkey", &known.channel_key) &&
           find(schema, "delivery", &known.delivery) &&
           find(schema, "delivery_message_handler_key", &known.delivery_key) &&
           find(schema, "delivery_id_seq", &known.delivery_ids);
}

static bool are_found(void) {
    return (known.found && OidIsValid(known.delivery_ids)) || find_tables();
}

bool open_tables(engine_tables* tables) {
    if (!are_found()) {
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
    if (!known.looked_at) {
        known.looked_at =
            is_worker(tables->worker) && is_consumer(tables->consumer) && is_ledger(tables->lease);
        known.lease_watched = is_watched_ledger(tables->lease);
    }
    tables->lease_watched = known.lease_watched;
    if (known.looked_at) {
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

bool open_failure_tables(failure_tables* tables) {
    if (!are_found()) {
        return false;
    }
    tables->handler = table_open(known.handler, AccessShareLock);
    tables->handler_key = index_open(known.handler_key, AccessShareLock);
    tables->circuit = table_open(known.circuit, AccessShareLock);
    tables->circuit_key = index_open(known.circuit_key, AccessShareLock);
    tables->channel = table_open(known.channel, AccessShareLock);
    tables->channel_key = index_open(known.channel_key, AccessShareLock);
    tables->delivery = table_open(known.delivery, RowExclusiveLock);
    tables->delivery_key = index_open(known.delivery_key, RowExclusiveLock);
    tables->delivery_ids = known.delivery_ids;
    if (!known.looked_at_failures) {
        known.looked_at_failures = is_handler(tables->handler) && is_circuit(tables->circuit) &&
                                   is_channel(tables->channel) && is_delivery(tables->delivery);
        known.delivery_watched = is_watched_delivery(tables->delivery);
    }
    tables->delivery_watched = known.delivery_watched;
    if (known.looked_at_failures) {
        return true;
    }
    close_failure_tables(tables);
    return false;
}

void close_failure_tables(failure_tables* tables) {
    index_close(tables->delivery_key, NoLock);
    table_close(tables->delivery, NoLock);
    index_close(tables->channel_key, NoLock);
    table_close(tables->channel, NoLock);
    index_close(tables->circuit_key, NoLock);
    table_close(tables->circuit, NoLock);
    index_close(tables->handler_key, NoLock);
    table_close(tables->handler, NoLock);
}

row_version version_of(TupleTableSlot* row) {
    bool none = false;
    return (row_version){.made_by = DatumGetTransactionId(
                             slot_getsysattr(row, MinTransactionIdAttributeNumber, &none)),
                         .row = row->tts_tid};
}

bool same_version(const row_version* left, const row_version* right) {
    return left->made_by == right->made_by &&
           ItemPointerEquals((ItemPointer)&left->row, (ItemPointer)&right->row);
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
