#include "postgres.h"

#include "columns.h"

#include "triggers.h"

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

static const char* const handler_names[handler_columns] = {
    "consumer_id",  "name",        "revision",       "event_types", "retry",
    "max_attempts", "crashes_max", "starts",         "ends",        "registered_at",
    "retired_at",   "classes",     "honour_terminal"};

static const char* const circuit_names[circuit_columns] = {"consumer_id", "handler", "state",
                                                           "mode", "failures"};

static const char* const channel_names[channel_columns] = {"name", "wake"};

/* clang-format off */
static const char* const delivery_names[delivery_columns] = {
    "id", "consumer_id", "handler", "status", "attempts", "attempts_total", "failures", "crashes",
    "interruptions", "cycle", "max_attempts", "crashes_max", "retry", "available_at", "claimed_at",
    "claimed_by", "lease_token", "lease_until", "first_failed_at", "last_error", "error_class",
    "fingerprint", "failure_history", "created_at", "dead_at", "delivered_at", "deleted_at", "seq",
    "published_at", "message_id", "channel", "event_type", "event_version", "occurred_at",
    "source", "target", "content_class", "generation", "workspace_id", "payload", "headers",
    "metadata", "idempotency_key", "ordering_key", "partition_key", "trace_context", "priority",
    "outcome", "cycle_started_at", "history_dropped", "replay_id", "deleted_reason", "successor",
    "origin_id", "raw_payload", "raw_headers"};
/* clang-format on */

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

/* Rows are written here without the executor: whatever would check or make something of them has to
 * be known. */
static bool has_rules(Relation table, int checks) {
    const TupleConstr* rules = RelationGetDescr(table)->constr;
    return table->rd_rel->relispartition ||
           (rules != NULL && (rules->num_check != checks || rules->has_generated_stored)) ||
           (rules == NULL && checks != 0);
}

bool is_ledger(Relation lease) {
    return RelationGetDescr(lease)->natts == lease_columns &&
           has_columns(lease, lease_names, lease_columns) && !has_rules(lease, 0) &&
           who_watches(lease, true, NULL) != somebody_decides;
}

/* A trigger and a check are known: dead letters are counted, and a status has its instants. What is
 * written here is not dead, and pending. */
static const char* const counts_the_dead = "delivery_tally_insert";

bool is_delivery(Relation delivery) {
    return RelationGetDescr(delivery)->natts == delivery_columns &&
           has_columns(delivery, delivery_names, delivery_columns) && !has_rules(delivery, 1) &&
           strcmp(RelationGetDescr(delivery)->constr->check[0].ccname, "delivery_status_check") ==
               0 &&
           who_watches(delivery, false, counts_the_dead) != somebody_decides;
}

bool is_log(Relation table) {
    return table->rd_rel->relkind == RELKIND_RELATION &&
           has_columns(table, message_names, message_columns);
}

bool is_worker(Relation table) { return has_columns(table, worker_names, worker_columns); }

bool is_consumer(Relation table) { return has_columns(table, consumer_names, consumer_columns); }

bool is_handler(Relation table) { return has_columns(table, handler_names, handler_columns); }

bool is_circuit(Relation table) { return has_columns(table, circuit_names, circuit_columns); }

bool is_channel(Relation table) { return has_columns(table, channel_names, channel_columns); }

bool is_watched_ledger(Relation table) {
    return who_watches(table, true, NULL) == somebody_watches;
}

bool is_watched_delivery(Relation table) {
    return who_watches(table, false, counts_the_dead) == somebody_watches;
}
